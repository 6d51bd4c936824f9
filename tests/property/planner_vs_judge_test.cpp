// The planner against the judge on random worlds of all kinds of blocks, mobs, goals and boxes: same status, same cost with every algorithm
// and heuristic, and every path replays move by move.
#include "tests/property/random_cases.hpp"
#include "tests/support/shared_data.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using pathfinding::Algorithm;
using pathfinding::AnswerStatus;
using pathfinding::Heuristic;

constexpr std::uint64_t kWorlds = 2'000;

/// What is wrong with a found path's end.
std::string end_objection(GoalSet& goals, const pathfinding::Answer& answer, Ground& ground) {
  const world::BlockPos last = answer.path.back().cell;
  const std::optional<Node> end = ground.node(last.x, last.y, last.z);
  if (!end || !goals.contains(*end)) return "the path does not end in a goal";
  if (goals.resolved().empty()) return "";
  if (answer.goal_index >= goals.resolved().size()) return "there is no goal of that index";
  const std::optional<Node>& named = goals.resolved()[answer.goal_index];
  return named && named->same_place(*end) ? "" : "another goal was reached than the answer says";
}

/// What is wrong with the planner's answer; the empty text when it is right.
std::string objection(const Query& asked, const Answer& judged, const pathfinding::Answer& answer, Ground& ground) {
  constexpr std::array kStatuses{AnswerStatus::found, AnswerStatus::partial, AnswerStatus::unreachable,
                                 AnswerStatus::start_invalid, AnswerStatus::goal_invalid};
  if (answer.status != kStatuses.at(static_cast<std::size_t>(judged.status))) return "another status";
  const bool both_missing =
      judged.reason == Reason::missing_chunk && answer.reason == pathfinding::PartialReason::missing_chunk;
  if (judged.status == Status::partial && !both_missing) return "another reason";
  if (answer.path.empty()) return judged.start ? "no path, not even the start" : "";
  const PathVerdict verdict = check_path(ground, claims(answer.path), asked.boxes);
  if (!verdict.ok()) return fmt::format("waypoint {}: {}", verdict.first_wrong, verdict.why);
  const auto moves = static_cast<std::int64_t>(answer.moves());
  const std::int64_t cost = asked.fewest_moves ? moves : verdict.cost;
  if (cost != answer.cost) return fmt::format("the path costs {}", cost);
  const world::BlockPos first = answer.path.front().cell;
  if (first != world::BlockPos{judged.start->x, judged.start->y, judged.start->z}) return "another start";
  if (judged.status != Status::found) return "";
  if (answer.exact ? answer.cost != judged.cost : answer.cost < judged.cost) return "another cost";
  GoalSet goals(ground, asked.goal);
  return end_objection(goals, answer, ground);
}

struct Way {
  Algorithm algorithm;
  Heuristic heuristic;
};
constexpr std::array kWays{Way{Algorithm::astar, Heuristic::octile},    Way{Algorithm::astar, Heuristic::chebyshev},
                           Way{Algorithm::astar, Heuristic::euclidean}, Way{Algorithm::astar, Heuristic::manhattan},
                           Way{Algorithm::astar, Heuristic::zero},      Way{Algorithm::dijkstra, Heuristic::octile},
                           Way{Algorithm::bfs, Heuristic::octile}};

/// What the random cases led to, so that the test can say whether it has tried everything.
struct Coverage {
  std::map<std::string, int> counts;
  void note(const Query& asked, const Answer& judged, JudgeAgent agent) {
    constexpr std::array<std::string_view, 7> kGoals{"places", "radius", "column", "level", "next_to", "flee", "sight"};
    ++counts[fmt::format("status {}", name(judged.status))];
    if (judged.status != Status::found) return;
    ++counts[fmt::format("goal {}", kGoals.at(static_cast<std::size_t>(asked.goal.kind)))];
    if (agent.footprint() > 1) ++counts["wide"];
    const auto on_the_way = [&](const auto& is) { return std::any_of(judged.path.begin(), judged.path.end(), is); };
    counts["path climbs"] += on_the_way([](const Step& s) { return s.kind == MoveKind::climb; });
    counts["path opens"] += on_the_way([](const Step& s) { return s.kind && s.node.opens; });
    for (const Step& step : judged.path) {
      if (step.kind) ++counts[fmt::format("move {}", name(*step.kind))];
      if (step.kind && step.node.opens) ++counts["opens"];
      if (step.kind && surcharge(asked.boxes, step.node) != 0) ++counts["priced"];
    }
  }
};

std::string compare(const RandomCase& drawn, Coverage& coverage) {
  const PreparedCase prepared(drawn);
  NaivePlanner judge(prepared.view, drawn.agent);
  pathfinding::Search search;
  for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
    Query question = prepared.questions[i];
    const Answer judged = judge.plan(question);
    coverage.note(question, judged, drawn.agent);
    question.fewest_moves = true;
    const Answer counted = judge.plan(question);
    pathfinding::Query query = prepared.queries[i];
    for (const Way& way : kWays) {
      query.algorithm = way.algorithm;
      query.heuristic = way.heuristic;
      const pathfinding::Answer answer = ask(search, prepared.snapshot, query);
      question.fewest_moves = way.algorithm == Algorithm::bfs;
      const Answer& wanted = question.fewest_moves ? counted : judged;
      std::string wrong = objection(question, wanted, answer, judge.ground());
      const bool is_manhattan = way.heuristic == Heuristic::manhattan;
      if (wrong.empty() && !answer.exact && !is_manhattan) wrong = "the answer says that it is not exact";
      if (wrong.empty()) continue;
      return fmt::format("{} (algorithm {}, heuristic {})\njudge: {}\nplanner: {}", wrong,
                         static_cast<int>(way.algorithm), static_cast<int>(way.heuristic), expectation(wanted),
                         said(answer));
    }
  }
  return "";
}

TEST(PlannerVersusJudge, SameStatusSameCostAndPathsThatReplay) {
  Coverage coverage;
  for_all_cases(kWorlds, [&](const RandomCase& drawn) { return compare(drawn, coverage); });
  if (HasFailure()) return;
  if (test::kSanitized) return;  // a tenth of the worlds: rare moves are met by the whole run
  for (const char* what : {"status found",
                           "status partial",
                           "status unreachable",
                           "status start_invalid",
                           "status goal_invalid",
                           "goal places",
                           "goal radius",
                           "goal column",
                           "goal level",
                           "goal next_to",
                           "goal flee",
                           "goal sight",
                           "move walk",
                           "move diagonal",
                           "move jump",
                           "move drop",
                           "move climb",
                           "move leap",
                           "move fly",
                           "move swim",
                           "opens",
                           "priced",
                           "wide"}) {
    RecordProperty(what, coverage.counts[what]);
    EXPECT_GE(coverage.counts[what], 5) << what << " is hardly ever met: the random cases do not try it";
  }
  // Rules of their own, which take many worlds to be tried in all their ways.
  for (const char* what : {"path climbs", "path opens"}) {
    RecordProperty(what, coverage.counts[what]);
    EXPECT_GE(coverage.counts[what] * 100, coverage.counts["status found"])
        << what << " in less than one path of a hundred";
  }
}

}  // namespace
}  // namespace voxpath::judge
