// voxpath_server_bench: what the daemon costs over loopback: [wire | turns | writer | horde]..., all without arguments.
#include "tests/bench/server/echo_server.hpp"
#include "tests/bench/server/link.hpp"
#include "tests/end_to_end/daemon_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace voxpath::bench {
namespace {

using std::chrono::steady_clock;
using test::RunningDaemon;

constexpr int kRounds = 7;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

v1::ClientFrame short_path(std::uint32_t) {
  v1::ClientFrame frame;
  *frame.mutable_find_path() = test::flat_path(0, 5);
  return frame;
}

struct Sums {
  std::vector<double> per_second, p50_us, p99_us;
  void add(const Times& times) {
    per_second.push_back(times.per_second());
    p50_us.push_back(times.at(0.5));
    p99_us.push_back(times.at(0.99));
  }
  void print(std::string_view name) const {
    fmt::print("  {:<34} {:>9.0f} {:>9.1f} {:>9.1f}\n", name, median(per_second), median(p50_us), median(p99_us));
  }
};

/// voxpathd beside an echo of frames of the same sizes, by turns, so that both have the same weather.
void wire() {
  server::Config searching = test::test_config();
  searching.workers = 1;
  searching.answers_kept_max_mib = 0;
  server::Config keeping = searching;
  keeping.answers_kept_max_mib = 32;
  RunningDaemon fresh(searching);
  RunningDaemon kept(keeping);
  std::size_t request_bytes = 0;
  std::size_t answer_bytes = 0;
  Link to_fresh(fresh.port());
  Link to_kept(kept.port());
  (void)to_fresh.run(100, 1, short_path, [&](const std::string& answer) { answer_bytes = answer.size(); });
  request_bytes = short_path(1).ByteSizeLong();
  EchoServer echo(answer_bytes);
  Link to_echo(echo.port(), false);
  EchoServer single(answer_bytes, EchoServer::Write::one_answer);
  Link to_single(single.port(), false);
  fmt::print("wire: a path of five blocks, requests of {} bytes, answers of {}, one worker; medians of {} rounds\n",
             request_bytes, answer_bytes, kRounds);
  for (const std::uint32_t in_flight : {1u, 64u}) {
    const std::uint32_t count = in_flight == 1 ? 5'000 : 40'000;
    Sums echoed, singly, searched, repeated;
    for (int round = 0; round < kRounds; ++round) {
      echoed.add(to_echo.run(count, in_flight, short_path));
      singly.add(to_single.run(count, in_flight, short_path));
      searched.add(to_fresh.run(count, in_flight, short_path));
      repeated.add(to_kept.run(count, in_flight, short_path));
    }
    fmt::print("  {:<34} {:>9} {:>9} {:>9}\n", fmt::format("{} in flight", in_flight), "req/s", "p50 us", "p99 us");
    echoed.print("echo");
    singly.print("echo, a write for each answer");
    searched.print("voxpathd, each searched");
    repeated.print("voxpathd, answers kept");
    for (const auto& [name, echo_times] : {std::pair("the echo's", &echoed), {"that with a write for each", &singly}}) {
      fmt::print("  searched: {:.0f} % of {} requests/s, p50 {:.2f} times\n",
                 100 * median(searched.per_second) / median(echo_times->per_second), name,
                 median(searched.p50_us) / median(echo_times->p50_us));
    }
  }
}

/// Walls across the flat world, with a gap at either end by turns: from corner to corner it is a thousand blocks.
v1::ClientFrame walls() {
  v1::ClientFrame frame;
  v1::SetBlocks& request = *frame.mutable_set_blocks();
  request.set_world("flat");
  for (const std::int32_t z : {-64, 0, 64}) {
    v1::BlockChange& wall = *request.add_changes();
    const bool gap_in_the_east = z != 0;
    wall.mutable_box()->mutable_min()->set_x(gap_in_the_east ? -128 : -124);
    wall.mutable_box()->mutable_max()->set_x(gap_in_the_east ? 123 : 127);
    for (auto* corner : {wall.mutable_box()->mutable_min(), wall.mutable_box()->mutable_max()}) corner->set_z(z);
    wall.mutable_box()->mutable_min()->set_y(64);
    wall.mutable_box()->mutable_max()->set_y(66);
    wall.set_block("stone");
  }
  return frame;
}

v1::ClientFrame between(std::int32_t from_x, std::int32_t from_z, std::int32_t to_x, std::int32_t to_z) {
  v1::ClientFrame frame;
  v1::FindPath& request = *frame.mutable_find_path();
  request = test::flat_path(from_x, to_x);
  request.mutable_start()->mutable_cell()->set_z(from_z);
  request.mutable_goal()->mutable_cell()->set_z(to_z);
  request.set_expansions_max(1'000'000);
  return frame;
}

/// One worker: a request for some ten blocks behind others for a thousand.
void turns() {
  server::Config config = test::test_config();
  config.workers = 1;
  config.answers_kept_max_mib = 0;
  RunningDaemon daemon(config);
  const auto short_one = [](std::uint32_t) { return between(100, 100, 110, 100); };
  const auto long_one = [](std::uint32_t) { return between(-120, -120, -120, 120); };
  Link link(daemon.port());
  (void)link.run(1, 1, [](std::uint32_t) { return walls(); });
  v1::ServerFrame answer;
  const auto see = [&](const std::string& bytes) { (void)answer.ParseFromString(bytes); };
  (void)link.run(1, 1, long_one, see);  // works out the moves of all of it
  const Times alone_long = link.run(30, 1, long_one, see);
  fmt::print(
      "turns: one worker, flat land of 256 x 256 with three walls\n  long: {} moves, {} expansions, p50 {:.1f} ms\n",
      answer.path().moves(), answer.path().expanded(), alone_long.at(0.5) / 1'000);
  (void)link.run(1, 1, short_one, see);
  fmt::print("  short: {} moves, {} expansions\n", answer.path().moves(), answer.path().expanded());
  const auto print = [](std::string_view name, const Times& t) {
    fmt::print("  {:<46} p50 {:>6.2f}  p99 {:>6.2f}  max {:>6.2f} ms\n", name, t.at(0.5) / 1'000, t.at(0.99) / 1'000,
               t.at(1) / 1'000);
  };
  print("short alone", link.run(2'000, 1, short_one));
  for (const std::uint32_t others : {1u, 8u, 64u}) {
    std::atomic<bool> enough = false;
    Link busy(daemon.port());
    std::thread load([&] {
      while (!enough) (void)busy.run(2 * others, others, long_one);
    });
    while (daemon->info().jobs_running() + daemon->info().jobs_queued() == 0) std::this_thread::yield();
    print(fmt::format("short beside {} long of another connection", others), link.run(1'000, 1, short_one));
    enough = true;
    load.join();
  }
  // On the same connection: one in eight requests is a short one, and all are out at once.
  const auto mixed = [&](std::uint32_t i) { return i % 8 == 0 ? short_one(i) : long_one(i); };
  std::vector<double> shorts;
  std::vector<double> waits;
  (void)link.run(128, 8, mixed, [&](const std::string& bytes) {
    if (!answer.ParseFromString(bytes) || answer.path().moves() > 100) return;
    shorts.push_back(static_cast<double>(answer.path().times().queued_us()) / 1'000);
  });
  std::sort(shorts.begin(), shorts.end());
  if (!shorts.empty()) {
    fmt::print("  {:<46} p50 {:>6.2f}  max {:>6.2f} ms waited\n", "short among 7 long of its own connection",
               shorts[shorts.size() / 2], shorts.back());
  }
}

/// So many block changes a second, in batches, until told to stop. Returns how many were acknowledged a second.
double write_edits(std::uint16_t port, std::uint32_t per_second, const std::atomic<bool>& enough) {
  constexpr std::uint32_t kBatch = 1'000;
  Link link(port);
  const auto begin = steady_clock::now();
  std::uint64_t edits = 0;
  std::uint32_t step = 0;
  while (!enough) {
    (void)link.run(1, 1, [&](std::uint32_t) {
      v1::ClientFrame frame;
      v1::SetBlocks& request = *frame.mutable_set_blocks();
      request.set_world("flat");
      for (std::uint32_t i = 0; i < kBatch; ++i) {
        const std::uint32_t n = step * kBatch + i;
        v1::BlockChange& change = *request.add_changes();
        change.mutable_at()->set_x(static_cast<std::int32_t>(n * 7 % 64) - 32);
        change.mutable_at()->set_y(64 + static_cast<std::int32_t>(n % 2));
        change.mutable_at()->set_z(static_cast<std::int32_t>(n * 13 % 64) - 32);
        change.set_block(n % 16 == 0 ? "stone" : "air");
      }
      return frame;
    });
    ++step;
    edits += kBatch;
    if (per_second > 0)
      std::this_thread::sleep_until(begin + std::chrono::microseconds(edits * 1'000'000 / per_second));
  }
  return static_cast<double>(edits) / std::chrono::duration<double>(steady_clock::now() - begin).count();
}

/// Eight connections that search in what a writer changes.
void writer() {
  constexpr std::uint32_t kSearchers = 8;
  constexpr std::uint32_t kSearches = 1'500;
  server::Config config = test::test_config();
  config.workers = 2;
  config.answers_kept_max_mib = 0;
  RunningDaemon daemon(config);
  fmt::print("writer: {} connections with one search of 60 blocks each, two workers\n", kSearchers);
  const auto search_all = [&] {
    std::vector<Times> all(kSearchers);
    std::vector<std::thread> threads;
    for (std::uint32_t c = 0; c < kSearchers; ++c) {
      threads.emplace_back([&, c] {
        Link link(daemon.port());
        all[c] = link.run(kSearches, 1, [](std::uint32_t i) {
          v1::ClientFrame frame;
          *frame.mutable_find_path() = test::flat_path(-30, 30 - static_cast<std::int32_t>(i % 3));
          return frame;
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    Times sum;
    for (const Times& one : all) {
      sum.latencies_us.insert(sum.latencies_us.end(), one.latencies_us.begin(), one.latencies_us.end());
      sum.seconds = std::max(sum.seconds, one.seconds);
    }
    std::sort(sum.latencies_us.begin(), sum.latencies_us.end());
    return sum;
  };
  const auto print = [](std::string_view name, const Times& t, double edits) {
    fmt::print("  {:<32} {:>8.0f} searches/s  p50 {:>7.2f}  p99 {:>7.2f} ms  {:>8.0f} edits/s\n", name, t.per_second(),
               t.at(0.5) / 1'000, t.at(0.99) / 1'000, edits);
  };
  (void)search_all();
  print("no writer", search_all(), 0);
  for (const std::uint32_t per_second : {20'000u, 100'000u, 0u}) {
    std::atomic<bool> enough = false;
    double edits = 0;
    std::thread thread([&] { edits = write_edits(daemon.port(), per_second, enough); });
    const Times times = search_all();
    enough = true;
    thread.join();
    print(per_second == 0 ? "as fast as it can" : fmt::format("{} edits/s wanted", per_second), times, edits);
  }
}

/// Mobs around the origin, where they fall to the ground, all after one target there.
v1::FindPaths horde_of(std::uint32_t mobs) {
  constexpr std::int32_t kReach = 34;  // blocks each way: none is more than 48 away
  v1::FindPaths request;
  request.set_world("land");
  request.mutable_agent()->set_profile("zombie");
  for (std::uint32_t i = 0; i < mobs; ++i) {
    v1::Position& at = *request.add_starts()->mutable_position();
    const auto along = [&](std::uint32_t step) {
      return static_cast<std::int32_t>(i * step % (2 * kReach + 1)) - kReach + 0.5;
    };
    at.set_x(along(37));
    at.set_y(200);
    at.set_z(along(53));
  }
  request.mutable_goal()->mutable_position()->set_x(0.5);
  request.mutable_goal()->mutable_position()->set_y(200);
  request.mutable_goal()->mutable_position()->set_z(0.5);
  request.set_proof_only(true);
  return request;
}

/// One request for all mobs beside one for each, searched alone and searched together, in the same weather.
void horde() {
  server::Config config = test::test_config();
  config.workers = 1;
  config.answers_kept_max_mib = 0;
  config.worlds.front().name = "land";
  config.worlds.front().generate = "terrain:7";
  RunningDaemon together(config);
  config.share_searches = false;
  RunningDaemon alone(config);
  fmt::print("horde: mobs within 48 blocks on rolling land, one worker; us a mob, medians of {} rounds\n", kRounds);
  fmt::print("  {:>5} {:>14} {:>10} {:>22} {:>22} {:>22}\n", "mobs", "one request", "of that", "requests, each alone",
             "requests that may ride", "of these rode");
  for (const std::uint32_t mobs : {10u, 100u, 1'000u}) {
    const v1::FindPaths all = horde_of(mobs);
    const auto one = [&](std::uint32_t i) {
      v1::ClientFrame frame;
      v1::FindPath& request = *frame.mutable_find_path();
      request.set_world(all.world());
      *request.mutable_agent() = all.agent();
      *request.mutable_start() = all.starts(static_cast<int>(i % mobs));
      *request.mutable_goal() = all.goal();
      request.set_proof_only(true);
      return frame;
    };
    client::BlockingClient client({.port = together.port()});
    Link to_together(together.port());
    Link to_alone(alone.port());
    std::vector<double> whole_us, searched_us, alone_us, riding_us;
    const std::uint64_t rode_before = together->info().jobs_shared();
    for (int round = 0; round < kRounds; ++round) {
      const auto begin = steady_clock::now();
      const auto answer = client.find_paths(all);
      whole_us.push_back(std::chrono::duration<double, std::micro>(steady_clock::now() - begin).count() / mobs);
      searched_us.push_back(static_cast<double>(answer->times().searched_us()) / mobs);
      alone_us.push_back(1e6 / to_alone.run(mobs, 100, one).per_second());
      riding_us.push_back(1e6 / to_together.run(mobs, 100, one).per_second());
    }
    const double rode = static_cast<double>(together->info().jobs_shared() - rode_before) / kRounds;
    fmt::print("  {:>5} {:>14.1f} {:>10.1f} {:>22.1f} {:>22.1f} {:>22.0f}\n", mobs, median(whole_us),
               median(searched_us), median(alone_us), median(riding_us), rode);
  }
}

}  // namespace
}  // namespace voxpath::bench

int main(int argc, char** argv) {
  using namespace voxpath::bench;
  const auto wanted = [&](std::string_view name) {
    return argc == 1 || std::find(argv + 1, argv + argc, name) != argv + argc;
  };
  if (wanted("wire")) wire();
  if (wanted("turns")) turns();
  if (wanted("writer")) writer();
  if (wanted("horde")) horde();
  return 0;
}
