// `voxpath mobs`: a crowd of mobs at a voxpathd: a load test with a report, or something to watch.
#include "server/cli/server_connection.hpp"
#include "server/loading/generated_world.hpp"
#include "server/mobs/child_daemon.hpp"
#include "server/mobs/crowd_drawing.hpp"
#include "server/mobs/load_test.hpp"
#include "server/mobs/process_usage.hpp"
#include "world/blocks/error_text.hpp"
#include "world/number.hpp"

#include <charconv>
#include <csignal>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace voxpath::server {

namespace {

struct MobsOptions {
  LoadOptions load;
  WorldOptions world;  // its `world`: a voxpathd is started with it
  std::int64_t workers = 0;
  std::int64_t server_pid = 0;
  std::string strategy = "path", area, html;
  bool json = false, draw = false;
};

constexpr std::chrono::minutes kLoadPatience{10};      // until the server has its world
constexpr std::chrono::milliseconds kLoadPoll{20};     // how often that is asked
constexpr int kDrawnColumns = 100, kDrawnRows = 30;    // of a terminal, at most
constexpr std::uint64_t kFrameTicks = 2;               // 10 frames a second
constexpr std::int64_t kGreedyColumnsMax = 1'048'576;  // whose heights are fetched for mobs that walk without paths
constexpr std::int64_t kServerWorkersMax = 256;

std::atomic<bool> interrupted = false;

world::Error invalid(std::string message) { return {world::ErrorCode::invalid_argument, std::move(message)}; }

world::Status read_area(const std::string& text, Area& area) {
  if (text.empty()) return world::ok_status();
  std::array<std::int32_t, 4> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [stop, error] = std::from_chars(at, end, numbers[i]);
    const bool last = i + 1 == numbers.size();
    if (error != std::errc() || (last ? stop != end : stop == end || *stop != ',')) {
      return invalid(fmt::format("--area = {}: X0,Z0,X1,Z1 in whole blocks is needed", world::quoted(text)));
    }
    at = stop + 1;
  }
  area = {numbers[0], numbers[1], numbers[2], numbers[3]};
  constexpr std::int32_t kFar = 30'000'000;
  for (const std::int32_t n : numbers) {
    if (n < -kFar || n > kFar)
      return invalid(fmt::format("--area = {}: {} to {} is allowed", world::quoted(text), -kFar, kFar));
  }
  return world::ok_status();
}

world::Status read(MobsOptions& o) {
  const auto strategy = mob::strategy_named(o.strategy);
  if (!strategy) {
    return invalid(fmt::format("--strategy = {}: {} are allowed", world::quoted(o.strategy),
                               fmt::join(mob::kStrategyNames, ", ")));
  }
  o.load.strategy = *strategy;
  if (auto s = read_area(o.area, o.load.area); !s) return s;
  if (o.workers < 0 || o.workers > kServerWorkersMax)
    return invalid(fmt::format("--workers = {}: 0 to {} is allowed", o.workers, kServerWorkersMax));
  if (o.server_pid < 0 || o.server_pid > INT32_MAX)
    return invalid(fmt::format("--server-pid = {}: 0 to {} is allowed", o.server_pid, INT32_MAX));
  if (o.server_pid > 0 && !process_usage(static_cast<pid_t>(o.server_pid)))
    return invalid(fmt::format("--server-pid = {}: there is no such process", o.server_pid));
  if (o.draw && o.json) return invalid("--draw: not together with --json");
  if (!o.world.world.empty() && names_generated_world(o.world.world)) {
    if (auto s = check_generated_world(o.world.world); !s) return s;
  }
  return check(o.load);
}

world::Result<std::unique_ptr<ChildDaemon>> start_daemon(const MobsOptions& o) {
  std::vector<std::string> arguments{"serve"};
  if (o.world.world == "flat") {
    arguments.emplace_back("--flat");
  } else {
    arguments.insert(arguments.end(), {names_generated_world(o.world.world) ? "--generate" : "--world", o.world.world});
  }
  if (o.workers > 0) arguments.insert(arguments.end(), {"--workers", fmt::format("{}", o.workers)});
  return ChildDaemon::start("/proc/self/exe", std::move(arguments));
}

/// The world at the server, once it is loaded there. `child`: nullptr where the server runs already, and has what it has.
world::Result<v1::WorldInfo> await_world(client::BlockingClient& client, const std::string& server,
                                         const std::string& name, const ChildDaemon* child) {
  const auto until = std::chrono::steady_clock::now() + kLoadPatience;
  while (true) {
    const auto list = client.list_worlds();
    if (!list) {
      return world::Error{world::ErrorCode::failed_precondition,
                          fmt::format("server {}: {}", server, list.error().message())};
    }
    auto info = choose_world(name, server, *list);
    if (info || child == nullptr || std::chrono::steady_clock::now() > until || interrupted) return info;
    if (const std::string why = child->world_failure(); !why.empty())
      return world::Error{world::ErrorCode::not_found, fmt::format("--world: {}", why)};
    std::this_thread::sleep_for(kLoadPoll);
  }
}

/// Heights of all columns of the area, for greedy mobs.
world::Result<LoadTest::Ground> ground_of(client::BlockingClient& client, const v1::WorldInfo& world,
                                          const LoadOptions& load) {
  if (load.strategy != mob::Strategy::greedy) return LoadTest::Ground();
  const Area area = load.area;
  if (area.width() * area.depth() > kGreedyColumnsMax) {
    return invalid(
        fmt::format("--strategy greedy: the heights of --area are fetched, which may have {} columns, not {}",
                    kGreedyColumnsMax, area.width() * area.depth()));
  }
  std::vector<Column> columns;
  for (std::int32_t z = area.z0; z <= area.z1; ++z) {
    for (std::int32_t x = area.x0; x <= area.x1; ++x) columns.push_back({x, z});
  }
  auto heights = surfaces(client, world, columns);
  if (!heights) return heights.error();
  return LoadTest::Ground([area, all = *std::move(heights)](std::int32_t x, std::int32_t z) -> std::optional<double> {
    if (x < area.x0 || x > area.x1 || z < area.z0 || z > area.z1) return std::nullopt;
    const auto& p = all[static_cast<std::size_t>((z - area.z0) * area.width() + (x - area.x0))];
    return p ? std::optional(p->y) : std::nullopt;
  });
}

std::string second_text(const LoadSecond& s) {
  return fmt::format(
      "{:5.1f} s  {:6} asked  {:6} answered  p50 {:7.2f}  p99 {:7.2f} ms  waiting {:5}  rejected {:4}  server {:4.2f} "
      "cores {:5.0f} MiB{}",
      s.at, s.asked, s.answered, s.p50_ms, s.p99_ms, s.waiting, s.rejected, s.server_cores, s.server_rss_mib,
      s.warm_up ? "  (warm-up)" : "");
}

/// How near the hunt is, for those who see no picture.
std::string hunt_text(const LoadFrame& frame) {
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t near = 0;
  for (const mob::Point mob : *frame.mobs) {
    double apart = std::numeric_limits<double>::infinity();
    for (const mob::Point player : *frame.players) apart = std::min(apart, mob::flat_distance(mob, player));
    nearest = std::min(nearest, apart);
    near += apart <= 3;
  }
  const mob::Point p = frame.players->front();
  return fmt::format("{:5.1f} s  player at {:.1f},{:.1f},{:.1f}  nearest mob {:.1f} blocks away, {} within 3",
                     frame.seconds, p.x, p.y, p.z, nearest, near);
}

/// Prints what goes on: pictures to a terminal, else a line a second.
class Show {
 public:
  Show(const MobsOptions& options, const Console& console) : options_(options), console_(console) {
    terminal_ = isatty(fileno(options.draw ? console.out : console.err)) != 0;
  }

  world::Status prepare(client::BlockingClient& client, const v1::WorldInfo& world) {
    if (!options_.draw) return world::ok_status();
    drawing_.emplace(options_.load.area, kDrawnColumns, kDrawnRows);
    const auto heights = surfaces(client, world, drawing_->middles());
    if (!heights) return heights.error();
    drawing_->shade(*heights);
    return world::ok_status();
  }

  LoadWatchers watchers() {
    LoadWatchers w;
    w.interrupted = &interrupted;
    if (options_.draw) {
      w.frame = [this](const LoadFrame& frame) { draw(frame); };
      w.second = [this](const LoadSecond& second) { last_second_ = second_text(second); };
    } else {
      w.second = [this](const LoadSecond& second) {
        fmt::print(console_.err, "{}{}{}", terminal_ ? "\r" : "", second_text(second), terminal_ ? "\x1b[K" : "\n");
        std::fflush(console_.err);
      };
    }
    return w;
  }
  void end() const {
    if (terminal_ && !options_.draw) fmt::print(console_.err, "\r\x1b[K");
  }

 private:
  void draw(const LoadFrame& frame) {
    const auto tick = static_cast<std::uint64_t>(std::lround(frame.seconds * mob::kTicksPerSecond));
    if (!terminal_) {
      if (tick % mob::kTicksPerSecond == 0) fmt::print(console_.out, "{}\n", hunt_text(frame));
    } else if (tick % kFrameTicks == 0) {
      const char* const clear = drawn_ ? "\x1b[H" : "\x1b[2J\x1b[H";
      fmt::print(console_.out, "{}{}{}\x1b[K\n{}\x1b[K\n", clear, drawing_->frame(*frame.mobs, *frame.players),
                 hunt_text(frame), last_second_);
      drawn_ = true;
    }
    std::fflush(console_.out);
  }

  const MobsOptions& options_;
  const Console& console_;
  bool terminal_ = false, drawn_ = false;
  std::optional<CrowdDrawing> drawing_;
  std::string last_second_;
};

world::Result<LoadReport> test(const MobsOptions& o, const Console& console) {
  std::unique_ptr<ChildDaemon> child;
  auto settings = client_options(o.world);
  if (!settings) return settings.error();
  std::optional<pid_t> pid;
  if (o.server_pid > 0) pid = static_cast<pid_t>(o.server_pid);
  if (!o.world.world.empty()) {
    auto started = start_daemon(o);
    if (!started) return started.error();
    child = *std::move(started);
    *settings = client::ClientOptions();
    settings->client_name = "voxpath";
    settings->reconnect = false;
    settings->port = child->port();
    pid = child->pid();
  }
  const std::string server = server_name(*settings);
  LoadEndpoint endpoint{.client = *settings, .world = {}, .about = {}, .pid = pid};
  std::optional<Crowd> crowd;
  LoadTest::Ground ground;
  Show show(o, console);
  {
    client::BlockingClient client(*settings);
    auto info = await_world(client, server, o.world.world_name, child.get());
    if (!info) return info.error();
    endpoint.world = *std::move(info);
    endpoint.about =
        fmt::format("voxpathd at {}, world {} ({} chunks)", server, endpoint.world.world(), endpoint.world.chunks());
    auto made = make_crowd(client, endpoint.world, o.load);
    if (!made) return made.error();
    crowd = *std::move(made);
    auto heights = ground_of(client, endpoint.world, o.load);
    if (!heights) return heights.error();
    ground = *std::move(heights);
    if (auto s = show.prepare(client, endpoint.world); !s) return s.error();
  }
  LoadTest test(std::move(endpoint), o.load, *std::move(crowd), std::move(ground));
  auto report = test.run(show.watchers());
  show.end();
  return report;
}

ExitCode run(MobsOptions& options, const Console& console) {
  if (auto s = read(options); !s) return fail(console, s.error(), options.json);
  std::ofstream page;
  if (!options.html.empty()) {
    page.open(options.html, std::ios::binary);
    if (!page) {
      return fail(console, ExitCode::unavailable,
                  fmt::format("--html = {}: cannot be written: {}", world::quoted(options.html),
                              std::generic_category().message(errno)),
                  options.json);
    }
  }
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  const auto report = test(options, console);
  if (!report && interrupted)
    return fail(console, ExitCode::interrupted,
                "interrupted, and the server answers no more or was not asked yet: there is nothing to report",
                options.json);
  if (!report) return fail(console, report.error(), options.json);
  fmt::print(console.out, "{}", options.json ? report_json(*report) : report_text(*report));
  if (page.is_open()) {
    page << report_html(*report);
    page.close();
    if (!page)
      return fail(console, ExitCode::unavailable,
                  fmt::format("--html = {}: writing failed", world::quoted(options.html)), options.json);
  }
  return report->interrupted ? ExitCode::interrupted : ExitCode::ok;
}

constexpr const char* kFooter =
    "Mobs stand on drawn places and hunt the nearest player; players walk drawn routes. Each mob has a controller that "
    "walks\n"
    "its paths at 20 ticks a second. Latencies run from the tick in which a mob means to ask until it has the answer; "
    "a mob\n"
    "that waits longer than its next question would have come is counted again for that one, so that slowness is not "
    "hidden.\n"
    "\n"
    "Strategies: greedy (straight on), path, random, intercept, surround, flee\n"
    "\n"
    "Examples:\n"
    "  voxpath mobs --world terrain:7 --mobs 1000 --players 20 --edits 200 --html report.html\n"
    "  voxpath mobs --server 127.0.0.1:7420 --world-name overworld --area=-64,-64,64,64 --mobs 500 --json\n"
    "  voxpath mobs --world terrain:7 --mobs 50 --players 1 --area=-40,-20,40,20 --rate 0 --draw\n"
    "\n"
    "The same seed in the same world gives the same crowd, routes and edits; \"crowd\" in the report tells.\n"
    "Ends with 0 when the test ran to its end, 2 wrong option or value, 5 server or world not there.";

template <class Number>
CLI::Option* add_number(CLI::App& command, const char* name, Number& value, const char* about) {
  return command.add_option(name, value, about)->type_name("N")->check(refuse_no_number)->capture_default_str();
}

void add_load_options(CLI::App& command, MobsOptions& o) {
  add_number(command, "--mobs", o.load.mobs, "Mobs, 1 to 100000");
  add_number(command, "--players", o.load.players, "Players that they hunt, 1 to 1000");
  command.add_option("--strategy", o.strategy, "How they hunt, see below")->type_name("NAME")->capture_default_str();
  command.add_option("--agent", o.load.agent, "Who they are: a name that the server knows")
      ->type_name("NAME")
      ->capture_default_str();
  add_number(command, "--rate", o.load.replans_per_second,
             "Questions of each mob a second, 0 to 20; 0: when its controller finds it worth it");
  add_number(command, "--edits", o.load.edits_per_second, "Blocks put and taken away a second, 0 to 20000");
  add_number(command, "--connections", o.load.connections, "Connections, 1 to 64");
  add_number(command, "--duration", o.load.seconds, "Seconds measured, 1 to 86400");
  add_number(command, "--warm-up", o.load.warm_up_seconds, "Seconds before that, 0 to 600");
  add_number(command, "--seed", o.load.seed, "Of places, routes and edits");
  command.add_option("--area", o.area, "Columns where all of it happens (default -112,-112,111,111)")
      ->type_name("X0,Z0,X1,Z1");
  add_number(command, "--mob-speed", o.load.mob_speed, "Blocks a second, 0.1 to 20");
  add_number(command, "--player-speed", o.load.player_speed, "Blocks a second, 0 to 20");
  add_number(command, "--limit", o.load.expansions, "Most nodes to expand in a search; 0: the server's default");
  add_number(command, "--slices", o.load.slices,
             "Portions in which the mobs of a tick ask, spread over it, 1 to 50; 1: all at its beginning");
  command.add_flag("--watch", o.load.watch, "Have the paths watched, and ask again when an edit breaks one");
}

}  // namespace

void add_mobs_command(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<MobsOptions>();
  CLI::App* command = app.add_subcommand("mobs", "A crowd of mobs that hunt players: tests a server, or is watched");
  add_load_options(*command, *options);
  auto* own = command
                  ->add_option("--world", options->world.world,
                               "Start a voxpathd for this: terrain:SEED, maze:SEED, flat, or a Minecraft world folder")
                  ->type_name("DIR|NAME");
  options->world.server = fmt::format("127.0.0.1:{}", protocol::kDefaultPort);
  command->add_option("--server", options->world.server, "Test this voxpathd, where no --world is given")
      ->type_name("HOST:PORT|unix:PATH")
      ->capture_default_str()
      ->excludes(own);
  command->add_option("--world-name", options->world.world_name, "Which of the server's worlds; left out: its only one")
      ->type_name("NAME")
      ->excludes(own);
  add_connection_options(*command, options->world);
  add_number(*command, "--server-pid", options->server_pid,
             "Its process, where that is on this machine: to report processor and memory");
  add_number(*command, "--workers", options->workers, "Searching threads of a voxpathd that is started; 0: one a core")
      ->needs(own);
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->add_option("--html", options->html, "Also write the report as a page with plots")
      ->type_name("FILE")
      ->check(refuse_no_name);
  command->add_flag("--draw", options->draw, "Show the hunt: a moving picture in a terminal, else a line a second");
  command->footer(kFooter);
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
