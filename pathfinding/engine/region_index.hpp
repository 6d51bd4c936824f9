// RegionIndex: the regions of a whole world for one kind of agent, and which of them reach which, so that most questions of reachability
// are answered by comparing two numbers.
// Thread-safety: one thread at a time (NavClass guards it).
// Invariants: what look() tells is exact for the snapshot asked about; where the index is not up to it, it tells nothing. It follows the
// newest version that it was asked about: changed chunks are compared with what they were, and only when regions, or what leads from one
// to another, have changed do the labels have to be found anew. The index is built and labelled bit by bit, paid for by the work that searches do
// without it, so that no search waits for the whole world.
// Source: strongly connected components: Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972), section 4; its numbers are a
// reversed topological order, so that a smaller number never leads to a greater one.
#pragma once

#include "pathfinding/engine/nav_regions.hpp"
#include "pathfinding/engine/reach.hpp"
#include "world/snapshot.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

class NavReader;

class RegionIndex {
 public:
  /// Worlds with more chunks have no index, for it wants the moves of all of them in memory, about 5 to 15 KB each.
  static constexpr std::size_t kChunksMax = 16'384;

  /// What is known at once of the way from a node to several others. May first look at a few chunks that have changed.
  [[nodiscard]] Reach look(NavReader& reader, world::BlockPos start, std::span<const world::BlockPos> goals);
  /// Makes the index more complete, by as much as `work` pays for; it is counted in expansions of a search.
  void pay(NavReader& reader, std::uint64_t work);
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  /// Prices in expansions.
  static constexpr std::uint64_t kPriceToBuild = 1'000;  // a chunk, with its moves
  static constexpr std::uint64_t kPriceToCompare = 16;   // one that may have changed
  static constexpr std::uint64_t kLabelSteps = 4;        // of labelling, a link or a region, for one expansion
  static constexpr std::size_t kFreeChunks = 32;         // that one look() looks at: three edits' worth

  /// A way from a region of a chunk to one of a neighbour, or of the same chunk (4). Regions by number in the chunk.
  struct Link {
    std::uint32_t from = 0, to = 0;
    std::uint8_t neighbour = 4;
    friend constexpr auto operator<=>(const Link&, const Link&) = default;
  };
  struct Entry {
    world::ChunkPos pos;
    world::Ref<const NavRegions> regions;
    std::vector<std::uint32_t> number;  // by region; empty: as they are. Regions keep their numbers through edits
    std::vector<Link> links;            // sorted
    std::vector<std::uint32_t> beside_missing;
    std::uint32_t base = 0;  // of its numbers, in `component_`
    bool waiting = false;    // to be looked at
    bool relink = false;     // links are those of older regions, or tell older numbers

    [[nodiscard]] std::uint32_t number_of(std::uint32_t region) const {
      return number.empty() ? region : number[region];
    }
  };
  /// How far the labels are, while they are being found. Edits that change no region let it go on, others end it.
  struct Labelling {
    enum class Stage : std::uint8_t { links, components, flags_back, flags_ahead } stage = Stage::links;
    std::size_t at = 0;                         // the entry, the region, or the place in `order` that is next
    std::vector<std::uint32_t> begin, targets;  // by region: where its links begin; where they lead
    std::vector<std::uint32_t> met, low, next;  // by region: the order of meeting them; Tarjan's lowlink; the next link
    std::vector<std::uint32_t> open, way;       // Tarjan's stack; the way to the region at work
    std::vector<std::uint32_t> order;           // the regions component by component
    std::uint32_t count = 0, components = 0, largest = 0;
  };
  enum Flag : std::uint8_t { kMeetsMissing = 1, kToGiant = 2, kFromGiant = 4 };

  void follow(const world::Snapshot& snapshot);
  void wait(world::ChunkPos pos);
  bool look_at_next(NavReader& reader);
  void compare(Entry& entry, world::Ref<const NavRegions> now);
  void erase(std::uint32_t entry);
  void want_links(world::ChunkPos pos);
  void relink();
  std::vector<Link> links_of(const Entry& entry) const;
  [[nodiscard]] const Entry* at(world::ChunkPos pos) const;
  [[nodiscard]] std::uint32_t component_of(world::BlockPos cell) const;
  void begin_labelling();
  void label(std::uint64_t steps);
  void gather_links(std::uint64_t& steps);
  void find_components(std::uint64_t& steps);
  void flag_back(std::uint64_t& steps);
  void flag_ahead(std::uint64_t& steps);
  void unlabel();

  boost::unordered_flat_map<world::ChunkPos, std::uint32_t> entry_at_;
  std::vector<Entry> entries_;
  std::vector<world::ChunkPos> waiting_;
  std::vector<world::ChunkPos> relink_;
  bool begun_ = false;
  std::uint64_t version_ = 0;
  std::uint64_t credit_ = 0;
  std::unique_ptr<Labelling> labelling_;  // nullptr: none are being found
  bool labelled_ = false;                 // the labels hold for the regions and links of the entries
  std::vector<std::uint32_t> component_;  // by base + number
  std::vector<std::uint8_t> flags_;       // by component
  std::uint32_t giant_ = 0;               // the component with the most regions
};

}  // namespace voxpath::pathfinding
