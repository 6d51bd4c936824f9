// Ground: where a mob can be. Sections 2 and 3 of the movement contract and the nodes of section 9, sentence by sentence: extents, surfaces,
// nodes.
// Thread-safety: none; it remembers what it has looked at. The world must outlive it and not change.
// Invariants: heights are absolute pixels; a column or footprint is named by its lowest corner; a footprint with a column in a missing chunk
// has no node. Written to be read beside the contract, not to be fast, and shares nothing with the planner it judges.
#pragma once

#include "tests/judge/judge_agent.hpp"
#include "tests/judge/judge_world.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace voxpath::judge {

/// A swimmer's nodes are `swim` like those at the surface that a walker floats in; an agent has only one sort of them.
enum class NodeKind : std::uint8_t { standing, swim, climb, fly };

struct Node {
  int x = 0, y = 0, z = 0;  // y is the cell of the floor
  int floor = 0;            // px
  NodeKind kind = NodeKind::standing;
  bool near_hazard = false;
  bool slow = false;
  bool opens = false;         // its body holds a closed door or gate that the mob opens
  bool door_in_body = false;  // any door or gate, open or closed
  bool in_climbable = false;  // its cell is climbable
  bool wet = false;           // its body touches water
  [[nodiscard]] bool same_place(const Node& other) const { return x == other.x && y == other.y && z == other.z; }
};

/// The part of a column that a block fills, `bottom` to `top`.
struct Extent {
  int bottom = 0, top = 0;
};

class Ground {
 public:
  Ground(const JudgeWorld& world, const JudgeAgent& agent);

  [[nodiscard]] const JudgeAgent& agent() const { return agent_; }
  [[nodiscard]] int n() const { return n_; }
  /// Whether every column of the footprint is in a known chunk.
  [[nodiscard]] bool footprint_known(int x, int z);
  /// Air outside the world's heights and in missing chunks.
  [[nodiscard]] world::Traits cell(int x, int y, int z);
  /// What the block fills for this mob: a door that it opens fills nothing.
  [[nodiscard]] std::optional<Extent> extent(int x, int y, int z);
  /// What the block fills for light and for a mob without abilities: doors and gates while they are closed.
  [[nodiscard]] std::optional<Extent> own_extent(int x, int y, int z);
  [[nodiscard]] bool column_known(int x, int z) { return column(x, z).known; }
  /// The cells in which nodes can be: the world's, and the one that what is built to its top carries.
  [[nodiscard]] int lowest_cell() const { return world_.min_y(); }
  [[nodiscard]] int highest_cell() const { return world_.min_y() + world_.height(); }
  /// No extent of any column of the footprint intersects the open interval (low, high).
  [[nodiscard]] bool free(int x, int z, int low, int high);
  /// Whether `test` holds for a block of the footprint in the cells first_y..last_y.
  [[nodiscard]] bool any_cell(int x, int z, int first_y, int last_y,
                              const std::function<bool(const world::Traits&)>& test);
  /// The blocks of the footprint whose top is exactly `floor`.
  [[nodiscard]] std::vector<world::Traits> supporting(int x, int z, int floor);

  /// All nodes of the footprint, lowest first; at most one a cell.
  [[nodiscard]] const std::vector<Node>& nodes(int x, int z);
  [[nodiscard]] std::optional<Node> node(int x, int y, int z);

 private:
  struct Column {
    bool known = false;
    std::vector<world::Traits> cells;  // from min_y up, without the air on top
    std::vector<int> surfaces;         // px, lowest first
  };
  const Column& column(int x, int z);
  void look_at(Column& column, int x, int z);
  void find_surfaces(Column& column, int x, int z);
  std::vector<Node> find_nodes(int x, int z);

  std::vector<Node> find_floating_nodes(int x, int z);

  bool is_floating(int x, int y, int z);
  bool is_standing(int x, int z, int floor);
  bool is_carried(int x, int z, int floor);
  bool stands_too_deep(int x, int z, int floor);
  bool is_swim(int x, int y, int z);
  bool is_climb(int x, int y, int z);
  bool is_forbidden(int x, int z, int floor);
  bool has_hazard_around(int x, int y, int z);
  Node describe(int x, int z, int floor, NodeKind kind);
  [[nodiscard]] int last_body_cell(int floor) const { return world::floor_div16(floor + agent_.height_px - 1); }
  [[nodiscard]] bool is_water(int x, int y, int z) { return cell(x, y, z).fluid == world::Fluid::water; }

  const JudgeWorld& world_;
  JudgeAgent agent_;
  int n_;
  std::unordered_map<std::uint64_t, Column> columns_;
  std::uint64_t last_key_ = 0;  // most questions are about the column of the one before
  const Column* last_column_ = nullptr;
  std::unordered_map<std::uint64_t, std::vector<Node>> nodes_;
};

}  // namespace voxpath::judge
