// The planner against the judge on random worlds of all kinds of blocks: same status, same cost, and every path replays move by move.
#include "pathfinding/search.hpp"
#include "server/checks/scenario_check.hpp"
#include "server/scenario/scenario_file.hpp"
#include "tests/judge/naive_planner.hpp"
#include "tests/judge/path_checker.hpp"
#include "tests/judge/random_worlds.hpp"
#include "tests/support/shared_data.hpp"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

constexpr std::uint64_t kWorldsDefault = test::kSanitized ? 200 : 2'000;
constexpr std::uint64_t kWorldsLong = 100'000;  // with VOXPATH_LONG=1
constexpr int kQuestionsPerWorld = 6;
constexpr int kFailuresShownMax = 8;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

const world::BlockTable& blocks() {
  static const world::BlockTable table = *world::BlockTable::for_version(world::BlockTable::versions().back());
  return table;
}

server::Scenario drawn_world(const RandomCase& drawn) {
  auto scenario = server::read_scenario(scenario_text(drawn), blocks());
  if (!scenario) throw std::logic_error(scenario.error().message);
  return std::move(*scenario);
}

std::optional<MoveKind> kind_of(pathfinding::MoveKind kind) {
  switch (kind) {
    case pathfinding::MoveKind::walk:
      return MoveKind::walk;
    case pathfinding::MoveKind::diagonal:
      return MoveKind::diagonal;
    case pathfinding::MoveKind::jump:
      return MoveKind::jump;
    case pathfinding::MoveKind::drop:
      return MoveKind::drop;
    case pathfinding::MoveKind::climb:
      return MoveKind::climb;
    case pathfinding::MoveKind::start:
      return std::nullopt;
    case pathfinding::MoveKind::leap:
    case pathfinding::MoveKind::fly:
    case pathfinding::MoveKind::swim:
      break;
  }
  throw std::logic_error("a walker without leaps was given a leap, a flight or a dive");
}

std::vector<ClaimedStep> claims(const pathfinding::Answer& answer) {
  std::vector<ClaimedStep> steps;
  for (const pathfinding::Waypoint& w : answer.path) {
    steps.push_back({.x = w.cell.x,
                     .y = w.cell.y,
                     .z = w.cell.z,
                     .floor_px = w.floor_px,
                     .kind = kind_of(w.kind),
                     .opens = w.action == pathfinding::Action::open});
  }
  return steps;
}

std::string expectation(const Answer& answer) {
  std::string text(name(answer.status));
  if (answer.status == Status::found) {
    text += fmt::format(" cost={} end=({},{},{})", answer.cost, answer.goal->x, answer.goal->y, answer.goal->z);
  }
  if (answer.reason != Reason::none) text += fmt::format(" reason={}", name(answer.reason));
  return text;
}

std::string said(const pathfinding::Answer& answer) {
  std::string text =
      fmt::format("{} {} cost={}:", pathfinding::name(answer.status), pathfinding::name(answer.reason), answer.cost);
  for (const pathfinding::Waypoint& w : answer.path) {
    text += fmt::format(" {}({},{},{})@{}{}", pathfinding::name(w.kind), w.cell.x, w.cell.y, w.cell.z, w.floor_px,
                        w.action == pathfinding::Action::open ? " OPEN" : "");
  }
  return text;
}

/// What is wrong with the planner's answer; the empty text when it is right.
std::string objection(const Answer& judged, const pathfinding::Answer& answer, Ground& ground) {
  const auto status = static_cast<std::size_t>(judged.status);
  constexpr std::array kStatuses{pathfinding::AnswerStatus::found, pathfinding::AnswerStatus::partial,
                                 pathfinding::AnswerStatus::unreachable, pathfinding::AnswerStatus::start_invalid,
                                 pathfinding::AnswerStatus::goal_invalid};
  if (answer.status != kStatuses.at(status)) return "another status";
  const bool both_missing =
      judged.reason == Reason::missing_chunk && answer.reason == pathfinding::PartialReason::missing_chunk;
  if (judged.status == Status::partial && !both_missing) return "another reason";
  if (answer.path.empty()) return judged.start ? "no path, not even the start" : "";
  const PathVerdict verdict = check_path(ground, claims(answer));
  if (!verdict.ok()) return fmt::format("waypoint {}: {}", verdict.first_wrong, verdict.why);
  if (verdict.cost != answer.cost) return fmt::format("the path costs {}", verdict.cost);
  const world::BlockPos first = answer.path.front().cell;
  if (first != world::BlockPos{judged.start->x, judged.start->y, judged.start->z}) return "another start";
  if (judged.status != Status::found) return "";
  if (answer.cost != judged.cost) return "another cost";
  const world::BlockPos last = answer.path.back().cell;
  if (last != world::BlockPos{judged.goal->x, judged.goal->y, judged.goal->z}) return "another goal";
  return "";
}

struct Disagreement {
  std::string what;                       // empty: none
  std::vector<std::string> expectations;  // the judge's answers, as expect lines
};

Disagreement compare(const RandomCase& drawn) {
  const server::Scenario scenario = drawn_world(drawn);
  const world::Ref<const world::Snapshot> snapshot = scenario.world->snapshot();
  const SnapshotWorld view(snapshot);
  NaivePlanner judge(view, drawn.agent);
  JudgeAgent counting = drawn.agent;
  counting.metric = Metric::moves;
  NaivePlanner counting_judge(view, counting);
  pathfinding::Search search;
  Disagreement result;
  for (std::size_t i = 0; i < drawn.questions.size(); ++i) {
    const Query question{.start = drawn.questions[i].start, .goal = drawn.questions[i].goal};
    const Answer judged = judge.plan(question);
    result.expectations.push_back(expectation(judged));
    auto query = server::to_query(scenario.queries[i]);
    if (!query) throw std::logic_error(query.error().message);
    query->second.expansions = pathfinding::kExpansionsMax;
    for (const auto algorithm :
         {pathfinding::Algorithm::astar, pathfinding::Algorithm::dijkstra, pathfinding::Algorithm::bfs}) {
      query->first.algorithm = algorithm;
      if (const auto begun = search.begin(snapshot, query->first, query->second); !begun)
        throw std::logic_error(begun.error().message);
      while (!search.advance(pathfinding::kExpansionsMax)) {
      }
      const pathfinding::Answer answer = search.answer();
      const bool counts = algorithm == pathfinding::Algorithm::bfs;
      // The cost of a breadth-first answer is not asked here: its moves are.
      NaivePlanner& by = counts ? counting_judge : judge;
      const Answer wanted = counts ? counting_judge.plan(question) : judged;
      std::string wrong;
      if (!counts) {
        wrong = objection(wanted, answer, by.ground());
      } else if (wanted.status == Status::found && (answer.status != pathfinding::AnswerStatus::found ||
                                                    static_cast<std::int64_t>(answer.moves()) != wanted.cost)) {
        wrong = fmt::format("breadth-first search needs {} moves", wanted.cost);
      }
      if (!wrong.empty() && result.what.empty()) {
        result.what = fmt::format("{} (algorithm {})\njudge: {}\nplanner: {}", wrong, static_cast<int>(algorithm),
                                  expectation(wanted), said(answer));
      }
    }
  }
  return result;
}

std::vector<Node> nodes_in_box(const RandomCase& drawn) {
  const server::Scenario scenario = drawn_world(drawn);
  const SnapshotWorld view(scenario.world->snapshot());
  Ground ground(view, drawn.agent);
  std::vector<Node> nodes;
  for (int x = drawn.box.min.x; x <= drawn.box.max.x; ++x) {
    for (int z = drawn.box.min.z; z <= drawn.box.max.z; ++z) {
      const std::vector<Node>& column = ground.nodes(x, z);
      nodes.insert(nodes.end(), column.begin(), column.end());
    }
  }
  return nodes;
}

TEST(PlannerVersusJudge, SameStatusSameCostAndPathsThatReplay) {
  const std::uint64_t first = from_environment("VOXPATH_SEED", 1);
  const std::uint64_t worlds =
      from_environment("VOXPATH_WORLDS", from_environment("VOXPATH_LONG", 0) != 0 ? kWorldsLong : kWorldsDefault);
  int shown = 0;
  for (std::uint64_t seed = first; seed < first + worlds && shown < kFailuresShownMax; ++seed) {
    RandomCase drawn = random_case(seed);
    add_questions(drawn, nodes_in_box(drawn), kQuestionsPerWorld);
    const Disagreement found = compare(drawn);
    if (found.what.empty()) continue;
    ++shown;
    const RandomCase small = shrink(drawn, [](const RandomCase& c) { return !compare(c).what.empty(); });
    const Disagreement left = compare(small);
    ADD_FAILURE() << "seed " << seed << ": " << found.what << "\nmade smaller: " << left.what << "\n"
                  << scenario_text(small, left.expectations);
  }
}

}  // namespace
}  // namespace voxpath::judge
