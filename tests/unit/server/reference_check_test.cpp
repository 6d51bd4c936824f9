// Exact answers of an independent solver on real worlds, through the loader and the planner.
#include "server/checks/reference_check.hpp"

#include "server/loading/world_loader.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

constexpr unsigned kThreads = 2;

class Reference : public testing::TestWithParam<const char*> {};

TEST_P(Reference, AnswersAreExact) {
  const auto folder = test::shared_dir() / "worlds" / GetParam();
  VOXPATH_NEEDS_SHARED(folder);
  const auto loaded = load_world(folder, {}, kThreads, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto rows = read_reference(test::read_file(VOXPATH_TEST_DATA "/reference/" + std::string(GetParam()) + ".tsv"));
  ASSERT_TRUE(rows) << rows.error().message;
  pathfinding::Search search;
  const CheckReport report = check_reference(*rows, loaded->world->snapshot(), search);
  for (const auto& f : report.failures) ADD_FAILURE() << f;
  EXPECT_EQ(report.passed, rows->size());
  EXPECT_EQ(rows->size(), 200u);
}

INSTANTIATE_TEST_SUITE_P(Worlds, Reference,
                         testing::Values("01-java1.12.2-forest", "02-java1.13.2-protochunks", "03-java1.16-mountains",
                                         "04-java1.18.1-four-regions", "05-java1.21.1-mixed-status",
                                         "06-pgm-pyramid_scheme-1.8", "07-allblocks-1.14.4"),
                         [](const auto& param) {
                           std::string name = param.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return "world_" + name;
                         });

TEST(ReferenceTable, FaultsNameLineAndColumn) {
  const auto short_row = read_reference("id\tagent\n1\n");
  ASSERT_FALSE(short_row);
  EXPECT_NE(short_row.error().message.find("line 2"), std::string::npos);
  EXPECT_NE(short_row.error().message.find("1 columns, the header has 2"), std::string::npos);
}

}  // namespace
}  // namespace voxpath::server
