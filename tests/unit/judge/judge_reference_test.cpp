// The judge against the reference answers on real worlds: it must agree before it may judge.
#include "server/loading/world_loader.hpp"
#include "tests/judge/naive_planner.hpp"
#include "tests/judge/path_checker.hpp"
#include "tests/judge/reference_table.hpp"
#include "tests/support/shared_data.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

class JudgeReference : public testing::TestWithParam<const char*> {};

std::string place(const ReferenceRow& row) {
  return "row " + std::to_string(row.id) + " " + row.agent_label + " features " + row.features;
}

void expect_agreement(const ReferenceRow& row, const Answer& answer, Ground& ground) {
  ASSERT_TRUE(answer.start && answer.goal) << place(row) << ": " << name(answer.status);
  EXPECT_EQ(answer.start->floor, row.start_floor_px) << place(row);
  EXPECT_EQ(answer.goal->floor, row.goal_floor_px) << place(row);
  EXPECT_EQ(answer.start->y, row.start.y) << place(row);
  EXPECT_EQ(answer.goal->y, row.goal.y) << place(row);
  const Status unreachable = row.missing ? Status::partial : Status::unreachable;
  EXPECT_EQ(name(answer.status), name(row.found ? Status::found : unreachable)) << place(row);
  if (answer.status == Status::partial) {
    EXPECT_EQ(answer.reason, Reason::missing_chunk) << place(row);
  }
  EXPECT_EQ(answer.cost, row.cost) << place(row);
  if (answer.status != Status::found) return;
  EXPECT_EQ(answer.moves_min, row.moves_min) << place(row);
  EXPECT_EQ(answer.moves_max, row.moves_max) << place(row);
  std::vector<ClaimedStep> path;
  for (const Step& step : answer.path) path.push_back(claim(step));
  const PathVerdict verdict = check_path(ground, path);
  EXPECT_TRUE(verdict.ok()) << place(row) << ": " << verdict.why;
  EXPECT_EQ(verdict.cost, row.cost) << place(row);
}

TEST_P(JudgeReference, AgreesWithEveryRow) {
  const std::string world_name = GetParam();
  const std::filesystem::path folder = test::shared_dir() / "worlds" / world_name;
  VOXPATH_NEEDS_SHARED(folder);
  const auto rows = read_reference(std::filesystem::path(VOXPATH_TEST_DATA) / "reference" / (world_name + ".tsv"));
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  const auto loaded = server::load_world(folder, {}, 2, {});
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const SnapshotWorld view(loaded->world->snapshot());
  std::map<std::string, std::unique_ptr<NaivePlanner>> planners;  // by agent: each keeps what it has seen of the world
  for (const ReferenceRow& row : *rows) {
    std::unique_ptr<NaivePlanner>& planner = planners[describe(row.agent)];
    if (!planner) planner = std::make_unique<NaivePlanner>(view, row.agent);
    const Answer answer = planner->plan({.start = Place::cell(row.start.x, row.start.y, row.start.z),
                                         .goal = {.places = {Place::cell(row.goal.x, row.goal.y, row.goal.z)}}});
    expect_agreement(row, answer, planner->ground());
  }
}

INSTANTIATE_TEST_SUITE_P(RealWorlds, JudgeReference,
                         testing::Values("01-java1.12.2-forest", "02-java1.13.2-protochunks", "03-java1.16-mountains",
                                         "04-java1.18.1-four-regions", "05-java1.21.1-mixed-status",
                                         "06-pgm-pyramid_scheme-1.8", "07-allblocks-1.14.4"),
                         [](const auto& param) {
                           std::string text = param.param;
                           for (char& c : text) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return text;
                         });

}  // namespace
}  // namespace voxpath::judge
