// `voxpath paths`: many starts and one goal, here and at a server.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Ended on_flat(const std::vector<std::string>& more) {
  std::vector<std::string> all{"paths", "--world", "flat"};
  all.insert(all.end(), more.begin(), more.end());
  return run(all);
}

TEST(CliPaths, TellsOfEachStart) {
  const Ended ended = on_flat({"--to", "0,64,0", "--from", "9,64,0", "--from=-4,64,0", "--from", "0,64,0"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("3 starts: 3 FOUND, 0 by a search that they shared; "));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("\n  9,64,0 "), HasSubstr("\n  -4,64,0 "), HasSubstr("\n  0,64,0 ")));
  const Ended json = on_flat({"--to", "0,64,0", "--from", "9,64,0", "--from=-4.5,64.0,0.5", "--json"});
  EXPECT_THAT(json.out, StartsWith(R"({"paths":[{"status":"FOUND",)"));
  EXPECT_THAT(json.out, AllOf(HasSubstr(R"("cost":90,"moves":9,)"), HasSubstr(R"("cost":50,"moves":5,)"),
                              HasSubstr(R"("from":[9,64,0])"), HasSubstr(R"("shared":0)")));
}

TEST(CliPaths, ReadsStartsFromAFileAndAsksAServer) {
  const ScratchFolder folder;
  const std::string file = (folder.path() / "mobs.txt").string();
  std::ofstream text(file);
  text << "# mobs\n\n";
  for (int i = 0; i < 200; ++i) text << i % 60 - 30 << ",64," << i % 50 - 25 << "  # one\r\n";
  text.close();
  RunningDaemon daemon;
  const std::vector<std::string> question{"--to", "40,64,40", "--from-file", file, "--json"};
  std::vector<std::string> there{"paths", "--server", "127.0.0.1:" + std::to_string(daemon.port())};
  there.insert(there.end(), question.begin(), question.end());
  const auto without_times = [](const Ended& ended) {
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out.substr(0, ended.out.rfind(R"("search_ms")"));
  };
  const std::string here = without_times(on_flat(question));
  EXPECT_EQ(here, without_times(run(there)));
  EXPECT_THAT(here, HasSubstr(R"("from":[29,64,-16])"));
}

TEST(CliPaths, EndsWithWhatTheWorstAnswerSays) {
  EXPECT_EQ(on_flat({"--to", "0,64,0", "--from", "9,64,0", "--from", "5000,64,0"}).code, 4);
  EXPECT_EQ(on_flat({"--to", "0,64,0", "--from", "9,64,0", "--from", "90,64,0", "--limit", "20"}).code, 3);
  const Ended none = on_flat({"--to", "0,64,0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--from: at least one start is needed"));
  EXPECT_THAT(on_flat({"--to", "0,64,0", "--from", "1,2"}).err, HasSubstr("--from"));
  EXPECT_THAT(on_flat({"--to", "0,64,0", "--from-file", "/no/such/file"}).err, HasSubstr("/no/such/file"));
}

TEST(CliPaths, TakesAsManyStartsAsAServerDoes) {
  const ScratchFolder folder;
  for (const int more : {0, 1}) {
    const std::string file = (folder.path() / ("mobs" + std::to_string(more))).string();
    std::ofstream text(file);
    for (int i = 0; i < 1'024 + more; ++i) text << i % 60 << ",64,3\n";
    text.close();
    const Ended ended = on_flat({"--to", "0,64,0", "--from-file", file});
    EXPECT_EQ(ended.code, more == 0 ? 0 : 2);
    if (more == 1) {
      EXPECT_THAT(ended.err, HasSubstr("1025 starts given, at most 1024 are allowed"));
    }
  }
  const std::string wrong = (folder.path() / "wrong").string();
  std::ofstream(wrong) << "0,64,0\n\n0,sixty,0\n";
  EXPECT_THAT(on_flat({"--to", "0,64,0", "--from-file", wrong}).err, HasSubstr("line 3"));
}

}  // namespace
}  // namespace voxpath::test
