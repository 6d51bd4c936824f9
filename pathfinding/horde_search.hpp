// HordeSearch: the paths of many mobs of one kind to one goal. Where that is cheaper than a search for each, it makes one search back from
// the goal, which all of them share.
// Thread-safety: one thread at a time; it owns its memory and reuses it, so keep one per worker.
// Usage: as Search: HordeSearch h; h.begin(snapshot, query, starts, limits); while (!h.advance(2000)) { ...deadline, cancel... }
// Invariants: each path costs what a search of its own would find, or less where that need not find the least; where several cost the same, it may be another one. Mobs that no path
// leads from get the answer of a search of their own. The same question to the same world version gives the same answers, however it is
// sliced.
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/query.hpp"
#include "world/snapshot.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace voxpath::pathfinding {

inline constexpr std::size_t kHordeMax = 4'096;  // mobs

class HordeSearch {
 public:
  HordeSearch();
  ~HordeSearch();
  HordeSearch(HordeSearch&&) noexcept;
  HordeSearch& operator=(HordeSearch&&) noexcept;

  /// `query.start` plays no part; `exact` and `weight` are for searches of their own, what is shared costs the least. There are 1 .. kHordeMax starts. `limits`
  /// are those of each search; the shared one has others, by how far the mobs are.
  /// Errors: those of validate(query, limits) for each start. Holds the snapshot until the next begin() or reset().
  world::Status begin(world::Ref<const world::Snapshot> snapshot, const Query& query, std::vector<Place> starts,
                      const Limits& limits);
  /// Expands about so many nodes; the waypoints that are read off the shared search count as such. Returns whether the
  /// search is over.
  bool advance(std::uint32_t expansions);
  /// Ends it from outside: mobs without an answer get that of a search that was stopped so.
  void stop(PartialReason reason);
  [[nodiscard]] bool done() const;
  /// Whether mobs without an answer get searches of their own from here on, one after the other: a shared one is not
  /// cheaper, or has given what it could.
  [[nodiscard]] bool one_by_one() const;
  /// In the order of the starts, but for those that were taken. Precondition: done().
  [[nodiscard]] std::vector<Answer> answers();
  struct Numbered {
    std::size_t start;  // by its place among the starts
    Answer answer;
  };
  /// Those that have come since the last call, in the order in which they came; of use before done(), too.
  [[nodiscard]] std::vector<Numbered> take_answers();
  /// Mobs whose answers came from the shared search.
  [[nodiscard]] std::size_t shared() const;
  /// Nodes that all its searches have looked at, but for one that is not over.
  [[nodiscard]] std::uint64_t expanded() const;
  void reset();
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace voxpath::pathfinding
