#include "tests/property/random_cases.hpp"

#include "server/checks/scenario_check.hpp"
#include "tests/judge/scenario_case.hpp"
#include "tests/support/shared_data.hpp"

#include <cstdlib>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace voxpath::judge {
namespace {

constexpr int kQuestionsPerWorld = 4;
constexpr std::uint64_t kLongFactor = 50;
constexpr std::uint64_t kSanitizedDivisor = 10;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

const world::BlockTable& blocks() {
  static const world::BlockTable table = *world::BlockTable::for_version(world::BlockTable::versions().back());
  return table;
}

server::Scenario scenario_of(const RandomCase& drawn) {
  auto scenario = server::read_scenario(scenario_text(drawn), blocks());
  if (!scenario) throw std::logic_error(scenario.error().message);
  return std::move(*scenario);
}

rc::Gen<RandomCase> random_cases() {
  const auto seeds = rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
  return rc::gen::shrink(rc::gen::map(seeds, case_with_questions), [](const RandomCase& drawn) {
    return rc::seq::map(rc::seq::fromContainer(simplifications(drawn)),
                        [drawn](const std::function<void(RandomCase&)>& change) {
                          RandomCase smaller = drawn;
                          change(smaller);
                          return smaller;
                        });
  });
}

std::string with_expectations(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  NaivePlanner judge(prepared.view, drawn.agent);
  std::vector<std::string> lines;
  for (const Query& question : prepared.questions) lines.push_back(expectation(judge.plan(question)));
  return scenario_text(drawn, lines);
}

}  // namespace

RandomCase case_with_questions(std::uint64_t seed) {
  RandomCase drawn = random_case(seed);
  const server::Scenario scenario = scenario_of(drawn);
  const SnapshotWorld view(scenario.world->snapshot());
  Ground ground(view, drawn.agent);
  std::vector<Node> nodes;
  for (int x = drawn.box.min.x; x <= drawn.box.max.x; ++x) {
    for (int z = drawn.box.min.z; z <= drawn.box.max.z; ++z) {
      const std::vector<Node>& column = ground.nodes(x, z);
      nodes.insert(nodes.end(), column.begin(), column.end());
    }
  }
  add_questions(drawn, nodes, kQuestionsPerWorld);
  return drawn;
}

/// RapidCheck prints a counterexample by this.
std::ostream& operator<<(std::ostream& out, const RandomCase& drawn) { return out << '\n' << with_expectations(drawn); }

void for_all_cases(std::uint64_t worlds, const Property& property) {
  rc::detail::TestParams params;
  params.seed = from_environment("VOXPATH_SEED", 1);
  if (from_environment("VOXPATH_LONG", 0) != 0) worlds *= kLongFactor;
  if (test::kSanitized) worlds /= kSanitizedDivisor;
  params.maxSuccess = static_cast<int>(from_environment("VOXPATH_WORLDS", worlds));
  const rc::Gen<RandomCase> cases = random_cases();
  const auto result = rc::detail::checkTestable(
      [&] {
        const RandomCase drawn = *cases;
        const std::string wrong = property(drawn);
        if (!wrong.empty()) RC_FAIL(wrong);
      },
      rc::detail::TestMetadata{}, params);
  if (result.is<rc::detail::SuccessResult>()) return;
  std::ostringstream report;
  report << "with VOXPATH_SEED=" << params.seed << ":\n";
  rc::detail::printResultMessage(result, report);
  ADD_FAILURE() << report.str();
}

PreparedCase::PreparedCase(const RandomCase& drawn) : view(nullptr) {
  server::Scenario scenario = scenario_of(drawn);
  world = std::move(scenario.world);
  snapshot = world->snapshot();
  view = SnapshotWorld(snapshot);
  for (const server::ScenarioQuery& asked : scenario.queries) {
    const auto query = server::to_query(asked);
    if (!query) throw std::logic_error(query.error().message);
    queries.push_back(query->first);
    questions.push_back(judge::to_query(asked));
  }
}

void begin(pathfinding::Search& search, const world::Ref<const world::Snapshot>& snapshot,
           const pathfinding::Query& query, std::uint32_t budget) {
  const auto begun = search.begin(snapshot, query, {.expansions = budget});
  if (!begun) throw std::logic_error(begun.error().message);
}

pathfinding::Answer ask(pathfinding::Search& search, const world::Ref<const world::Snapshot>& snapshot,
                        const pathfinding::Query& query, std::uint32_t budget) {
  begin(search, snapshot, query, budget);
  while (!search.advance(pathfinding::kExpansionsMax)) {
  }
  return search.answer();
}

std::vector<ClaimedStep> claims(std::span<const pathfinding::Waypoint> path) {
  std::vector<ClaimedStep> steps;
  for (const pathfinding::Waypoint& w : path) {
    ClaimedStep step{.x = w.cell.x, .y = w.cell.y, .z = w.cell.z, .floor_px = w.floor_px};
    for (const MoveKind kind : {MoveKind::walk, MoveKind::diagonal, MoveKind::jump, MoveKind::drop, MoveKind::climb,
                                MoveKind::leap, MoveKind::fly, MoveKind::swim}) {
      if (name(kind) == pathfinding::name(w.kind)) step.kind = kind;
    }
    step.opens = w.action == pathfinding::Action::open;
    steps.push_back(step);
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

}  // namespace voxpath::judge
