// `voxpath mobs`: a crowd at a voxpathd of its own and at one that runs already.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"

#include <filesystem>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A field of a JSON text, as it stands there.
std::string field(const std::string& json, const std::string& name) {
  std::smatch match;
  const std::regex pattern("\"" + name + "\":(\"[^\"]*\"|[-0-9.a-z]+)");
  return std::regex_search(json, match, pattern) ? match[1].str() : "(no " + name + ")";
}

std::vector<std::string> small(std::vector<std::string> more) {
  std::vector<std::string> all{"mobs",       "--mobs", "30",        "--players", "2",
                               "--duration", "1",      "--warm-up", "0",         "--area=-40,-40,40,40"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Mobs, TestAServerOfTheirOwnAndGiveBackTheWorldAsItWas) {
  const ScratchFolder folder;
  const auto page = folder / "mobs.html";
  const Ended ended =
      run(small({"--world", "terrain:7", "--edits", "40", "--json", "--html", page.string(), "--seed", "3"}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_GE(std::stoi(field(ended.out, "answered")), 15);
  EXPECT_EQ(field(ended.out, "unanswered"), "0");
  EXPECT_EQ(field(ended.out, "edits_refused"), "0");
  EXPECT_NE(field(ended.out, "server_cpu_seconds"), "null");
  EXPECT_THAT(ended.err, HasSubstr("answered"));
  EXPECT_THAT(read_file(page), HasSubstr("<svg"));
}

TEST(Mobs, AnInterruptedTestSaysSo) {
  Process mobs(VOXPATH_CLI,
               {"mobs", "--mobs", "5", "--players", "1", "--duration", "600", "--world", "flat", "--json"});
  mobs.line("answered");  // it is at work
  mobs.signal(SIGINT);
  EXPECT_EQ(mobs.wait(), 130);
  EXPECT_THAT(mobs.output(), HasSubstr(R"("interrupted":true,)"));
}

TEST(Mobs, RefusesWhatIsNotThere) {
  EXPECT_THAT(run(small({"--world", "flat", "--html", ""})).err, HasSubstr("--html"));
  const Ended nobody = run(small({"--world", "flat", "--server-pid", "2147483647"}));
  EXPECT_EQ(nobody.code, 2);
  EXPECT_THAT(nobody.err, HasSubstr("--server-pid = 2147483647: there is no such process"));
}

TEST(Mobs, ASeedIsACrowd) {
  const auto crowd = [](const std::string& seed) {
    return field(run(small({"--world", "terrain:7", "--edits", "10", "--json", "--seed", seed})).out, "crowd");
  };
  const std::string first = crowd("5");
  EXPECT_THAT(first, StartsWith("\""));
  EXPECT_EQ(first, crowd("5"));
  EXPECT_NE(first, crowd("6"));
}

TEST(Mobs, HuntAtARunningServerWithEveryStrategy) {
  RunningDaemon daemon;
  const std::string server = "127.0.0.1:" + std::to_string(daemon.port());
  for (const char* strategy : {"greedy", "path", "random", "intercept", "surround", "flee"}) {
    const Ended ended = run(small({"--server", server, "--strategy", strategy, "--rate", "0", "--watch", "--json"}));
    ASSERT_EQ(ended.code, 0) << strategy << ": " << ended.err;
    EXPECT_EQ(field(ended.out, "unanswered"), "0") << strategy;
    EXPECT_EQ(field(ended.out, "strategy"), "\"" + std::string(strategy) + "\"");
    EXPECT_EQ(std::stoi(field(ended.out, "asked")) == 0, std::string(strategy) == "greedy") << strategy;
  }
}

TEST(Mobs, AreDrawnAsLinesWhereThereIsNoTerminal) {
  RunningDaemon daemon;
  const Ended ended = run(small({"--server", "127.0.0.1:" + std::to_string(daemon.port()), "--rate", "0", "--draw"}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("nearest mob"));
  EXPECT_THAT(ended.out, HasSubstr("path, as the mob sees it"));
  EXPECT_EQ(ended.out.find('\x1b'), std::string::npos);
}

TEST(Mobs, RefuseWhatIsWrongByName) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> bad{
      {"--mobs", {"", "0", "100001", "many"}},
      {"--players", {"0"}},
      {"--strategy", {"", "Path"}},
      {"--rate", {"-1", "21", "nan"}},
      {"--edits", {"-1"}},
      {"--connections", {"0", "65"}},
      {"--duration", {"0", "inf"}},
      {"--area", {"1,2,3", "0,0,1,1", "0,0,x,9", "99999999999,0,1,1"}},
      {"--slices", {"0"}},
      {"--limit", {"1000001"}},
      {"--seed", {"-1", "x", "99999999999999999999", "-99999999999999999999"}},
      {"--world", {"terrain:x"}},
      {"--workers", {"257"}},
      {"--mob-speed", {"0"}},
  };
  for (const auto& [option, values] : bad) {
    for (const std::string& value : values) {
      std::vector<std::string> arguments{"mobs", option, value};
      const Ended ended = run(arguments);
      EXPECT_EQ(ended.code, 2) << option << " '" << value << "': " << ended.err;
      EXPECT_EQ(ended.out, "") << option;
    }
  }
  EXPECT_EQ(run({"mobs", "--world", "flat", "--world-name", "other"}).code, 2) << "it has one, of its own name";
  EXPECT_EQ(run({"mobs", "--server", "127.0.0.1:1", "--workers", "2"}).code, 2);
  EXPECT_EQ(run({"mobs", "--server", "127.0.0.1:1"}).code, 5);
  EXPECT_EQ(run({"mobs", "--world", "flat", "--html", "/no/such/folder/x.html"}).code, 5);
  EXPECT_EQ(run({"mobs", "--world", "/no/such/world"}).code, 5);
  RunningDaemon daemon;
  const Ended nowhere =
      run({"mobs", "--server", "127.0.0.1:" + std::to_string(daemon.port()), "--area", "9000,9000,9100,9100"});
  EXPECT_EQ(nowhere.code, 5);
  EXPECT_THAT(nowhere.err, HasSubstr("there is no ground"));
}

}  // namespace
}  // namespace voxpath::test
