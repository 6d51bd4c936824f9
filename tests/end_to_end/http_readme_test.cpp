// The documents say what the HTTP door does: the curl lines of protocol/README.md work, and server/README.md has every metric.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/http_client.hpp"
#include "tests/support/shared_data.hpp"

#include <regex>
#include <sstream>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

TEST(HttpReadme, TheExamplesWork) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  std::istringstream lines(read_file(VOXPATH_SOURCE_DIR "/protocol/README.md"));
  const std::regex curl(R"(^    curl (?:-d '([^']*)' )?http://127\.0\.0\.1:7421(/\S+)$)");
  int examples = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, curl)) continue;
    ++examples;
    const HttpReply reply = http.ask(match[1].matched ? "POST" : "GET", match[2].str(), match[1].str());
    EXPECT_EQ(reply.status, 200u) << line << "\n" << reply.body;
  }
  EXPECT_GE(examples, 8);
}

TEST(HttpReadme, HasEveryMetric) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  const std::string readme = read_file(VOXPATH_SOURCE_DIR "/server/README.md");
  std::istringstream lines(http.get("/metrics").body);
  const std::regex type(R"(^# TYPE (\S+) \S+$)");
  int metrics = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, type)) continue;
    ++metrics;
    EXPECT_NE(readme.find("`" + match[1].str() + "`"), std::string::npos) << match[1];
  }
  EXPECT_GE(metrics, 24);
}

}  // namespace
}  // namespace voxpath::test
