// Search: finds a path for one query in one snapshot, in as many slices as the caller likes.
// Thread-safety: one thread at a time; a Search owns its memory and reuses it, so keep one per worker.
// Usage: Search s; s.begin(snapshot, query, limits); while (!s.advance(2000)) { ...deadline, cancel: s.stop(...)... }
// Answer a = s.answer();
// Invariants: the same question to the same world version gives the same answer, however it is sliced; nothing is
// allocated per expansion (memory grows by doubling and is kept).
// Sources: A*: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths" (1968),
// section II.
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/query.hpp"
#include "world/snapshot.hpp"

#include <memory>

namespace voxpath::pathfinding {

class Search {
 public:
  Search();
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  /// Starts anew; what went before is dropped. Errors: those of validate(query, limits). Holds the snapshot until the
  /// next begin() or reset().
  world::Status begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits);
  /// Expands at most `expansions` nodes. Returns whether the search is over.
  bool advance(std::uint32_t expansions);
  /// Ends a running search from outside: `deadline` makes it partial, `none` cancelled.
  void stop(PartialReason reason);
  [[nodiscard]] bool done() const;
  /// Precondition: done().
  [[nodiscard]] Answer answer();
  /// Lets go of the snapshot; keeps the memory.
  void reset();
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All of it at once.
world::Result<Answer> search(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits = {});

}  // namespace voxpath::pathfinding
