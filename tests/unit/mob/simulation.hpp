// Simulation: a world with mobs in it, a service that answers them some ticks later, and bodies that bump into blocks; no sockets, no clock.
// Thread-safety: one thread.
// Usage: Simulation sim(builder, latency); Actor& zombie = sim.add(settings, {0.5, 1, 0.5}); sim.run(100, [&] { zombie.target = ...; });
// Invariant: bodies obey blocks, not routes: one that is led through a wall is counted in `bumps`.
#pragma once

#include "protocol/clients/cpp/mob/controller.hpp"
#include "server/search_planner.hpp"
#include "tests/support/world_builder.hpp"

#include <functional>
#include <list>
#include <vector>

namespace voxpath::test {

struct Actor {
  mob::Controller controller;
  mob::Point at;
  mob::Point target;
  mob::Step step = {};
  double width = 0.6, height = 1.95;
  int asks = 0, bumps = 0, waited = 0;
  std::vector<std::uint64_t> ask_ticks = {};
  std::vector<v1::FindPath> questions = {};
  std::vector<v1::PathAnswer> answers = {};
  std::vector<mob::Cell> cells = {};        // that it was in, one after another
  std::vector<std::uint64_t> watches = {};  // given and not released
};

class Simulation {
 public:
  Simulation(WorldBuilder& world, std::uint64_t latency_ticks);

  Actor& add(mob::Settings settings, mob::Point at, mob::Point target);
  /// `before` each tick: targets move, blocks change.
  void run(int ticks, const std::function<void()>& before = {});
  /// Whether it arrived within so many ticks.
  bool arrives(Actor& actor, int ticks, const std::function<void()>& before = {});
  void set(world::BlockPos pos, world::StateId state);
  [[nodiscard]] std::uint64_t tick() const { return tick_; }

  /// A place that bodies cannot enter though the service takes it for free.
  std::function<bool(mob::Point)> ghost;
  /// Errors in place of the next answers.
  std::vector<v1::Error> errors;

 private:
  struct Pending {
    std::uint64_t due;
    Actor* actor;
    std::uint64_t ticket;
    v1::FindPath question;
  };
  struct Watched {
    std::uint64_t number;
    Actor* actor;
    v1::ValidatePath path;
  };

  void answer(const Pending& pending);
  void check_watches();
  void move(Actor& actor);
  [[nodiscard]] bool free(const Actor& actor, mob::Point at) const;
  [[nodiscard]] bool overlaps(const Actor& actor, mob::Point at) const;

  WorldBuilder& world_;
  std::uint64_t latency_ticks_;
  std::uint64_t tick_ = 0;
  std::uint64_t last_watch_ = 0;
  server::SearchPlanner planner_;
  std::list<Actor> actors_;
  std::vector<Pending> pending_;
  std::vector<Watched> watched_;
};

/// A stone floor, 0..size-1, at y = 0: mobs stand at y = 1.
void floor_of(WorldBuilder& world, int size);

/// Settings of a zombie in a simulation, which is faster than the game's so that tests are short.
mob::Settings zombie(mob::Strategy strategy = mob::Strategy::path);

}  // namespace voxpath::test
