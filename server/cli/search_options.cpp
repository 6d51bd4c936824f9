#include "server/cli/search_options.hpp"

#include "pathfinding/profiles.hpp"
#include "world/blocks/error_text.hpp"
#include "world/choice.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

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

constexpr std::array<std::pair<std::string_view, pathfinding::Simplify>, 3> kSimplify{
    {{"none", pathfinding::Simplify::none},
     {"corners", pathfinding::Simplify::corners},
     {"line_of_sight", pathfinding::Simplify::line_of_sight}}};

world::Error invalid(std::string message) { return {world::ErrorCode::invalid_argument, std::move(message)}; }

/// The mob, into the question: known here, or by its name to the server that is asked.
world::Status set_agent(const SearchOptions& options, bool remote, PathQuestion& question) {
  pathfinding::Agent& agent = question.query.agent;
  if (auto known = pathfinding::profile_agent(options.agent)) {
    agent = *known;
  } else if (!remote) {
    return invalid("--agent: " + known.error().message + " (`voxpath agents` lists them)");
  } else if (options.agent.empty()) {
    return invalid("--agent = \"\": a name is needed");
  } else {
    question.profile = options.agent;
  }
  for (const std::string& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      return invalid(
          fmt::format("--set = {}: FIELD=VALUE is needed, such as open_doors=true", world::quoted(assignment)));
    }
    const std::string field = assignment.substr(0, equals);
    const auto status = set_field(agent, field, assignment.substr(equals + 1));
    if (!status) return invalid(fmt::format("--set {}: {}", world::quoted(assignment), status.error().message));
    question.changed_fields.push_back(field);
  }
  return world::ok_status();
}

}  // namespace

const char* const kFieldsHelp =
    "Fields for --set: width height step jump max_drop (blocks, or with _px in 1/16 block), water=float|avoid|walk,\n"
    "  corners=strict|never|loose, metric=cost|moves, mode=walk|fly|swim, leap=0..3, climb open_doors pass_doors\n"
    "  open_gates (true|false), immune=fire,lava,..., cost_cardinal cost_diagonal cost_space_diagonal cost_climb\n"
    "  cost_jump cost_drop cost_leap cost_water cost_near_hazard cost_slow cost_open (-1 forbids)\n";

void add_search_options(CLI::App& command, SearchOptions& options) {
  add_goal_options(command, options.goal);
  command.add_option("--agent", options.agent, "Who walks: a name that `voxpath agents` lists, or the server knows")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--set", options.set, "Changes one field of the agent; may be given again")
      ->type_name("FIELD=VALUE")
      ->expected(1)
      ->take_all();
  command.add_option("--algorithm", options.algorithm, "astar, dijkstra or bfs (fewest moves)")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--heuristic", options.heuristic, "octile, chebyshev, euclidean, manhattan or zero")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--limit", options.limit, "Most nodes to expand, 1 to 1000000")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  command.add_flag(
      "--proof-only", options.proof_only,
      "Where it is proved that there is no path, say so at once, without a path to the best place instead");
  command.add_flag("--exact", options.exact,
                   "The least cost on long ways too, which otherwise are put together from shorter ones");
  command
      .add_option("--weight", options.weight, "Take the first path that costs at most so many times the least, 1 to 10")
      ->type_name("W")
      ->check(refuse_no_number)
      ->capture_default_str();
  command
      .add_option("--simplify", options.simplify,
                  "Waypoints to leave out: none, corners (those on straight pieces), or line_of_sight (those that the\n"
                  "mob can pass by)")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--price", options.prices,
                  "What entering a cell of this box costs more: a number, or forbidden; may be given again, up to 64")
      ->type_name("X,Y,Z..X,Y,Z=PRICE")
      ->expected(1)
      ->take_all();
}

world::Result<PathQuestion> question_of(const SearchOptions& options, bool remote) {
  PathQuestion question;
  pathfinding::Query& query = question.query;
  if (auto s = set_agent(options, remote, question); !s) return s.error();
  auto goal = goal_of(options.goal);
  if (!goal) return goal.error();
  query.goal = *std::move(goal);
  auto boxes = priced_boxes_of(options.prices);
  if (!boxes) return boxes.error();
  query.priced_boxes = *std::move(boxes);
  if (auto s = world::choose(query.algorithm, "--algorithm", options.algorithm, kAlgorithms); !s) return s.error();
  if (auto s = world::choose(query.heuristic, "--heuristic", options.heuristic, kHeuristics); !s) return s.error();
  if (auto s = world::choose(query.simplify, "--simplify", options.simplify, kSimplify); !s) return s.error();
  query.best_effort = !options.proof_only;
  query.exact = options.exact;
  query.weight = options.weight;
  if (!(query.weight >= 1 && query.weight <= pathfinding::kWeightMax))
    return invalid(fmt::format("--weight = {}: 1 to {} is allowed", options.weight, pathfinding::kWeightMax));
  if (options.limit < 1 || options.limit > pathfinding::kExpansionsMax) {
    return invalid(fmt::format("--limit = {}: 1 to {} is allowed", options.limit, pathfinding::kExpansionsMax));
  }
  question.limits.expansions = static_cast<std::uint32_t>(options.limit);
  return question;
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

}  // namespace voxpath::server
