// `voxpath path`: one question to the planner, answered for people, for programs, or as a drawing.
#include "server/cli/answer_json.hpp"
#include "server/cli/answer_text.hpp"
#include "server/cli/cost_tables.hpp"
#include "server/cli/place_text.hpp"
#include "server/cli/search_options.hpp"
#include "server/cli/world_drawing.hpp"
#include "world/blocks/error_text.hpp"
#include "world/choice.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

struct PathOptions {
  WorldOptions world;
  std::string from;
  SearchOptions search;
  std::string open_list = "automatic";
  std::string explain_what;  // costs, or nothing
  std::optional<int> layer;  // of the costs
  int margin = kMapMarginDefault;
  bool json = false, draw = false, explain = false, watch = false;
  [[nodiscard]] bool remote() const { return world.world.empty(); }
};

constexpr std::array<std::pair<std::string_view, pathfinding::OpenListKind>, 6> kOpenLists{
    {{"automatic", pathfinding::OpenListKind::automatic},
     {"heap", pathfinding::OpenListKind::heap},
     {"keyed_heap", pathfinding::OpenListKind::keyed_heap},
     {"list", pathfinding::OpenListKind::list},
     {"heapsort", pathfinding::OpenListKind::heapsort},
     {"bucket", pathfinding::OpenListKind::bucket}}};

/// How often a wait for the end of a watch looks whether it was interrupted.
constexpr std::chrono::milliseconds kInterruptLatency{100};

world::Error invalid(std::string message) { return {world::ErrorCode::invalid_argument, std::move(message)}; }

/// What only a world that is loaded here can be asked.
world::Status check_local(const PathOptions& options) {
  if (!options.explain_what.empty() && options.explain_what != "costs") {
    return invalid(fmt::format("--explain = {}: costs is allowed, or nothing", world::quoted(options.explain_what)));
  }
  if (options.layer && options.explain_what.empty()) return invalid("--layer: goes together with --explain costs");
  if (!options.remote()) return world::ok_status();
  if (options.open_list != "automatic")
    return invalid("--open-list: a server takes its own; ask a world that is loaded here by --world");
  if (!options.explain_what.empty())
    return invalid(
        "--explain costs: a server does not tell what its search met; ask a world that is loaded here by --world");
  return world::ok_status();
}

/// A drawing needs the size of the mob.
world::Status check_drawing(const PathOptions& options, const PathQuestion& question) {
  const auto says = [&](std::string_view field) {
    return std::any_of(question.changed_fields.begin(), question.changed_fields.end(), [&](const std::string& changed) {
      return changed == field || changed == fmt::format("{}_px", field);
    });
  };
  if (options.draw && !question.profile.empty() && !(says("width") && says("height"))) {
    return invalid(fmt::format(
        "--draw: how large {} is only the server knows; say it by --set width=BLOCKS --set height=BLOCKS, which the "
        "search then takes too",
        world::quoted(question.profile)));
  }
  return world::ok_status();
}

world::Result<PathQuestion> question_of(const PathOptions& options) {
  auto asked = question_of(options.search, options.remote());
  if (!asked) return asked.error();
  PathQuestion question = *std::move(asked);
  pathfinding::Query& query = question.query;
  if (auto s = check_drawing(options, question); !s) return s.error();
  const auto from = parse_place("--from", options.from);
  if (!from) return from.error();
  query.start = *from;
  if (auto s = world::choose(query.open_list, "--open-list", options.open_list, kOpenLists); !s) return s.error();
  if (auto s = check_local(options); !s) return s.error();
  // The costs shown are those of the plain search; the path should be its too.
  const bool automatic = query.open_list == pathfinding::OpenListKind::automatic;
  if (!options.explain_what.empty() && automatic) query.open_list = pathfinding::OpenListKind::heap;
  if (auto s = validate(query, question.limits); !s) return s.error();
  if (options.margin < 0 || options.margin > kMapMarginMax) {
    return invalid(fmt::format("--margin = {}: 0 to {} is allowed", options.margin, kMapMarginMax));
  }
  question.watch = options.watch;
  if (options.watch && !options.remote())
    return invalid("--watch: a world that is loaded here does not change; ask a voxpathd by --server");
  return question;
}

world::Result<std::string> drawing_of(const PathOptions& options, const pathfinding::Query& query,
                                      const pathfinding::Answer& answer, WorldAccess& world) {
  if (!options.draw) return std::string();
  return draw_path({.path = answer.path,
                    .agent = query.agent,
                    .start = cell_of(query.start),
                    .goal = goal_cell(query.goal, query.start),
                    .found = answer.status == pathfinding::AnswerStatus::found,
                    .margin = options.margin},
                   world);
}

volatile std::sig_atomic_t interrupted = 0;

/// Stays until the path is broken, or until the user has seen enough.
ExitCode follow(const PathOptions& options, const Console& console, const PathOutcome& outcome, WorldAccess& world) {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  fmt::print(console.err, "watching the path; ends when an edit breaks it, or with Ctrl-C\n");
  std::fflush(console.out);
  while (interrupted == 0) {
    const auto event = world.next_invalidation(kInterruptLatency);
    if (!event) return fail(console, event.error(), options.json);
    if (!*event) continue;
    fmt::print(console.out, "{}",
               options.json ? invalidation_json(**event) : invalidation_text(outcome.answer, **event));
    break;
  }
  return ExitCode::ok;
}

ExitCode run(const PathOptions& options, const Console& console) {
  if (options.json && !options.explain_what.empty())
    return fail(console, ExitCode::usage, "--explain costs draws tables, which --json has no place for", true);
  const auto question = question_of(options);
  if (!question) return fail(console, question.error(), options.json);
  const auto& [query, limits, profile, changed, watch] = *question;
  const auto world = open_world(options.world, console);
  if (!world) return fail(console, world.error(), options.json);
  const auto outcome = (*world)->find_path(*question);
  if (!outcome) return fail(console, outcome.error(), options.json);
  const auto drawing = drawing_of(options, query, outcome->answer, **world);
  if (!drawing) return fail(console, drawing.error(), options.json);
  std::string costs;
  if (!options.explain_what.empty()) {
    auto tables = cost_tables((*world)->snapshot(), query, limits, options.layer);
    if (!tables) return fail(console, tables.error(), options.json);
    costs = *std::move(tables);
  }
  if (options.json) {
    fmt::print(console.out, "{}", answer_json(*outcome, advice(query, limits, outcome->answer), *drawing));
  } else {
    fmt::print(console.out, "{}", answer_text(query, limits, *outcome));
    if (options.explain) fmt::print(console.out, "{}", explanation(query, outcome->answer));
    if (!costs.empty()) fmt::print(console.out, "\n{}", costs);
    if (!drawing->empty()) fmt::print(console.out, "\n{}", *drawing);
  }
  if (watch && outcome->watch == 0) fmt::print(console.err, "there is no path to watch\n");
  if (watch && outcome->watch != 0) {
    if (const ExitCode code = follow(options, console, *outcome, **world); code != ExitCode::ok) return code;
  }
  return exit_code_of(outcome->answer.status);
}

constexpr const char* kFooter =
    "Examples:\n"
    "  voxpath path --world ~/.minecraft/saves/Home --from 12,64,-7 --to 40,70,-30 --draw\n"
    "  voxpath path --world ~/.minecraft/saves/Home --from -3.5,64.0,-3.5 --to 8,64,8 --agent villager --json\n"
    "  voxpath path --world tests/scenarios/28-u-trap.scn --from 12,1,4 --to 15,1,4 --draw --set corners=never\n"
    "  voxpath path --server 127.0.0.1:7420 --world-name overworld --from 12,64,-7 --to 40,70,-30 --explain\n"
    "Goals (one kind each):\n"
    "  voxpath path --world terrain:7 --from=-20,200,-6 --to 20,200,8 --to=-30,200,0      the nearer of two\n"
    "  voxpath path --world terrain:7 --from=-20,200,-6 --near 10,80,4:5                  at most 5 blocks from "
    "there\n"
    "  voxpath path --world terrain:7 --from=-20,200,-6 --column 20,8                     there, at any height\n"
    "  voxpath path --world terrain:7 --from=-20,200,-6 --level 80                        anywhere at y = 80\n"
    "  voxpath path --world flat --from 0,64,0 --next-to 9,64,3                           beside that block\n"
    "  voxpath path --world flat --from 0,64,0 --flee 3,64,0 --flee=-3,64,1 --distance 20 away from two points\n"
    "  voxpath path --world flat --from 0,64,0 --see 30,65,0:12                           where it is in sight\n"
    "The rest:\n"
    "  voxpath path --world tests/scenarios/28-u-trap.scn --from 12,1,4 --to 15,1,4 --explain costs\n"
    "  voxpath path --world flat --from 0,64,0 --to 30,64,11 --simplify line_of_sight\n"
    "  voxpath path --world flat --from 0,64,0 --to 9,64,0 --price 4,64,-3..4,65,3=50 --price "
    "4,64,4..4,65,9=forbidden\n"
    "  voxpath path --server 127.0.0.1:7420 --from 0,64,0 --to 9,64,0 --agent spider --set max_drop=2 --watch\n"
    "\n"
    "Ends with 0 found, 3 no complete path, 4 start or goal invalid, 2 wrong option or value, 5 world not there.\n"
    "With --watch it ends in the same way, as soon as the path is broken, the world is closed or Ctrl-C is pressed; "
    "with\n"
    "5 where the server goes away.";

}  // namespace

void add_path_command(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<PathOptions>();
  CLI::App* command = app.add_subcommand("path", "Find a way from one place to another");
  command->add_option("--from", options->from, "Start: X,Y,Z is a cell; with a decimal point an exact position")
      ->type_name("X,Y,Z")
      ->required();
  add_search_options(*command, options->search);
  command
      ->add_option("--open-list", options->open_list,
                   "What holds the nodes that were met: automatic, or to compare heap, keyed_heap, list, heapsort, "
                   "bucket; with --world")
      ->type_name("NAME")
      ->capture_default_str();
  add_world_options(*command, options->world);
  command->add_flag("--json", options->json, "Print the whole answer as JSON");
  command->add_flag("--draw", options->draw, "Draw the way on a map seen from above");
  CLI::Option* explain =
      command
          ->add_option("--explain", options->explain_what,
                       "Tell how start and goal were taken; with costs, also what each cell of a layer\n"
                       "was estimated at, cost, and came to together")
          ->type_name("[costs]")
          ->expected(0, 1);
  command->add_option("--layer", options->layer, "Which y --explain costs shows (default: the start's)")
      ->type_name("Y")
      ->check(refuse_no_number);
  command->add_flag("--watch", options->watch, "At a server: stay, and tell when an edit breaks the path");
  command->add_option("--margin", options->margin, "Cells around the way on the map, 0 to 32")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  command->footer(std::string(kFieldsHelp) + "\n" + kFooter);
  command->callback([options, explain, &chosen] {
    options->explain = explain->count() > 0;
    chosen = [options](const Console& console) { return run(*options, console); };
  });
}

}  // namespace voxpath::server
