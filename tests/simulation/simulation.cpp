#include "tests/simulation/simulation.hpp"

#include "server/jobs/job_answers.hpp"
#include "tests/support/fake_planner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace voxpath::test {

using protocol::Action;
using server::Job;
using server::JobEnd;
using server::JobId;
using server::JobScheduler;
using server::Reply;

namespace {

constexpr int kEvents = 800;
constexpr int kEventsToRest = 200'000;
constexpr std::int64_t kEventMaxUs = 120;
constexpr std::uint32_t kClients = 4;
constexpr std::array<std::uint32_t, 6> kSearches{1, 200, 499, 500, 3'000, 12'000};  // expansions

server::SchedulerLimits random_limits(std::mt19937_64& random) {
  constexpr std::array<std::size_t, 3> kKept{0, 2, 100};
  constexpr std::array<std::size_t, 3> kRiders{0, 2, 3};
  return {.waiting_max = 3 + random() % 30,
          .waiting_per_connection_max = 2 + random() % 20,
          .workers = static_cast<unsigned>(1 + random() % 3),
          .kept_max = kKept.at(random() % kKept.size()),
          .riders_min = kRiders.at(random() % kRiders.size())};
}

}  // namespace

Simulation::Simulation(std::uint64_t seed, bool tell)
    : random_(seed),
      tell_(tell),
      limits_(random_limits(random_)),
      cache_bytes_max_(chance(50) ? 2'000 : 0),
      cache_(cache_bytes_max_),
      scheduler_(limits_),
      workers_(limits_.workers) {
  const world::Change change = world::DropChunk{};
  (void)world_.apply({&change, 1});
  const std::uint32_t clients = 2 + below(kClients - 1);
  for (std::uint32_t i = 0; i < clients; ++i) connect();
}

// What is left is dropped before the sessions that its replies go to.
Simulation::~Simulation() {
  end(scheduler_.cancel_all());
  workers_.clear();
}

void Simulation::say(const std::string& what) {
  if (tell_) fmt::print(stderr, "{:>8} {}\n", now_us_, what);
}

void Simulation::run() {
  for (int i = 0; i < kEvents; ++i) (void)step();
  winding_down_ = true;
  if (chance(25)) {
    say("everybody goes");
    for (const auto& [id, session] : sessions_) drop(*session);
  }
  int left = kEventsToRest;
  while (step()) require(--left > 0, "it does not come to rest");
  check_rest();
}

/// One of the things that can happen now; whether there was any.
bool Simulation::step() {
  std::vector<std::pair<std::uint32_t, Event>> possible;  // with weights
  for (const auto& [id, owner] : sessions_) {
    Session& s = *owner;
    if (!s.strand.empty()) {
      possible.emplace_back(20, [&s] {
        const Event event = std::move(s.strand.front());
        s.strand.pop_front();
        event();
      });
    }
    if (s.gone) continue;
    if (const std::size_t bytes = s.client->bytes_to_server(); bytes > 0) {
      possible.emplace_back(20, [this, &s, bytes] {
        s.client->deliver_to_server(chance(70) ? bytes : 1 + below(static_cast<std::uint32_t>(bytes)), now_us_);
        carry_out(s);
      });
    }
    if (const std::size_t bytes = s.client->bytes_to_client(); bytes > 0) {
      possible.emplace_back(10, [this, &s, bytes] {
        s.client->deliver_to_client(chance(70) ? bytes : 1 + below(static_cast<std::uint32_t>(bytes)), now_us_);
        carry_out(s);
      });
    }
    if (winding_down_) continue;
    if (const auto due = s.client->due_us(); due <= now_us_) {
      possible.emplace_back(10, [this, &s] {
        s.client->tick(now_us_);
        carry_out(s);
      });
    }
    possible.emplace_back(15, [this, &s] { ask(s); });
    if (chance(3)) possible.emplace_back(4, [this, &s] { drop(s); });
  }
  if (!world_strand_.empty()) {
    possible.emplace_back(40, [this] {
      const Event event = std::move(world_strand_.front());
      world_strand_.pop_front();
      event();
    });
  }
  for (Worker& worker : workers_) {
    if (worker.run != nullptr || scheduler_.anything_waits()) {
      possible.emplace_back(60, [this, &worker] { work(worker); });
    }
  }
  std::uint32_t sum = 0;
  for (const auto& [weight, event] : possible) sum += weight;
  if (sum == 0) return false;
  std::uint32_t chosen = below(sum);
  now_us_ += below(kEventMaxUs);
  for (const auto& [weight, event] : possible) {
    if (chosen < weight) {
      event();
      break;
    }
    chosen -= weight;
  }
  ++counts_.events;
  check();
  return true;
}

void Simulation::connect() {
  protocol::ConnectionLimits limits;
  limits.in_flight_max = 2 + below(20);
  limits.outbound_pause_bytes = 200 + below(400);
  limits.outbound_max_bytes = 2'000;
  limits.unread_timeout_ms = 2 + below(15);
  limits.unread_full_timeout_ms = 1;
  constexpr std::array<std::uint32_t, 4> kWeights{1, 1, 2, 5};
  auto session = std::make_unique<Session>();
  session->client =
      std::make_unique<SimulatedClient>(++last_session_, kWeights.at(below(kWeights.size())), limits, now_us_);
  say(fmt::format("client {} connects, weight {}", last_session_, session->client->weight));
  sessions_.emplace(last_session_, std::move(session));
}

v1::ClientFrame Simulation::random_request(SimulatedClient& client) {
  v1::ClientFrame frame;
  const std::uint32_t kind = below(100);
  if (kind < 10) {
    frame.mutable_drop_chunk()->set_world("w");
  } else if (kind < 20) {
    frame.mutable_cancel()->set_request_id(std::max(1u, client.unanswered()));
  } else if (kind < 25) {
    frame.mutable_ping();
  } else if (kind < 32) {
    v1::ValidatePath& request = *frame.mutable_validate_path();
    request.set_world("w");
    v1::Waypoint& waypoint = *request.add_waypoints();
    waypoint.mutable_cell();
    waypoint.set_kind(v1::Waypoint::START);
    waypoint.set_medium(v1::Waypoint::GROUND);
  } else if (kind < 40) {
    v1::FindPaths& request = *frame.mutable_find_paths();
    request.set_world("w");
    for (std::uint32_t i = 0; i <= below(4); ++i) {
      request.add_starts()->mutable_cell()->set_x(static_cast<std::int32_t>(below(3)));
    }
    request.mutable_goal()->mutable_cell();
    request.set_expansions_max(kSearches.at(below(kSearches.size())));
    if (chance(30)) request.set_deadline_ms(1 + below(20));
    if (chance(40)) request.set_horde(1 + below(3));
  } else {
    v1::FindPath& request = *frame.mutable_find_path();
    request.set_world("w");
    request.mutable_start()->mutable_cell()->set_x(static_cast<std::int32_t>(below(3)));
    request.mutable_goal()->mutable_cell();
    request.set_expansions_max(kSearches.at(below(kSearches.size())));
    if (chance(30)) request.set_deadline_ms(1 + below(20));
    if (chance(30)) request.set_priority(static_cast<std::int32_t>(below(3)) - 1);
    if (chance(40)) request.set_mob(1 + below(3));
  }
  return frame;
}

void Simulation::ask(Session& session) {
  for (std::uint32_t i = 0; i <= below(4); ++i) (void)session.client->ask(random_request(*session.client), now_us_);
}

void Simulation::drop(Session& session) {
  if (session.gone) return;
  say(fmt::format("client {} goes", session.client->id));
  ++counts_.dropped;
  session.client->drop();
  carry_out(session);
}

/// What a session does with its connection's actions.
void Simulation::carry_out(Session& session) {
  for (Action& action : session.client->take_actions()) {
    if (auto* request = std::get_if<protocol::Submit>(&action)) {
      submit(session, std::shared_ptr<v1::ClientFrame>(std::move(request->frame)));
    } else if (const auto* given_up = std::get_if<protocol::CancelRequest>(&action)) {
      world_strand_.emplace_back([this, id = session.newest_job[given_up->id]] { cancel(id); });
    } else if (const auto* working = std::get_if<protocol::SetWorking>(&action)) {
      ++counts_.held;
      session.held = !working->on;
      scheduler_.hold(session.client->id, session.held);
    } else if (const auto* close = std::get_if<protocol::Close>(&action)) {
      if (close->why.kind == protocol::ErrorKind::slow_consumer) ++counts_.too_slow;
      session.gone = true;
      for (const auto& [id, tracked] : tracked_) {
        if (id.connection == session.client->id && !tracked.answered) expect_end(id);
      }
      end(scheduler_.cancel_connection(session.client->id));
      if (!winding_down_) connect();
    }
  }
}

Reply Simulation::reply_for(Session& session, std::uint32_t id) {
  session.newest_job[id] = {session.client->id, id, ++session.jobs};
  return {id, [this, &session, job = session.newest_job[id]](v1::ServerFrame frame) {
            if (const auto found = tracked_.find(job); found != tracked_.end()) {
              Tracked& tracked = found->second;
              require(!std::exchange(tracked.answered, true), "a job is answered twice");
              require(!tracked.must_end || frame.path().status() != v1::PathAnswer::FOUND,
                      fmt::format("job {}:{} was ended while it waited, and searched all the same", job.connection,
                                  job.request));
              if (frame.path().reason() == v1::PathAnswer::SUPERSEDED) ++counts_.superseded;
              if (frame.error().code() == v1::Error::RESOURCE_EXHAUSTED) ++counts_.refused;
            }
            session.strand.emplace_back([this, &session, answer = std::move(frame)] {
              session.client->answer(answer, now_us_);
              carry_out(session);
            });
          }};
}

/// What the router does: everything for a world by way of its strand.
void Simulation::submit(Session& session, const std::shared_ptr<v1::ClientFrame>& frame) {
  auto reply = std::make_shared<Reply>(reply_for(session, frame->id()));
  world_strand_.emplace_back([this, &session, frame, reply] {
    if (frame->has_drop_chunk()) {
      const world::Change change = world::DropChunk{};
      v1::ServerFrame done;
      done.mutable_committed()->set_version(world_.apply({&change, 1})->version);
      return reply->answer(std::move(done));
    }
    submit_job(session, frame, std::move(*reply));
  });
}

void Simulation::submit_job(Session& session, const std::shared_ptr<v1::ClientFrame>& frame, Reply reply) {
  Job job;
  job.id = session.newest_job[frame->id()];
  job.share.weight = session.client->weight;
  job.arrived_us = now_us_;
  job.world = "w";
  if (frame->has_find_path()) {
    v1::FindPath path = frame->find_path();
    job.priority = path.priority();
    job.mob = path.mob();
    if (path.deadline_ms() > 0) job.deadline_us = now_us_ + std::int64_t{path.deadline_ms()} * 1'000;
    job.group = server::group_key(path);
    job.task.request = std::move(path);
  } else if (frame->has_find_paths()) {
    const v1::FindPaths& paths = frame->find_paths();
    job.mob = paths.horde();
    if (paths.deadline_ms() > 0) job.deadline_us = now_us_ + std::int64_t{paths.deadline_ms()} * 1'000;
    job.task.request = server::horde_of(paths);
  } else {
    job.task.request = frame->validate_path();
  }
  job.task.newest = [this] { return world_.snapshot(); };
  job.task.reply = std::move(reply);
  if (session.gone) return server::answer({std::move(job), JobScheduler::Ended::Why::cancelled, 0, 0});
  const JobId id = job.id;
  const std::uint64_t mob = job.mob;
  say(fmt::format("job {}:{} mob {}", id.connection, id.request, mob));
  ++counts_.jobs;
  tracked_.emplace(id, Tracked{.mob = mob});
  auto ended = scheduler_.submit(std::move(job), now_us_);
  const bool refused = std::any_of(ended.begin(), ended.end(), [&](const auto& e) { return e.job.id == id; });
  if (mob != 0 && !refused) {
    for (const auto& [other, tracked] : tracked_) {
      if (other.connection == id.connection && other != id && tracked.mob == mob && !tracked.answered)
        expect_end(other);
    }
  }
  end(std::move(ended));
}

void Simulation::cancel(JobId id) {
  const auto tracked = tracked_.find(id);
  if (tracked != tracked_.end() && !tracked->second.answered) expect_end(id);
  JobScheduler::EndedJobs ended;
  (void)scheduler_.cancel(id, ended);
  end(std::move(ended));
}

/// From now on no worker may begin with it, and one that has it only makes the step that it is at.
void Simulation::expect_end(JobId id) {
  Tracked& tracked = tracked_.at(id);
  tracked.stopped = true;
  if (!worker_has(id)) tracked.must_end = true;
}

void Simulation::end(JobScheduler::EndedJobs ended) {
  for (JobScheduler::Ended& job : ended) {
    say(fmt::format("job {}:{} ends unsearched, {}", job.job.id.connection, job.job.id.request,
                    static_cast<int>(job.why)));
    server::answer(std::move(job));
  }
}

bool Simulation::worker_has(JobId id) const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [&](const Worker& w) { return w.run != nullptr && w.run->job.id == id; });
}

void Simulation::work(Worker& worker) {
  if (worker.run == nullptr) return take(worker);
  if (const auto tracked = tracked_.find(worker.run->job.id); tracked != tracked_.end() && tracked->second.stopped)
    require(++tracked->second.steps_after_stop <= 1, "a job is searched after its end was asked for");
  if (worker.slice->step()) finish(worker);
}

void Simulation::take(Worker& worker) {
  JobScheduler::EndedJobs ended;
  JobScheduler::Run* run = scheduler_.take(now_us_, ended);
  const bool expired = !ended.empty();
  end(std::move(ended));
  require(run != nullptr || expired, "a worker found nothing, though jobs wait");
  if (run == nullptr) return;
  require(!worker_has(run->job.id), "two workers have one job");
  if (!run->planner) {
    if (idle_.empty()) {
      idle_.push_back(std::make_unique<FakePlanner>(planners_clock_));
      ++planners_;
    }
    run->planner = std::move(idle_.back());
    idle_.pop_back();
  }
  say(fmt::format("job {}:{} has a slice", run->job.id.connection, run->job.id.request));
  worker.run = run;
  worker.slice = std::make_unique<server::SearchSlice>(*run, cache_, clock_);
  ++counts_.slices;
}

void Simulation::finish(Worker& worker) {
  JobScheduler::Run& run = *std::exchange(worker.run, nullptr);
  const std::unique_ptr<server::SearchSlice> slice = std::move(worker.slice);
  const std::int64_t spent_us = slice->spent_us();
  const bool had_riders = !run.riders.empty();
  for (const auto& [connection, us] : JobScheduler::shares(run, spent_us)) served_us_[connection] += us;
  longest_slice_us_ = std::max(longest_slice_us_, spent_us);
  say(fmt::format("job {}:{} had {} us, {}", run.job.id.connection, run.job.id.request, spent_us,
                  slice->over() ? "and is over" : "and goes on"));
  land(run, *slice, spent_us);
  if (!slice->over()) {
    const auto tracked = tracked_.find(run.job.id);
    require(had_riders || !tracked->second.must_end, "a job that was ended while it waited is given back");
    if (auto planner = scheduler_.give_back(run, spent_us)) put_away(std::move(planner));
    return;
  }
  const std::unique_ptr<JobScheduler::Run> done = scheduler_.finish(run, spent_us);
  put_away(std::move(done->planner));
  if (had_riders) return;
  auto result = slice->take_result();
  if (result.refused) return done->job.task.reply.refuse(*result.refused);
  done->job.task.reply.answer(std::move(result.frame));
}

void Simulation::land(JobScheduler::Run& run, server::SearchSlice& slice, std::int64_t spent_us) {
  for (JobScheduler::Landed& one : scheduler_.land(run, slice.take_answers(), spent_us)) {
    const auto& tracked = tracked_.at(one.run->job.id);
    require(!tracked.stopped, "a rider that was ended has an answer of the horde's search");
    say(fmt::format("job {}:{} lands", one.run->job.id.connection, one.run->job.id.request));
    ++counts_.landed;
    one.run->job.task.reply.answer(server::result_of(one, now_us_).frame);
  }
}

void Simulation::put_away(std::unique_ptr<server::Planner> planner) {
  planner->reset();
  idle_.push_back(std::move(planner));
}

void Simulation::check() {
  require(scheduler_.waiting() <= limits_.waiting_max + limits_.workers, "more jobs wait than may");
  require(scheduler_.places_held() <= limits_.workers + limits_.kept_max, "more searches are begun than may be");
  require(planners_ <= 2 * limits_.workers + limits_.kept_max, "more planners than there may be");
  require(cache_.counts().bytes <= cache_bytes_max_, "more answers are kept than may be");
  for (const auto& [id, session] : sessions_) {
    if (session->gone) continue;
    session->client->check_limits();
    require(scheduler_.waiting(id) <= limits_.waiting_per_connection_max + limits_.workers,
            "more jobs of a connection wait than may");
  }
  check_fairness();
}

/// While two connections have jobs waiting, the time that they get for their weights differs by the slices that are under
/// way at most. Not where searches are set back: those wait for a place, and not for their turn.
void Simulation::check_fairness() {
  if (scheduler_.set_back_count() > 0) return;
  for (const auto& [a, first] : sessions_) {
    for (const auto& [b, second] : sessions_) {
      if (a >= b) continue;
      if (scheduler_.waiting(a) == 0 || scheduler_.waiting(b) == 0 || first->held || second->held) {
        both_waiting_since_.erase({a, b});
        continue;
      }
      const auto since = both_waiting_since_.try_emplace({a, b}, served_us_[a], served_us_[b]).first->second;
      const double of_a = 1.0 / first->client->weight;
      const double of_b = 1.0 / second->client->weight;
      const double difference = static_cast<double>(served_us_[a] - since.first) * of_a -
                                static_cast<double>(served_us_[b] - since.second) * of_b;
      const double slices = static_cast<double>(longest_slice_us_) * (limits_.workers + 1) * (of_a + of_b);
      // Riders are charged when the turn is over, for all workers that have some of theirs aboard.
      const std::int64_t ahead_us = server::kRideAheadUs + longest_slice_us_ * limits_.workers;
      const double riding = limits_.riders_min == 0 ? 0 : static_cast<double>(ahead_us) * (of_a + of_b);
      const double allowed = slices + riding;
      require(std::abs(difference) <= allowed,
              fmt::format("connections {} and {}: {:.0f} us apart for their weights, {:.0f} allowed", a, b, difference,
                          allowed));
      ++counts_.fairness_checks;
    }
  }
}

void Simulation::check_rest() {
  for (const auto& [id, tracked] : tracked_) {
    require(tracked.answered, fmt::format("job {}:{} was never answered", id.connection, id.request));
  }
  for (const auto& [id, session] : sessions_) {
    require(session->gone || session->client->unanswered_count() == 0,
            fmt::format("client {} still waits for answers", id));
  }
  require(scheduler_.waiting() + scheduler_.running() + scheduler_.places_held() == 0, "jobs are left at rest");
  require(idle_.size() == planners_, "planners are lost");
  for (const auto& planner : idle_) {
    require(dynamic_cast<FakePlanner&>(*planner).idle(), "an idle planner holds on to a world");
  }
  counts_.set_back = scheduler_.set_back_count();
  counts_.kept = cache_.counts().hits;
}

}  // namespace voxpath::test
