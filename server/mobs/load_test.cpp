#include "server/mobs/load_test.hpp"

#include "server/mobs/process_usage.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace voxpath::server {

using mob::Point;
using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kTick{1000 / mob::kTicksPerSecond};
constexpr std::chrono::seconds kWindUpMax{10};  // for answers that are still due at the end
constexpr std::uint64_t kRetargetTicks = 20;    // how often a mob looks for the nearest player
constexpr double kGreedyClimbBlocks = 1.25;  // how much higher the next column may be for one who walks without a path
constexpr const char* kPlacedBlock = "minecraft:stone";

std::uint64_t us_since(std::chrono::steady_clock::time_point from) {
  const auto passed = duration_cast<microseconds>(std::chrono::steady_clock::now() - from).count();
  return passed < 0 ? 0 : static_cast<std::uint64_t>(passed);
}

double as_ms(std::uint64_t us) { return static_cast<double>(us) / 1000; }

}  // namespace

LoadTest::LoadTest(LoadEndpoint endpoint, LoadOptions options, Crowd crowd, Ground ground)
    : endpoint_(std::move(endpoint)),
      options_(std::move(options)),
      crowd_(std::move(crowd)),
      ground_(std::move(ground)),
      replan_ticks_(options_.replans_per_second > 0
                        ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(
                                                         mob::kTicksPerSecond / options_.replans_per_second)))
                        : 0),
      timer_(io_),
      at_(crowd_.mobs),
      placed_(crowd_.edits.size(), false) {
  const auto per_tick = [](double blocks_a_second) { return blocks_a_second / mob::kTicksPerSecond; };
  mobs_.reserve(at_.size());
  for (std::size_t i = 0; i < at_.size(); ++i) {
    mob::Settings s;
    s.world = endpoint_.world.world();
    s.agent.set_profile(options_.agent);
    s.speed = per_tick(options_.mob_speed);
    s.strategy = options_.strategy;
    s.seed = static_cast<std::uint64_t>(options_.seed) * 1'000'003 + i;
    s.pack_index = static_cast<std::uint32_t>(i);
    s.watch = options_.watch;
    s.expansions = static_cast<std::uint32_t>(options_.expansions);
    s.replan_every_ticks = static_cast<std::uint32_t>(replan_ticks_);
    s.replan_phase_ticks =
        replan_ticks_ == 0 ? 0 : static_cast<std::uint32_t>(mob::Random(s.seed).below(replan_ticks_));
    mobs_.push_back({.controller = mob::Controller(std::move(s))});
  }
  const auto ticks_of = [](double seconds) {
    return static_cast<std::uint64_t>(std::ceil(seconds * mob::kTicksPerSecond));
  };
  warm_up_ticks_ = ticks_of(options_.warm_up_seconds);
  ticks_ = warm_up_ticks_ + ticks_of(options_.seconds);
  report_.options = options_;
  report_.server = endpoint_.about;
  report_.fingerprint = crowd_.fingerprint;
}

LoadTest::~LoadTest() = default;

LoadTest::Clock::time_point LoadTest::time_of(std::uint64_t tick, std::int64_t slice) const {
  return start_ + kTick * static_cast<std::int64_t>(tick) +
         duration_cast<Clock::duration>(kTick) * slice / options_.slices;
}

bool LoadTest::measuring() const { return tick_ >= warm_up_ticks_; }

void LoadTest::connect() {
  for (std::int64_t n = 0; n < options_.connections; ++n) {
    client::ClientOptions options = endpoint_.client;
    options.reconnect = false;
    options.on_disconnected = [this](const v1::Error& error) {
      if (!lost_) lost_ = error;
    };
    const auto index = static_cast<std::size_t>(n);
    options.on_path_invalidated = [this, index](const v1::PathInvalidated& event) {
      auto& watches = connections_[index].mob_of_watch;
      const auto found = watches.find(event.watch());
      if (found == watches.end()) return;
      mobs_[found->second].controller.on_invalidated(event);
      watches.erase(found);
      ++report_.invalidated;
    };
    connections_.push_back({std::make_unique<client::Client>(io_.get_executor(), std::move(options)), {}});
  }
}

world::Result<LoadReport> LoadTest::run(LoadWatchers watchers) {
  watchers_ = std::move(watchers);
  connections_.reserve(static_cast<std::size_t>(options_.connections));
  connect();
  start_ = second_began_ = measured_from_ = Clock::now() + kTick;
  const auto usage = [](std::optional<pid_t> pid) { return pid ? process_usage(*pid) : std::nullopt; };
  if (const auto server = usage(endpoint_.pid)) server_cpu_before_ = server_cpu_measured_from_ = server->cpu_seconds;
  if (const auto own = process_usage(getpid())) tester_cpu_before_ = tester_cpu_measured_from_ = own->cpu_seconds;
  timer_.expires_at(start_);
  timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code) next_slice();
  });
  io_.run();
  if (lost_ && !winding_up_) {
    return world::Error{world::ErrorCode::failed_precondition,
                        fmt::format("{}: {}", endpoint_.about, lost_->message())};
  }
  return report_;
}

void LoadTest::next_slice() {
  if (lost_) {
    for (Connection& c : connections_) c.client->close();
    return;
  }
  const bool interrupted = watchers_.interrupted != nullptr && *watchers_.interrupted;
  if (tick_ >= ticks_ || interrupted) {
    report_.interrupted = tick_ < ticks_;
    return wind_up();
  }
  const Clock::time_point meant = time_of(tick_, slice_);
  second_.late_ms = std::max(second_.late_ms, as_ms(us_since(meant)));
  if (slice_ == 0) {
    if (tick_ == warm_up_ticks_) {
      measured_from_ = Clock::now();
      if (const auto server = endpoint_.pid ? process_usage(*endpoint_.pid) : std::nullopt)
        server_cpu_measured_from_ = server->cpu_seconds;
      if (const auto own = process_usage(getpid())) tester_cpu_measured_from_ = own->cpu_seconds;
    }
    move_players();
    edit(meant);
  }
  const auto count = static_cast<std::int64_t>(mobs_.size());
  tick_mobs(static_cast<std::size_t>(count * slice_ / options_.slices),
            static_cast<std::size_t>(count * (slice_ + 1) / options_.slices), meant);
  if (++slice_ == options_.slices) {
    slice_ = 0;
    ++tick_;
    if (watchers_.frame) watchers_.frame({static_cast<double>(tick_) / mob::kTicksPerSecond, &at_, &players_at_});
    if (tick_ % mob::kTicksPerSecond == 0) end_second();
  }
  timer_.expires_at(time_of(tick_, slice_));
  timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code) next_slice();
  });
}

void LoadTest::move_players() {
  players_at_.clear();
  const double walked = static_cast<double>(tick_) * options_.player_speed / mob::kTicksPerSecond;
  for (const WalkedRoute& route : crowd_.players) players_at_.push_back(route.at(walked));
}

void LoadTest::tick_mobs(std::size_t first, std::size_t last, Clock::time_point meant) {
  for (std::size_t i = first; i < last; ++i) {
    Mob& m = mobs_[i];
    if (tick_ == 0 || (tick_ + i) % kRetargetTicks == 0) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t p = 0; p < players_at_.size(); ++p) {
        const double apart = mob::flat_distance(at_[i], players_at_[p]);
        if (apart < nearest) nearest = apart, m.player = p;
      }
    }
    mob::Step step = m.controller.tick({at_[i], players_at_[m.player]});
    m.waiting = step.waiting;
    m.helpless = step.helpless;
    if (measuring()) {
      ++report_.mob_ticks;
      report_.waited_ticks += step.waiting;
      report_.arrived_ticks += step.arrived;
    }
    if (step.straight) {
      step_greedy(i, step);
    } else {
      at_[i] = step.go_to;
    }
    if (step.ask) ask(i, step, meant);
    Connection& connection = connections_[i % connections_.size()];
    for (const std::uint64_t watch : step.unwatch) {
      connection.mob_of_watch.erase(watch);
      v1::Unwatch request;
      request.set_world(endpoint_.world.world());
      request.set_watch(watch);
      connection.client->unwatch(std::move(request), [](const client::Reply<v1::UnwatchAnswer>&) {});
    }
  }
}

void LoadTest::step_greedy(std::size_t i, const mob::Step& step) {
  const mob::Cell to = mob::cell_of(step.go_to);
  const auto height = ground_ ? ground_(to.x, to.z) : std::nullopt;
  if (height && *height - at_[i].y <= kGreedyClimbBlocks) at_[i] = {step.go_to.x, *height, step.go_to.z};
}

void LoadTest::ask(std::size_t i, mob::Step& step, Clock::time_point meant) {
  if (!mobs_[i].unmet) mobs_[i].unmet = meant;
  ++in_flight_;
  ++second_.asked;
  if (measuring()) ++report_.asked;
  connections_[i % connections_.size()].client->find_path(
      *std::move(step.ask), [this, i, ticket = step.ticket, meant](const client::Reply<v1::PathAnswer>& reply) {
        on_answer(i, ticket, meant, reply);
      });
}

void LoadTest::on_answer(std::size_t i, std::uint64_t ticket, Clock::time_point meant,
                         const client::Reply<v1::PathAnswer>& reply) {
  --in_flight_;
  ++second_.answered;
  const bool counts = meant >= time_of(warm_up_ticks_, 0);
  report_.answered += counts;
  Mob& m = mobs_[i];
  if (!reply) {
    const v1::Error& error = reply.error();
    const bool rejected = error.code() == v1::Error::RESOURCE_EXHAUSTED;
    second_.rejected += rejected;
    if (counts) {
      report_.rejected += rejected;
      ++report_
            .errors[error.reason().empty() ? fmt::format("code {}", static_cast<int>(error.code())) : error.reason()];
    }
    return m.controller.on_error(ticket, error);
  }
  // One that was refused before has waited since then.
  const std::uint64_t us = us_since(m.unmet.value_or(meant));
  m.unmet.reset();
  second_latency_.record(us);
  if (counts) {
    const auto interval = kTick * static_cast<std::int64_t>(replan_ticks_);
    report_.latency.record_with_interval(us, static_cast<std::uint64_t>(duration_cast<microseconds>(interval).count()));
    count(*reply);
  }
  if (reply->watch() != 0) connections_[i % connections_.size()].mob_of_watch[reply->watch()] = i;
  m.controller.on_answer(ticket, *reply);
}

void LoadTest::count(const v1::PathAnswer& answer) {
  switch (answer.status()) {
    case v1::PathAnswer::FOUND:
      ++report_.found;
      break;
    case v1::PathAnswer::PARTIAL:
      ++report_.partial;
      break;
    case v1::PathAnswer::UNREACHABLE:
      ++report_.unreachable;
      break;
    case v1::PathAnswer::CANCELLED:
      ++report_.cancelled;
      break;
    default:
      ++report_.invalid;
      break;
  }
  report_.expansions += answer.expanded();
  report_.expansions_most = std::max<std::uint64_t>(report_.expansions_most, answer.expanded());
  report_.waypoints += static_cast<std::uint64_t>(answer.waypoints_size());
  report_.queued.record(answer.times().queued_us());
  report_.searched.record(answer.times().searched_us());
}

void LoadTest::edit(Clock::time_point meant) {
  edits_due_ += options_.edits_per_second / mob::kTicksPerSecond;
  if (crowd_.edits.empty() || edits_due_ < 1) return;
  v1::SetBlocks request;
  request.set_world(endpoint_.world.world());
  for (; edits_due_ >= 1; edits_due_ -= 1) {
    const std::size_t n = next_edit_++ % crowd_.edits.size();
    v1::BlockChange* change = request.add_changes();
    mob::write(crowd_.edits[n], change->mutable_at());
    change->set_block(placed_[n] ? "minecraft:air" : kPlacedBlock);
    placed_[n] = !placed_[n];
  }
  set_blocks(std::move(request), meant);
}

void LoadTest::set_blocks(v1::SetBlocks request, Clock::time_point meant) {
  const auto blocks = static_cast<std::uint64_t>(request.changes_size());
  ++edits_in_flight_;
  connections_.front().client->set_blocks(std::move(request),
                                          [this, blocks, meant](const client::Reply<v1::Committed>& reply) {
                                            --edits_in_flight_;
                                            if (winding_up_) return;
                                            second_.edits += blocks;
                                            if (!measuring()) return;
                                            report_.edits += blocks;
                                            if (!reply) report_.edits_refused += blocks;
                                            report_.edit_latency.record(us_since(meant));
                                          });
}

void LoadTest::end_second() {
  const Clock::time_point now = Clock::now();
  const double passed = duration<double>(now - second_began_).count();
  second_.at = duration<double>(now - start_).count();
  second_.warm_up = tick_ <= warm_up_ticks_;
  second_.p50_ms = as_ms(second_latency_.percentile_us(50));
  second_.p99_ms = as_ms(second_latency_.percentile_us(99));
  second_.max_ms = as_ms(second_latency_.max_us());
  second_.in_flight = in_flight_;
  for (const Mob& m : mobs_) second_.waiting += m.waiting;
  if (const auto server = endpoint_.pid ? process_usage(*endpoint_.pid) : std::nullopt) {
    second_.server_cores = (server->cpu_seconds - server_cpu_before_) / passed;
    second_.server_rss_mib = static_cast<double>(server->rss_bytes) / 1048576;
    server_cpu_before_ = server->cpu_seconds;
    report_.server_rss_most_bytes = std::max(report_.server_rss_most_bytes, server->rss_bytes);
  }
  if (!second_.warm_up) report_.late_most_ms = std::max(report_.late_most_ms, second_.late_ms);
  report_.timeline.push_back(second_);
  if (watchers_.second) watchers_.second(second_);
  second_ = {};
  second_latency_.clear();
  second_began_ = now;
}

/// No more questions: the answers that are due are waited for, and blocks that were put are taken away.
void LoadTest::wind_up() {
  if (!winding_up_) {
    report_.seconds = std::max(duration<double>(Clock::now() - measured_from_).count(), 0.001);
    if (const auto server = endpoint_.pid ? process_usage(*endpoint_.pid) : std::nullopt)
      report_.server_cpu_seconds = server->cpu_seconds - server_cpu_measured_from_;
    if (const auto own = process_usage(getpid()))
      report_.tester_cpu_seconds = own->cpu_seconds - tester_cpu_measured_from_;
    for (const Mob& m : mobs_) report_.helpless += m.helpless;
    winding_up_ = true;
    wind_up_until_ = Clock::now() + kWindUpMax;
    v1::SetBlocks request;
    request.set_world(endpoint_.world.world());
    for (std::size_t n = 0; n < placed_.size(); ++n) {
      if (!placed_[n]) continue;
      v1::BlockChange* change = request.add_changes();
      mob::write(crowd_.edits[n], change->mutable_at());
      change->set_block("minecraft:air");
    }
    if (request.changes_size() > 0) set_blocks(std::move(request), Clock::now());
  }
  if ((in_flight_ == 0 && edits_in_flight_ == 0) || Clock::now() > wind_up_until_ || lost_) return finish();
  timer_.expires_after(kTick);
  timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code) wind_up();
  });
}

void LoadTest::finish() {
  report_.unanswered = report_.asked - report_.answered;
  // They have waited this long at least.
  for (std::uint64_t n = 0; n < report_.unanswered; ++n)
    report_.latency.record(static_cast<std::uint64_t>(duration_cast<microseconds>(kWindUpMax).count()));
  for (Connection& c : connections_) c.client->close();
  timer_.cancel();
}

}  // namespace voxpath::server
