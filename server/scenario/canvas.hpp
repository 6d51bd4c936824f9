// Canvas: the strokes of a drawn world in their order, turned into a world at the end.
// Thread-safety: none.
// Invariants: later strokes win over earlier ones; a column marked missing is missing whatever is drawn in it; nothing is drawn outside the
// world's heights or beyond the limits of scenario_file.hpp.
#pragma once

#include "world/position.hpp"
#include "world/result.hpp"
#include "world/world.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace voxpath::server {

/// What every cell is that nobody drew. Missing: so is a chunk in which nothing is drawn, and undrawn cells of other chunks are air.
enum class Outside : std::uint8_t { air, stone, missing };

class Canvas {
 public:
  Canvas(world::Heights heights, Outside outside);

  [[nodiscard]] world::World& world() { return *world_; }
  [[nodiscard]] bool empty() const { return strokes_.empty() && missing_.empty(); }
  /// Both fail with a sentence without a line number.
  [[nodiscard]] std::optional<std::string> fill(const world::Box& box, world::StateId state);
  /// One drawn letter; it widens the range that walls() fills.
  [[nodiscard]] std::optional<std::string> draw(world::BlockPos pos, world::StateId state);
  void make_missing(world::BlockPos pos) { missing_.insert(world::chunk_of(pos)); }
  /// A plane of constant z over the x range of all drawings, those after it too.
  [[nodiscard]] std::optional<std::string> wall(int z, int y_first, int y_last, world::StateId state);

  /// The drawn world. `stone` fills the undrawn cells where Outside says so. Call once.
  [[nodiscard]] world::Result<std::unique_ptr<world::World>> finish(world::StateId stone);

 private:
  struct Stroke {
    world::Box box;
    world::StateId state = world::kAirState;
    bool over_drawn_x = false;
  };
  [[nodiscard]] std::optional<std::string> add(const Stroke& stroke);
  world::Ref<world::Chunk> paint(world::ChunkPos pos, const std::vector<Stroke>& strokes,
                                 world::StateId background) const;

  Outside outside_;
  std::unique_ptr<world::World> world_;
  std::vector<Stroke> strokes_;
  std::set<world::ChunkPos> missing_;
  std::int64_t cells_ = 0;
  std::optional<std::pair<int, int>> drawn_x_;
};

}  // namespace voxpath::server
