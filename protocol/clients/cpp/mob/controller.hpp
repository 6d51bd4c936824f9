// Controller: takes one mob through the world, tick by tick: asks for paths, walks them, asks again when that is worth it.
// Thread-safety: one thread at a time. It sees no socket and no clock: ticks, answers and events are told to it, and what it wants sent is
// in the Step it returns.
// Usage: each tick: Step s = c.tick({mob, target}); move the mob to s.go_to; if (s.ask) send *s.ask with s.ticket, and when its answer is
// there: c.on_answer(s.ticket, answer), or c.on_error(s.ticket, error). Send s.unwatch; pass events to c.on_invalidated().
// Invariants: at most one question is under way, and none is taken back for a newer one: so a target that moves each tick cannot keep an
// answer from coming. The mob walks its old route until the new one is there, and never turns back for the beginning of a path.
// What makes it ask:
//   no route · the route broke · the target has moved more than half of what is left to walk, and the cool-down is over · the end of a
//   partial path, after a pause that doubles while nothing better comes · stuck
// What it does when stuck (no headway for stuck_ticks), one after another: asks from where it is · bars the place it cannot get into ·
// goes back to the last waypoint and asks from there · stands, asks at long intervals, and says so to its owner (Step::helpless).
#pragma once

#include "protocol/clients/cpp/mob/route.hpp"
#include "protocol/clients/cpp/mob/strategy.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::mob {

inline constexpr std::uint32_t kTicksPerSecond = 20;

struct Settings {
  std::string world;
  v1::Agent agent;       // a profile by name, and what differs
  double width = 0.6;    // of the mob's box, blocks
  double speed = 0.115;  // blocks a tick; a zombie's
  Strategy strategy = Strategy::path;
  std::uint64_t seed = 1;
  std::uint32_t pack_index = 0;          // for surround
  double reach = 1.0;                    // blocks from the target, horizontally, at which the mob has arrived
  bool watch = true;                     // be told when an edit breaks the path; else only being stuck tells
  std::uint32_t expansions = 0;          // of a search; 0: the server's default
  std::uint32_t cooldown_ticks = 10;     // between two questions
  std::uint32_t replan_every_ticks = 0;  // 0: when it is worth it; else this often, whether it is or not
  std::uint32_t replan_phase_ticks = 0;  // of the above: which of these ticks, so that a crowd does not ask at once
  std::uint32_t stuck_ticks = 20;
  std::uint32_t pause_first_ticks = 10;
  std::uint32_t pause_max_ticks = 200;
};

/// What the game tells each tick.
struct Observation {
  Point mob;     // its feet
  Point target;  // the target's feet
};

/// What the mob does in this tick.
struct Step {
  Point go_to;               // where to be at its end; the mob's own place: stand
  bool straight = false;     // greedy: go_to.y is the mob's, the game finds the height
  bool jump = false;         // the leg goes up more than a step, or over a gap
  std::optional<Cell> open;  // the door or gate to open
  bool waiting = false;      // it would walk, but has no path yet
  bool arrived = false;
  bool helpless = false;  // stuck for good, as far as it knows; the owner may move it elsewhere
  std::optional<v1::FindPath> ask;
  std::uint64_t ticket = 0;            // of `ask`
  std::vector<std::uint64_t> unwatch;  // watches that are no longer needed
};

class Controller {
 public:
  explicit Controller(Settings settings);

  Step tick(const Observation& seen);
  /// What came of a question; unknown tickets are ignored.
  void on_answer(std::uint64_t ticket, const v1::PathAnswer& answer);
  void on_error(std::uint64_t ticket, const v1::Error& error);
  /// A watch has ended; those of others are ignored.
  void on_invalidated(const v1::PathInvalidated& event);
  /// The connection is gone, and with it the question under way and all watches.
  void on_disconnected();

  [[nodiscard]] const Route& route() const { return route_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] bool asking() const { return asked_.has_value(); }
  /// How the last answer ended that was not an error.
  [[nodiscard]] v1::PathAnswer::Status status() const { return status_; }
  /// The pause that the last fruitless answer brought, ticks; 0: none.
  [[nodiscard]] std::uint32_t pause_ticks() const { return pause_ticks_; }
  /// How far being stuck has gone: 0 not at all, kHelpless for good.
  [[nodiscard]] int stuck_level() const { return stuck_level_; }
  static constexpr int kHelpless = 4;

 private:
  struct Asked {
    std::uint64_t ticket, tick;
    Point aimed_at;
    bool away, priced;
    std::optional<std::size_t> splice;  // index in route_ from which the question starts; none: from the mob's place
  };

  void look(const Observation& seen);
  [[nodiscard]] Situation situation() const;
  [[nodiscard]] bool arrived() const;
  [[nodiscard]] bool wants_path(Point aimed_at) const;
  [[nodiscard]] bool cooled_down() const;
  void ask(const Aim& aim, Step& step);
  void walk(Step& step);
  void watch_headway(const Step& step);
  void escalate();

  void take(const Asked& asked, const v1::PathAnswer& answer);
  [[nodiscard]] bool keeps_route(const Asked& asked, const Route& fresh, const v1::PathAnswer& answer) const;
  [[nodiscard]] double gain(const Asked& asked, const Route& fresh) const;
  [[nodiscard]] std::optional<Route> joined(const Asked& asked, Route fresh) const;
  void set_route(Route route);
  void release(std::uint64_t watch);
  void note_fruitless(const Asked& asked, v1::PathAnswer::Reason reason);
  void pause(std::uint32_t ticks);

  const Settings settings_;
  Random random_;
  std::uint64_t tick_ = 0;
  Observation seen_;
  Point velocity_;  // of the target, smoothed

  Route route_;
  bool route_complete_ = false;   // it leads to the goal
  Point route_aim_;               // what was aimed at when it was asked for
  std::int64_t hidden_cost_ = 0;  // what its answer's cost had beyond what waypoints show
  std::uint64_t version_ = 0;     // of the world in which it was found
  v1::PathAnswer::Status status_ = v1::PathAnswer::STATUS_UNSPECIFIED;

  std::optional<Asked> asked_;
  std::uint64_t last_ticket_ = 0;
  std::uint64_t last_asked_tick_ = 0;
  double latency_ticks_ = 1;  // how long answers take, smoothed
  bool ask_soon_ = false;     // the last answer could not be joined to the route
  std::uint64_t not_before_tick_ = 0;
  std::uint32_t pause_ticks_ = 0;  // the last pause; 0: none was needed
  Point paused_for_;               // what was aimed at when it began
  std::uint32_t expansions_ = 0;   // what the next question may cost; 0: as settings_ say

  Point anchor_;  // headway is made when the mob gets away from here
  std::uint32_t idle_ticks_ = 0;
  int stuck_level_ = 0;
  Point stuck_at_;
  bool ask_from_mob_ = false;
  std::uint64_t back_off_until_tick_ = 0;
  std::vector<Cell> barred_;
  std::uint64_t barred_until_tick_ = 0;

  std::vector<std::uint64_t> held_;      // watches of the route
  std::vector<std::uint64_t> released_;  // to be told to the server
};

}  // namespace voxpath::mob
