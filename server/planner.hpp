// Planner: what a worker searches with: one request at a time, in slices. The real one stands on
// pathfinding::Search; tests have others.
// Thread-safety: one thread at a time; a worker keeps one and its memory.
// Usage: if (auto refused = p.begin(snapshot, request)) ...; while (!p.advance(n)) if (...) { p.stop(...); break; }
// p.write(&answer, nullptr);  For a path to validate the same with begin_check(), advance_check() and end_check(); for a
// horde with begin_horde(), advance_horde() and take_answers().
#pragma once

#include "protocol/errors.hpp"
#include "protocol/voxpath.pb.h"
#include "server/jobs/horde_request.hpp"
#include "server/watched_path.hpp"
#include "world/snapshot.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace voxpath::server {

class Planner {
 public:
  enum class Stop { cancelled, deadline };

  virtual ~Planner() = default;
  /// Starts on a request that has passed protocol::validate(). A Failure: it is not searched.
  virtual std::optional<protocol::Failure> begin(world::Ref<const world::Snapshot> snapshot,
                                                 const v1::FindPath& request) = 0;
  /// Works on; whether the search is over.
  virtual bool advance(std::uint32_t expansions) = 0;
  /// Ends a search that is not over.
  virtual void stop(Stop why) = 0;
  /// The answer of a search that is over or stopped; lets go of the snapshot. `found`: nullptr, or where to put what a
  /// watch of the path needs.
  virtual void write(v1::PathAnswer* answer, FoundPath* found) = 0;
  /// Gives up a search or check without an answer; lets go of the snapshot.
  virtual void reset() = 0;

  /// Starts to hold a path against a snapshot. A Failure: there is no such mob.
  virtual std::optional<protocol::Failure> begin_check(world::Ref<const world::Snapshot> snapshot,
                                                       const v1::ValidatePath& request) = 0;
  /// Works on; whether the check is over.
  virtual bool advance_check(std::uint32_t moves) = 0;
  /// Ends the check, over or not; says what came out where it is over. Lets go of the snapshot.
  virtual void end_check(v1::PathVerdict* verdict) = 0;

  struct HordeAnswer {
    std::size_t start;  // by its place among the starts
    v1::PathAnswer answer;
    FoundPath found;
  };
  struct HordeOptions {
    std::size_t waypoints_max;  // of each answer
    bool found;                 // whether HordeAnswer.found is filled in: a watch needs it
  };
  /// Starts on the paths of a horde. A Failure, with the fields of a find_path: none is searched.
  virtual std::optional<protocol::Failure> begin_horde(world::Ref<const world::Snapshot> snapshot,
                                                       const HordeRequest& request, HordeOptions options) = 0;
  /// Works on; whether all have their answer.
  virtual bool advance_horde(std::uint32_t expansions) = 0;
  /// Answers the starts that have no answer yet as searches that were ended.
  virtual void stop_horde(Stop why) = 0;
  /// Those that came since the last call. The snapshot is let go of by reset().
  virtual std::vector<HordeAnswer> take_answers() = 0;
  /// Whether those without an answer are searched for one after the other from here on, as each would be alone.
  [[nodiscard]] virtual bool one_by_one() const = 0;
  /// How many had their answer from a search that they shared.
  [[nodiscard]] virtual std::size_t shared() const = 0;
  /// Nodes that the horde's searches have looked at.
  [[nodiscard]] virtual std::uint64_t expanded() const = 0;
};

using PlannerFactory = std::function<std::unique_ptr<Planner>()>;

}  // namespace voxpath::server
