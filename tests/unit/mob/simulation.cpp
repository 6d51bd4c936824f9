#include "tests/unit/mob/simulation.hpp"

#include <cmath>
#include <stdexcept>

namespace voxpath::test {

using mob::Point;

namespace {

constexpr double kStepBlocks = 0.6, kJumpBlocks = 1.25, kFallBlocks = 0.5;  // what bodies manage, the last a tick

}  // namespace

Simulation::Simulation(WorldBuilder& world, std::uint64_t latency_ticks)
    : world_(world), latency_ticks_(latency_ticks), planner_(std::make_shared<server::ProfileBook>()) {}

Actor& Simulation::add(mob::Settings settings, Point at, Point target) {
  return actors_.emplace_back(Actor{.controller = mob::Controller(std::move(settings)), .at = at, .target = target});
}

void Simulation::set(world::BlockPos pos, world::StateId state) {
  world_.set(pos, state);
  check_watches();
}

void Simulation::check_watches() {
  std::vector<Watched> whole;
  for (Watched& watched : watched_) {
    v1::PathVerdict verdict;
    if (planner_.begin_check(world_.snapshot(), watched.path)) throw std::runtime_error("the check was refused");
    while (!planner_.advance_check(1'000'000)) {
    }
    planner_.end_check(&verdict);
    if (verdict.status() == v1::PathVerdict::VALID) {
      whole.push_back(std::move(watched));
      continue;
    }
    v1::PathInvalidated event;
    event.set_watch(watched.number);
    event.set_reason(v1::PathInvalidated::BROKEN);
    *event.mutable_fault() = verdict.fault();
    std::erase(watched.actor->watches, watched.number);
    watched.actor->controller.on_invalidated(event);
  }
  watched_ = std::move(whole);
}

void Simulation::answer(const Pending& pending) {
  Actor& actor = *pending.actor;
  if (!errors.empty()) {
    const v1::Error error = errors.front();
    errors.erase(errors.begin());
    return actor.controller.on_error(pending.ticket, error);
  }
  if (auto refused = planner_.begin(world_.snapshot(), pending.question)) throw std::runtime_error(refused->message);
  while (!planner_.advance(1'000'000)) {
  }
  v1::PathAnswer answer;
  planner_.write(&answer, nullptr);
  const bool watchable = answer.status() == v1::PathAnswer::FOUND || answer.status() == v1::PathAnswer::PARTIAL;
  if (pending.question.watch() && watchable) {
    answer.set_watch(++last_watch_);
    Watched watched{.number = last_watch_, .actor = &actor, .path = {}};
    *watched.path.mutable_agent() = pending.question.agent();
    *watched.path.mutable_waypoints() = answer.waypoints();
    watched_.push_back(std::move(watched));
    actor.watches.push_back(last_watch_);
  }
  actor.answers.push_back(answer);
  actor.controller.on_answer(pending.ticket, answer);
}

bool Simulation::overlaps(const Actor& actor, Point at) const {
  const double half = actor.width / 2 - 1e-6;
  const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
  const auto snapshot = world_.snapshot();
  for (std::int32_t x = cell(at.x - half); x <= cell(at.x + half); ++x) {
    for (std::int32_t z = cell(at.z - half); z <= cell(at.z + half); ++z) {
      for (std::int32_t y = cell(at.y) - 1; y <= cell(at.y + actor.height); ++y) {
        const auto* block = snapshot->block({x, y, z});
        if (block == nullptr) return true;
        const double bottom = y + block->traits.bottom / 16.0, top = y + block->traits.top / 16.0;
        if (top > bottom && top > at.y + 1e-6 && bottom < at.y + actor.height - 1e-6) return true;
      }
    }
  }
  return false;
}

bool Simulation::free(const Actor& actor, Point at) const { return !overlaps(actor, at) && !(ghost && ghost(at)); }

void Simulation::move(Actor& actor) {
  const Point to = actor.step.go_to;
  Point there = {to.x, actor.at.y, to.z};
  const double lift = actor.step.jump || actor.step.straight ? kJumpBlocks : kStepBlocks;
  bool moved = there == actor.at;
  for (double up = 0; !moved && up <= lift; up += 1.0 / 16) {
    if (!free(actor, {there.x, actor.at.y + up, there.z})) continue;
    actor.at = {there.x, actor.at.y + up, there.z};
    moved = true;
  }
  if (!moved) ++actor.bumps;
  for (double fallen = 0; fallen < kFallBlocks; fallen += 1.0 / 16) {
    if (overlaps(actor, {actor.at.x, actor.at.y - 1.0 / 16, actor.at.z})) break;
    actor.at.y -= 1.0 / 16;
  }
}

void Simulation::run(int ticks, const std::function<void()>& before) {
  for (int i = 0; i < ticks; ++i) {
    if (before) before();
    std::vector<Pending> later;
    std::vector<Pending> now;
    for (Pending& p : pending_) (p.due <= tick_ ? now : later).push_back(std::move(p));
    pending_ = std::move(later);
    for (const Pending& p : now) answer(p);
    for (Actor& actor : actors_) {
      actor.step = actor.controller.tick({actor.at, actor.target});
      for (const std::uint64_t watch : actor.step.unwatch) {
        if (std::erase(actor.watches, watch) != 1) throw std::runtime_error("a watch was released that is not held");
        std::erase_if(watched_, [&](const Watched& w) { return w.number == watch; });
      }
      actor.waited += actor.step.waiting;
      if (actor.step.ask) {
        ++actor.asks;
        actor.ask_ticks.push_back(tick_);
        actor.questions.push_back(*actor.step.ask);
        pending_.push_back({tick_ + latency_ticks_, &actor, actor.step.ticket, *actor.step.ask});
      }
      move(actor);
      const mob::Cell cell = mob::cell_of(actor.at);
      if (actor.cells.empty() || !(actor.cells.back() == cell)) actor.cells.push_back(cell);
    }
    ++tick_;
  }
}

bool Simulation::arrives(Actor& actor, int ticks, const std::function<void()>& before) {
  for (int i = 0; i < ticks && !actor.step.arrived; ++i) run(1, before);
  return actor.step.arrived;
}

void floor_of(WorldBuilder& world, int size) { world.fill({0, 0, 0}, {size - 1, 0, size - 1}, world.stone()); }

mob::Settings zombie(mob::Strategy strategy) {
  mob::Settings settings;
  settings.world = "w";
  settings.agent.set_profile("zombie");
  settings.speed = 0.2;
  settings.strategy = strategy;
  return settings;
}

}  // namespace voxpath::test
