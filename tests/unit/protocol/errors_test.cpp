#include "protocol/errors.hpp"

#include "protocol/voxpath.pb.h"

#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::protocol {
namespace {

TEST(ErrorTable, LabelsAreDistinctAndCodesAreThoseOfTheMessage) {
  std::set<std::string_view> labels;
  for (const ErrorRow& row : error_table()) {
    EXPECT_TRUE(labels.insert(row.label).second) << row.label;
    EXPECT_EQ(&row_of(row.kind), &row);
    EXPECT_EQ(row_of(row.label), &row);
    ASSERT_TRUE(v1::Error::Code_IsValid(row.rpc_code)) << row.label;
    EXPECT_EQ(v1::Error::Code_Name(static_cast<v1::Error::Code>(row.rpc_code)), row.rpc) << row.label;
    EXPECT_GE(row.http_status, 400) << row.label;
    EXPECT_LT(row.http_status, 600) << row.label;
    EXPECT_FALSE(row.help.empty()) << row.label;
  }
  EXPECT_EQ(row_of("no such label"), nullptr);
}

TEST(ErrorTable, IsTheOneInTheReadme) {
  std::ifstream file(VOXPATH_SOURCE_DIR "/protocol/README.md");
  std::stringstream readme;
  readme << file.rdbuf();
  for (const ErrorRow& row : error_table()) {
    const std::string line =
        fmt::format("| `{}` | {} {} | {} | {} |\n", row.label, row.rpc, row.rpc_code, row.http_status, row.help);
    EXPECT_NE(readme.str().find(line), std::string::npos) << "missing in protocol/README.md: " << line;
  }
}

TEST(WriteError, CarriesEverything) {
  v1::Error error;
  write_error({ErrorKind::queue_full, "4096 jobs wait", "queue", "4096", "4096 jobs", 50}, &error);
  EXPECT_EQ(error.code(), v1::Error::RESOURCE_EXHAUSTED);
  EXPECT_EQ(error.reason(), "queue_full");
  EXPECT_EQ(error.message(), "4096 jobs wait");
  EXPECT_EQ(error.field(), "queue");
  EXPECT_EQ(error.value(), "4096");
  EXPECT_EQ(error.limit(), "4096 jobs");
  EXPECT_EQ(error.retry_after_ms(), 50u);
}

TEST(Printable, LeavesNothingThatCouldForgeALogLine) {
  EXPECT_EQ(printable("zombie-ai 1.2"), "zombie-ai 1.2");
  EXPECT_EQ(printable("a\nb\x1b\"\\\xff"), "a\\x0ab\\x1b\\x22\\x5c\\xff");
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcdef...");
  EXPECT_EQ(printable(""), "");
}

}  // namespace
}  // namespace voxpath::protocol
