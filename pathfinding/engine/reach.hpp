// Reach: what is known of where a start leads, before anything is searched for.
// Thread-safety: plain values.
#pragma once

#include <cstdint>

namespace voxpath::pathfinding {

enum class Known : std::uint8_t { open, no, yes };

struct Reach {
  Known goal = Known::open;     // does a path lead to one of the goals?
  Known missing = Known::open;  // can a node be reached from which a move would lead into a missing chunk?
};

}  // namespace voxpath::pathfinding
