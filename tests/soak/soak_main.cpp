// voxpath_soak: a voxpathd at twice the load that it can sustain, for a time. Nothing that well-behaved clients ask may be
// lost, its memory must stay flat, and it must end in good order.
// Usage: voxpath_soak --seconds 3600 --table rss.tsv. Ends with 0, or 1 and what was broken.
#include "server/mobs/child_daemon.hpp"
#include "server/mobs/process_usage.hpp"
#include "tests/soak/memory_verdict.hpp"
#include "tests/soak/rude_clients.hpp"
#include "tests/soak/traffic.hpp"
#include "tests/support/scratch_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>

namespace voxpath::soak {
namespace {

using std::chrono::steady_clock;

constexpr double kOverload = 2;
constexpr double kJudgedSeconds = 60;         // in less, caches fill and memory says nothing
constexpr double kSlowConsumerSeconds = 100;  // in which the server must have closed who reads nothing
constexpr std::chrono::seconds kReadyWithin{60};

struct Options {
  double seconds = 15;
  double calibrate_s = 2;
  std::uint32_t seed = 1;
  std::string table;
};

/// Until somebody else takes it.
std::uint16_t free_port() {
  namespace asio = boost::asio;
  asio::io_context io;
  const asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  return acceptor.local_endpoint().port();
}

/// Small quotas and little kept, so that bounds are reached soon.
std::string configuration(const std::string& store, std::uint16_t http_port) {
  return fmt::format(
      "[http]\nport = {}\n[limits]\njobs_queued_per_connection = 32\nanswers_kept_mib = 4\n[store]\nfolder = \"{}\"\n"
      "[[world]]\nname = \"land\"\ngenerate = \"terrain:7\"\n"
      "[[world]]\nname = \"stored\"\ngenerate = \"flat\"\ndurability = \"async\"\n",
      http_port, store);
}

bool ready(std::uint16_t http_port) {
  const auto end = steady_clock::now() + kReadyWithin;
  while (steady_clock::now() < end) {
    try {
      if (http_get(http_port, "/readyz").starts_with("HTTP/1.1 200")) return true;
    } catch (const std::exception&) {  // not listening yet
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

/// The value of a metric with these labels; 0: it is not there.
double metric(const std::string& page, const std::string& name) {
  const std::size_t at = page.find("\n" + name + " ");
  return at == std::string::npos ? 0 : std::stod(page.substr(at + name.size() + 2));
}

class Soak {
 public:
  explicit Soak(Options options) : options_(std::move(options)) {}

  /// Whether all held.
  bool run() {
    const std::uint16_t http_port = free_port();
    const std::string file = folder_ / "voxpathd.toml";
    std::ofstream(file) << configuration(folder_ / "store", http_port);
    auto daemon = server::ChildDaemon::start(VOXPATHD, {"-c", file});
    if (!daemon) return fails(daemon.error().message);
    if (!ready(http_port)) return fails("the worlds were not there within a minute");
    Traffic traffic((*daemon)->port(), options_.seed);
    traffic.saturate();
    std::this_thread::sleep_for(std::chrono::duration<double>(1));
    const std::uint64_t before = traffic.counts().answered;
    std::this_thread::sleep_for(std::chrono::duration<double>(options_.calibrate_s));
    const double sustainable = static_cast<double>(traffic.counts().answered - before) / options_.calibrate_s;
    fmt::print("sustainable: {:.0f} answers/s; offering {:.0f} requests/s for {:.0f} s\n", sustainable,
               kOverload * sustainable, options_.seconds);
    traffic.offer(kOverload * sustainable);
    bool good = true;
    {
      const RudeClients rude((*daemon)->port(), http_port);
      good = watch(**daemon, traffic);
      if (good) good = judge_rest(traffic, rude, http_get(http_port, "/metrics"));
    }
    const int code = (*daemon)->end();
    if (code != 0) good = fails(fmt::format("it ended with {}", code));
    return good && judge_memory();
  }

 private:
  bool fails(const std::string& why) {
    fmt::print("FAILED: {}\n", why);
    return false;
  }

  /// Writes down its memory each second; false: it is gone.
  bool watch(const server::ChildDaemon& daemon, const Traffic& traffic) {
    std::ofstream table(options_.table.empty() ? std::string("/dev/null") : options_.table);
    table << "seconds\trss_bytes\tcpu_seconds\tasked\tanswered\trejected\twithheld\tlost\n";
    const auto begin = steady_clock::now();
    const double step = std::max(1.0, options_.seconds / 60);
    double printed_s = 0;
    for (int second = 1; second <= options_.seconds; ++second) {
      std::this_thread::sleep_until(begin + std::chrono::seconds(second));
      const auto usage = server::process_usage(daemon.pid());
      if (!usage || usage->rss_bytes == 0) return fails(fmt::format("it was gone after {} s", second));
      const Counts& c = traffic.counts();
      samples_.push_back({static_cast<double>(second), usage->rss_bytes});
      table << fmt::format("{}\t{}\t{:.1f}\t{}\t{}\t{}\t{}\t{}\n", second, usage->rss_bytes, usage->cpu_seconds,
                           c.asked.load(), c.answered.load(), c.rejected.load(), c.withheld.load(), c.lost.load());
      if (second - printed_s < step && second + 1 <= options_.seconds) continue;
      printed_s = second;
      fmt::print("{:>6} s {:>7.1f} MiB  asked {}  answered {}  rejected {}  withheld {}  lost {}\n", second,
                 static_cast<double>(usage->rss_bytes) / (1 << 20), c.asked.load(), c.answered.load(),
                 c.rejected.load(), c.withheld.load(), c.lost.load());
      std::fflush(stdout);
    }
    return true;
  }

  bool judge_rest(Traffic& traffic, const RudeClients& rude, const std::string& metrics) {
    const bool all_answered = traffic.stop();
    const Counts& c = traffic.counts();
    const double slow = metric(metrics, R"(voxpath_connections_ended_total{reason="slow_consumer"})");
    fmt::print(
        "asked {}: answered {}, rejected {} (told when to come again), lost {}; withheld {} as too many were under "
        "way\n"
        "found {}, unreachable {}, cancelled {}, hordes {}, edits {}, watched paths broken {}, worlds opened and "
        "closed "
        "{}; rude visits {}, slow consumers closed {:.0f}\n",
        c.asked.load(), c.answered.load(), c.rejected.load(), c.lost.load(), c.withheld.load(), c.found.load(),
        c.unreachable.load(), c.cancelled.load(), c.hordes.load(), c.edits.load(), c.invalidated.load(),
        c.worlds.load(), rude.visits(), slow);
    bool good = true;
    if (!all_answered) good = fails("requests were not answered within a minute of the end");
    if (c.lost > 0 || !traffic.first_loss().empty())
      good = fails(fmt::format("{} lost, the first: {}", c.lost.load(), traffic.first_loss()));
    for (const auto& [what, count] : {std::pair("path was found", c.found.load()),
                                      {"target was unreachable", c.unreachable.load()},
                                      {"horde was answered", c.hordes.load()},
                                      {"edit was committed", c.edits.load()},
                                      {"watched path was broken", c.invalidated.load()},
                                      {"world was opened and closed", c.worlds.load()},
                                      {"request was rejected or withheld", c.rejected.load() + c.withheld.load()}}) {
      if (count == 0) good = fails(fmt::format("no {}: that was no soak", what));
    }
    if (rude.refusals() > 0) good = fails(fmt::format("{} HTTP requests were refused", rude.refusals()));
    if (options_.seconds >= kSlowConsumerSeconds && slow == 0)
      good = fails("who read nothing was not closed as a slow consumer");
    return good;
  }

  bool judge_memory() {
    if (options_.seconds < kJudgedSeconds) {
      fmt::print("too short to judge its memory by; nothing was lost\n");
      return true;
    }
    const MemoryVerdict verdict = judge(samples_);
    constexpr double kMiB = 1 << 20;
    fmt::print(
        "memory: by least squares {:+.2f} MiB after the warm-up, peak of the last third {:+.2f} MiB, bound {:.2f}\n",
        verdict.growth_bytes / kMiB, verdict.peak_growth_bytes / kMiB, verdict.bound_bytes / kMiB);
    return verdict.flat || fails("its memory is not flat");
  }

  const Options options_;
  const test::ScratchFolder folder_;
  std::vector<MemorySample> samples_;
};

}  // namespace
}  // namespace voxpath::soak

int main(int argc, char** argv) {
  voxpath::soak::Options options;
  CLI::App app{"A voxpathd at twice the load that it can sustain: nothing lost, memory flat, ended in good order"};
  if (const char* all = std::getenv("VOXPATH_LONG"); all != nullptr && std::string(all) != "0") options.seconds = 180;
  app.add_option("--seconds", options.seconds, "How long; left out: 15, and 180 where VOXPATH_LONG is set")
      ->check(CLI::Range(5.0, 86'400.0));
  app.add_option("--calibrate", options.calibrate_s, "Seconds to find what it can sustain")
      ->check(CLI::Range(1.0, 60.0));
  app.add_option("--seed", options.seed, "Of the questions");
  app.add_option("--table", options.table, "File for memory and counts, second by second");
  CLI11_PARSE(app, argc, argv);
  try {
    return voxpath::soak::Soak(options).run() ? 0 : 1;
  } catch (const std::exception& fault) {
    fmt::print("FAILED: {}\n", fault.what());
    return 1;
  }
}
