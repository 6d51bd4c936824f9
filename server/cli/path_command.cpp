// `voxpath path`: one question to the planner, answered for people, for programs, or as a drawing.
#include "pathfinding/profiles.hpp"
#include "server/cli/answer_json.hpp"
#include "server/cli/answer_text.hpp"
#include "server/cli/place_text.hpp"
#include "server/cli/world_drawing.hpp"
#include "world/blocks/error_text.hpp"

#include <array>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

struct PathOptions {
  WorldOptions world;
  std::string from, to;
  std::string agent = "zombie";
  std::vector<std::string> set;
  std::string algorithm = "astar", heuristic = "octile";
  std::int64_t limit = pathfinding::kExpansionsDefault;
  int margin = kMapMarginDefault;
  bool json = false, draw = false, explain = false;
};

constexpr std::array<std::pair<std::string_view, pathfinding::Algorithm>, 3> kAlgorithms{
    {{"astar", pathfinding::Algorithm::astar},
     {"dijkstra", pathfinding::Algorithm::dijkstra},
     {"bfs", pathfinding::Algorithm::bfs}}};
constexpr std::array<std::pair<std::string_view, pathfinding::Heuristic>, 5> kHeuristics{
    {{"octile", pathfinding::Heuristic::octile},
     {"chebyshev", pathfinding::Heuristic::chebyshev},
     {"euclidean", pathfinding::Heuristic::euclidean},
     {"manhattan", pathfinding::Heuristic::manhattan},
     {"zero", pathfinding::Heuristic::zero}}};

world::Error invalid(std::string message) { return {world::ErrorCode::invalid_argument, std::move(message)}; }

template <class E, std::size_t N>
world::Status choose(E& target, std::string_view option, const std::string& text,
                     const std::array<std::pair<std::string_view, E>, N>& choices) {
  std::string allowed;
  for (const auto& [name, value] : choices) {
    if (name == text) {
      target = value;
      return world::ok_status();
    }
    allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", name);
  }
  return invalid(fmt::format("{} = {}: one of {} is allowed", option, world::quoted(text), allowed));
}

world::Result<pathfinding::Agent> agent_of(const PathOptions& options) {
  auto agent = pathfinding::profile_agent(options.agent);
  if (!agent) return invalid("--agent: " + agent.error().message + " (`voxpath agents` lists them)");
  for (const std::string& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      return invalid(
          fmt::format("--set = {}: FIELD=VALUE is needed, such as open_doors=true", world::quoted(assignment)));
    }
    const auto status = set_field(*agent, assignment.substr(0, equals), assignment.substr(equals + 1));
    if (!status) return invalid(fmt::format("--set {}: {}", world::quoted(assignment), status.error().message));
  }
  return agent;
}

world::Result<std::pair<pathfinding::Query, pathfinding::Limits>> query_of(const PathOptions& options) {
  pathfinding::Query query;
  const auto agent = agent_of(options);
  if (!agent) return agent.error();
  query.agent = *agent;
  const auto from = parse_place("--from", options.from);
  if (!from) return from.error();
  query.start = *from;
  const auto to = parse_place("--to", options.to);
  if (!to) return to.error();
  query.goal = pathfinding::GoalPlaces{{*to}};
  if (auto s = choose(query.algorithm, "--algorithm", options.algorithm, kAlgorithms); !s) return s.error();
  if (auto s = choose(query.heuristic, "--heuristic", options.heuristic, kHeuristics); !s) return s.error();
  if (options.limit < 1 || options.limit > pathfinding::kExpansionsMax) {
    return invalid(fmt::format("--limit = {}: 1 to {} is allowed", options.limit, pathfinding::kExpansionsMax));
  }
  const pathfinding::Limits limits{.expansions = static_cast<std::uint32_t>(options.limit)};
  if (auto s = validate(query, limits); !s) return s.error();
  if (options.margin < 0 || options.margin > kMapMarginMax) {
    return invalid(fmt::format("--margin = {}: 0 to {} is allowed", options.margin, kMapMarginMax));
  }
  return std::pair{query, limits};
}

ExitCode exit_code_of(pathfinding::AnswerStatus status) {
  using pathfinding::AnswerStatus;
  switch (status) {
    case AnswerStatus::found:
      return ExitCode::ok;
    case AnswerStatus::start_invalid:
    case AnswerStatus::goal_invalid:
      return ExitCode::place_invalid;
    case AnswerStatus::partial:
    case AnswerStatus::unreachable:
    case AnswerStatus::cancelled:
      break;
  }
  return ExitCode::no_path;
}

ExitCode run(const PathOptions& options, const Console& console) {
  const auto asked = query_of(options);
  if (!asked) return fail(console, asked.error(), options.json);
  const auto& [query, limits] = *asked;
  const auto world = open_world(options.world, console);
  if (!world) return fail(console, world.error(), options.json);
  const auto outcome = (*world)->find_path(query, limits);
  if (!outcome) return fail(console, outcome.error(), options.json);

  std::string drawing;
  if (options.draw) {
    const auto& goal = std::get<pathfinding::GoalPlaces>(query.goal).places.front();
    const PathMap map{.path = outcome->answer.path,
                      .agent = query.agent,
                      .start = cell_of(query.start),
                      .goal = cell_of(goal),
                      .found = outcome->answer.status == pathfinding::AnswerStatus::found,
                      .margin = options.margin};
    auto drawn = draw_path(map, **world);
    if (!drawn) return fail(console, drawn.error(), options.json);
    drawing = *std::move(drawn);
  }
  if (options.json) {
    fmt::print(console.out, "{}", answer_json(*outcome, advice(query, limits, outcome->answer), drawing));
  } else {
    fmt::print(console.out, "{}", answer_text(query, limits, *outcome));
    if (options.explain) fmt::print(console.out, "{}", explanation(query, outcome->answer));
    if (!drawing.empty()) fmt::print(console.out, "\n{}", drawing);
  }
  return exit_code_of(outcome->answer.status);
}

}  // namespace

void add_path_command(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<PathOptions>();
  CLI::App* command = app.add_subcommand("path", "Find a way from one place to another");
  command->add_option("--from", options->from, "Start: X,Y,Z is a cell; with a decimal point an exact position")
      ->type_name("X,Y,Z")
      ->required();
  command->add_option("--to", options->to, "Goal, written likewise")->type_name("X,Y,Z")->required();
  command->add_option("--agent", options->agent, "Who walks: a name that `voxpath agents` lists")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--set", options->set, "Changes one field of the agent; may be given again")
      ->type_name("FIELD=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("--algorithm", options->algorithm, "astar, dijkstra or bfs (fewest moves)")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--heuristic", options->heuristic, "octile, chebyshev, euclidean, manhattan or zero")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--limit", options->limit, "Most nodes to expand, 1 to 1000000")
      ->type_name("N")
      ->check(refuse_nothing)
      ->capture_default_str();
  add_world_options(*command, options->world);
  command->add_flag("--json", options->json, "Print the whole answer as JSON");
  command->add_flag("--draw", options->draw, "Draw the way on a map seen from above");
  command->add_flag("--explain", options->explain, "Tell how start and goal were taken");
  command->add_option("--margin", options->margin, "Cells around the way on the map, 0 to 32")
      ->type_name("N")
      ->check(refuse_nothing)
      ->capture_default_str();
  command->footer(
      "Fields for --set: width height step jump max_drop (blocks, or with _px in 1/16 block), water=float|avoid|walk,\n"
      "  corners=strict|never|loose, metric=cost|moves, mode=walk|fly|swim, leap=0..3, climb open_doors pass_doors\n"
      "  open_gates (true|false), immune=fire,lava,..., cost_cardinal cost_diagonal cost_space_diagonal cost_climb\n"
      "  cost_jump cost_drop cost_leap cost_water cost_near_hazard cost_slow cost_open (-1 forbids)\n"
      "\n"
      "Examples:\n"
      "  voxpath path --world ~/.minecraft/saves/Home --from 12,64,-7 --to 40,70,-30 --draw\n"
      "  voxpath path --world ~/.minecraft/saves/Home --from -3.5,64.0,-3.5 --to 8,64,8 --agent villager --json\n"
      "  voxpath path --world tests/scenarios/28-u-trap.scn --from 12,1,4 --to 15,1,4 --draw --set corners=never\n"
      "  voxpath path --server 127.0.0.1:7420 --world-name overworld --from 12,64,-7 --to 40,70,-30 --explain\n"
      "\n"
      "Ends with 0 found, 3 no complete path, 4 start or goal invalid, 2 wrong option or value, 5 world not there.");
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
