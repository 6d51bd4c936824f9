#include "protocol/clients/cpp/mob/controller.hpp"

#include "protocol/limits.hpp"

namespace voxpath::mob {

namespace {

constexpr double kHopBlocks = 1.5;          // a target that goes up and down by less is hopping, not going elsewhere
constexpr double kMovedMinBlocks = 1.0;     // less than this is no reason to ask again
constexpr double kMovedAtEndBlocks = 0.25;  // nor this, for a mob that stands at the end of its route
constexpr double kMovedFarBlocks = 8.0;     // as far as this ends a pause
constexpr double kArrivedHeightBlocks = 2.0;
constexpr double kFleePlayBlocks =
    0.5;                              // this much short of far enough it has arrived: waypoints are not met to the inch
constexpr double kGoodEndBlocks = 4;  // a gain that makes a partial path worth no pause
constexpr double kBetterEndBlocks = 0.5;  // by how much the end of a partial path must be nearer than what there is
constexpr double kVelocityShare = 0.2;    // of the newest tick in the target's smoothed velocity
constexpr double kLatencyShare = 0.3;     // of the newest answer in the smoothed latency
constexpr double kLatencyMarginTicks = 2;
constexpr double kLatencyMaxTicks = 40;
constexpr std::uint64_t kLostTicks = 60 * kTicksPerSecond;  // an answer that took longer does not come any more
constexpr double kHeadwayShare = 0.3;                       // of the way that the mob should have made in stuck_ticks
constexpr double kFreeBlocks = 2.0;                         // so far from where it was stuck it is not any more
constexpr std::uint64_t kBarredTicks = 20 * kTicksPerSecond;
constexpr std::size_t kBarredMax = 8;
constexpr double kOpenReachBlocks = 2.0;
constexpr double kMovedAwayBlocks = 2.0;  // from where a path begins: it is of no use there

double moved(Point from, Point to) {
  return std::hypot(to.x - from.x, to.z - from.z, std::max(0.0, std::abs(to.y - from.y) - kHopBlocks));
}

/// As the planner estimates: diagonals are shorter than two sides.
double octile_distance(Point a, Point b) {
  const double dx = std::abs(a.x - b.x), dz = std::abs(a.z - b.z);
  return std::max(dx, dz) + 0.414 * std::min(dx, dz) + std::max(0.0, std::abs(a.y - b.y) - kHopBlocks);
}

}  // namespace

Controller::Controller(Settings settings) : settings_(std::move(settings)), random_(settings_.seed) {}

Situation Controller::situation() const {
  return {.self = seen_.mob,
          .target = seen_.target,
          .velocity = velocity_,
          .speed = settings_.speed,
          .index = settings_.pack_index};
}

void Controller::look(const Observation& seen) {
  ++tick_;
  if (tick_ == 1) {
    anchor_ = seen.mob;
  } else {
    velocity_ = velocity_ * (1 - kVelocityShare) + (seen.target - seen_.target) * kVelocityShare;
  }
  seen_ = seen;
  route_.note(seen.mob, settings_.speed);
  if (stuck_level_ > 0 && flat_distance(seen.mob, stuck_at_) > kFreeBlocks) stuck_level_ = 0;
  if (tick_ >= barred_until_tick_) barred_.clear();
  if (asked_ && tick_ - asked_->tick > kLostTicks) asked_.reset();
  if (held_.size() > 1) {
    const auto ahead = route_.watches();
    std::erase_if(held_, [&](std::uint64_t watch) {
      const bool done = std::find(ahead.begin(), ahead.end(), watch) == ahead.end();
      if (done) released_.push_back(watch);
      return done;
    });
  }
}

bool Controller::arrived() const {
  const double apart = flat_distance(seen_.mob, seen_.target);
  switch (settings_.strategy) {
    case Strategy::random:
      return false;
    case Strategy::flee:
      return apart >= kFleeBlocks - kFleePlayBlocks;
    default:
      return apart <= settings_.reach && std::abs(seen_.mob.y - seen_.target.y) <= kArrivedHeightBlocks;
  }
}

bool Controller::cooled_down() const {
  return last_ticket_ == 0 || tick_ - last_asked_tick_ >= settings_.cooldown_ticks;
}

bool Controller::wants_path(Point aimed_at) const {
  if (asked_ || tick_ < back_off_until_tick_) return false;
  if (settings_.replan_every_ticks > 0)
    return (tick_ + settings_.replan_phase_ticks) % settings_.replan_every_ticks == 0;
  if (tick_ < not_before_tick_ && (moved(paused_for_, aimed_at) <= kMovedFarBlocks || !cooled_down())) return false;
  if (ask_soon_ || ask_from_mob_ || route_.broken()) return true;
  if (!cooled_down()) return false;
  if (route_.empty()) return true;
  const double left = route_.finished() ? 0 : route_.length_left(seen_.mob);
  const double far = moved(route_aim_, aimed_at);
  if (!route_complete_) {
    const bool at_end = left <= settings_.speed * (latency_ticks_ + kLatencyMarginTicks);
    return at_end || far > std::max(kMovedFarBlocks, left / 2);
  }
  if (route_.finished()) return settings_.strategy == Strategy::random || far > kMovedAtEndBlocks;
  return far > std::max(kMovedMinBlocks, left / 2);
}

Step Controller::tick(const Observation& seen) {
  look(seen);
  Step step;
  step.go_to = seen.mob;
  step.arrived = arrived();
  if (settings_.strategy == Strategy::greedy) {
    step.straight = true;
    const double apart = flat_distance(seen.mob, seen.target);
    if (!step.arrived && apart > 0) {
      const double part = std::min(1.0, settings_.speed / apart);
      step.go_to.x += (seen.target.x - seen.mob.x) * part;
      step.go_to.z += (seen.target.z - seen.mob.z) * part;
    }
    return step;
  }
  if (step.arrived) {
    set_route({});
    stuck_level_ = 0;
    idle_ticks_ = 0;
    anchor_ = seen.mob;
  } else {
    const bool wanders = settings_.strategy == Strategy::random;
    if (wants_path(wanders ? route_aim_ : aim_point(settings_.strategy, situation())))
      ask(aim_of(settings_.strategy, situation(), random_), step);
    walk(step);
    watch_headway(step);
  }
  step.helpless = stuck_level_ >= kHelpless;
  step.unwatch.swap(released_);
  return step;
}

void Controller::ask(const Aim& aim, Step& step) {
  Asked asked{.ticket = ++last_ticket_,
              .tick = tick_,
              .aimed_at = aim.at,
              .away = aim.away,
              .priced = !aim.prices.empty(),
              .splice = {}};
  v1::FindPath question;
  question.set_world(settings_.world);
  *question.mutable_agent() = settings_.agent;
  *question.mutable_goal() = aim.goal;
  for (const v1::PricedBox& box : aim.prices) *question.add_priced_boxes() = box;
  for (const Cell& cell : barred_) {
    v1::PricedBox* box = question.add_priced_boxes();
    box->set_price(-1);
    write(cell, box->mutable_box()->mutable_min());
    write(cell, box->mutable_box()->mutable_max());
    asked.priced = true;
  }
  if (!ask_from_mob_ && !route_.finished()) {
    const std::size_t at = route_.point_ahead(seen_.mob, settings_.speed * (latency_ticks_ + kLatencyMarginTicks));
    if (at != Route::kUnbroken) asked.splice = at;
  }
  if (asked.splice) {
    write(route_.point(*asked.splice).cell, question.mutable_start()->mutable_cell());
  } else {
    write(seen_.mob, question.mutable_start()->mutable_position());
  }
  question.set_expansions_max(expansions_ != 0 ? expansions_ : settings_.expansions);
  question.set_simplify(v1::FindPath::STRAIGHTS);
  question.set_watch(settings_.watch);
  ask_soon_ = ask_from_mob_ = false;
  last_asked_tick_ = tick_;
  step.ask = std::move(question);
  step.ticket = asked.ticket;
  asked_ = asked;
}

void Controller::walk(Step& step) {
  if (route_.finished() || route_.blocked()) {
    step.waiting = asked_.has_value();
    return;
  }
  const std::size_t next = route_.next();
  if (tick_ < back_off_until_tick_) {
    // To the last waypoint, or away from what is in the way.
    const Point here = seen_.mob;
    const Point back = next > 0 ? route_.point(next - 1).at : here + (here - route_.point(next).at);
    const double apart = distance(here, back);
    if (apart > 0) step.go_to = here + (back - here) * std::min(1.0, settings_.speed / apart);
    return;
  }
  step.go_to = route_.ahead(seen_.mob, settings_.speed);
  const RoutePoint& point = route_.point(next);
  step.jump = point.kind == v1::Waypoint::JUMP || point.kind == v1::Waypoint::LEAP;
  if (point.opens && flat_distance(seen_.mob, point.at) <= kOpenReachBlocks) step.open = point.cell;
}

void Controller::watch_headway(const Step& step) {
  if (step.go_to == seen_.mob) return;
  const double should = kHeadwayShare * settings_.speed * settings_.stuck_ticks;
  if (distance(seen_.mob, anchor_) > should) {
    anchor_ = seen_.mob;
    idle_ticks_ = 0;
  } else if (++idle_ticks_ >= settings_.stuck_ticks) {
    escalate();
  }
}

void Controller::escalate() {
  idle_ticks_ = 0;
  anchor_ = seen_.mob;
  if (stuck_level_ == 0) stuck_at_ = seen_.mob;
  stuck_level_ = std::min(stuck_level_ + 1, kHelpless);
  ask_from_mob_ = true;
  not_before_tick_ = 0;
  switch (stuck_level_) {
    case 2:
      if (!route_.finished() && barred_.size() < kBarredMax) barred_.push_back(route_.point(route_.next()).cell);
      barred_until_tick_ = tick_ + kBarredTicks;
      break;
    case 3:
      back_off_until_tick_ = tick_ + settings_.stuck_ticks;
      break;
    case kHelpless:
      set_route({});
      pause(settings_.pause_max_ticks);
      break;
    default:
      break;
  }
}

void Controller::pause(std::uint32_t ticks) {
  pause_ticks_ = ticks;
  not_before_tick_ = tick_ + ticks;
  paused_for_ = aim_point(settings_.strategy, situation());
}

void Controller::note_fruitless(const Asked& asked, v1::PathAnswer::Reason reason) {
  if (reason == v1::PathAnswer::BUDGET) {
    const std::uint32_t spent = expansions_ != 0            ? expansions_
                                : settings_.expansions != 0 ? settings_.expansions
                                                            : protocol::kExpansionsDefault;
    expansions_ = std::min<std::uint32_t>(spent * 2, protocol::kExpansionsMax);
  }
  pause(std::clamp(pause_ticks_ * 2, settings_.pause_first_ticks, settings_.pause_max_ticks));
  paused_for_ = asked.aimed_at;
}

void Controller::on_answer(std::uint64_t ticket, const v1::PathAnswer& answer) {
  if (!asked_ || asked_->ticket != ticket) {
    release(answer.watch());
    return;
  }
  const Asked asked = *std::exchange(asked_, std::nullopt);
  const auto took = static_cast<double>(tick_ - asked.tick);
  latency_ticks_ = std::min(kLatencyMaxTicks, latency_ticks_ * (1 - kLatencyShare) + took * kLatencyShare);
  status_ = answer.status();
  take(asked, answer);
}

void Controller::on_error(std::uint64_t ticket, const v1::Error& error) {
  if (!asked_ || asked_->ticket != ticket) return;
  asked_.reset();
  const std::uint32_t told = (error.retry_after_ms() * kTicksPerSecond + 999) / 1000;
  pause(std::max(told, std::clamp(pause_ticks_ * 2, settings_.pause_first_ticks, settings_.pause_max_ticks)));
}

void Controller::on_invalidated(const v1::PathInvalidated& event) {
  if (std::erase(held_, event.watch()) == 0) return;
  route_.mark_broken(event.watch(), event.reason() == v1::PathInvalidated::BROKEN ? event.fault().waypoint() : 0);
}

void Controller::on_disconnected() {
  held_.clear();
  released_.clear();
  asked_.reset();
}

void Controller::release(std::uint64_t watch) {
  if (watch != 0) released_.push_back(watch);
}

void Controller::set_route(Route route) {
  route_ = std::move(route);
  const auto needed = route_.watches();
  for (const std::uint64_t watch : held_) {
    if (std::find(needed.begin(), needed.end(), watch) == needed.end()) released_.push_back(watch);
  }
  held_ = needed;
}

/// By how much nearer a partial path ends than what there is already, blocks.
double Controller::gain(const Asked& asked, const Route& fresh) const {
  const bool leads_somewhere = !route_.empty() && !route_.broken();
  const Point end = leads_somewhere ? route_.last().at : seen_.mob;
  const double nearer = octile_distance(end, asked.aimed_at) - octile_distance(fresh.last().at, asked.aimed_at);
  return asked.away ? -nearer : nearer;
}

/// Of two equally good ways the one that the mob is on, so that it does not waver.
bool Controller::keeps_route(const Asked& asked, const Route& fresh, const v1::PathAnswer& answer) const {
  if (!asked.splice || route_.finished() || route_.broken() || !route_complete_) return false;
  if (!(route_.last().cell == fresh.last().cell)) return false;
  if (answer.version() == version_ && !asked.priced) return true;  // both are cheapest
  return route_.visible_cost(*asked.splice, settings_.agent) + hidden_cost_ <= answer.cost();
}

std::optional<Route> Controller::joined(const Asked& asked, Route fresh) const {
  if (asked.splice && !route_.finished()) {
    if (route_.next() <= *asked.splice) return route_.spliced(*asked.splice, fresh, 0);
    if (const auto meeting = route_.meet(fresh)) return route_.spliced(meeting->here, fresh, meeting->there);
    return std::nullopt;
  }
  if (distance(seen_.mob, fresh.point(0).at) > kMovedAwayBlocks && flat_distance(seen_.mob, fresh.point(0).at) > 1)
    return std::nullopt;
  fresh.begin(seen_.mob, settings_.width);
  return fresh;
}

void Controller::take(const Asked& asked, const v1::PathAnswer& answer) {
  const bool found = answer.status() == v1::PathAnswer::FOUND;
  // The waypoint ahead from which it asked is gone: nothing told of that where the route is not watched.
  if (answer.status() == v1::PathAnswer::START_INVALID && asked.splice) route_.mark_broken_at(*asked.splice);
  Route fresh(answer);
  const double gained = fresh.empty() ? 0 : gain(asked, fresh);
  if (fresh.empty() || (!found && gained <= kBetterEndBlocks)) {
    release(answer.watch());
    note_fruitless(asked, answer.reason());
    return;
  }
  const std::int64_t hidden = std::max<std::int64_t>(0, answer.cost() - fresh.visible_cost(0, settings_.agent));
  if (found && keeps_route(asked, fresh, answer)) {
    release(answer.watch());
    route_aim_ = asked.aimed_at;
  } else if (auto route = joined(asked, std::move(fresh))) {
    set_route(*std::move(route));
    route_complete_ = found;
    route_aim_ = asked.aimed_at;
    hidden_cost_ = hidden;
    version_ = answer.version();
  } else {
    // The mob has walked past where the new way begins. It asks again from further ahead rather than turn back.
    release(answer.watch());
    latency_ticks_ = std::min(kLatencyMaxTicks, latency_ticks_ * 2 + 1);
    ask_soon_ = true;
    return;
  }
  if (!found && gained < kGoodEndBlocks) return note_fruitless(asked, answer.reason());
  pause_ticks_ = 0;
  not_before_tick_ = 0;
  if (found) expansions_ = 0;
}

}  // namespace voxpath::mob
