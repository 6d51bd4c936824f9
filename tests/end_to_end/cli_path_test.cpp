// `voxpath path`: every kind of goal, prices and simplified paths, here and at a server; watching.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// `voxpath path` in the flat world, from 0,64,0.
Ended on_flat(const std::vector<std::string>& more) {
  std::vector<std::string> all{"path", "--world", "flat", "--from", "0,64,0"};
  all.insert(all.end(), more.begin(), more.end());
  return run(all);
}

TEST(CliPath, EveryKindOfGoal) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> questions{
      {{"--to", "9,64,0", "--to", "0,64,-4"}, "FOUND: cost 40, 4 moves"},
      {{"--near", "10.5,64.0,0.5:3"}, "FOUND: cost 70, 7 moves"},
      {{"--column", "-6,0"}, "FOUND: cost 60, 6 moves"},
      {{"--level", "64"}, "FOUND: cost 0, 0 moves"},
      {{"--next-to", "6,64,0"}, "FOUND: cost 50, 5 moves"},
      {{"--flee", "-1.5,64.0,0.5", "--distance", "5"}, "FOUND: cost 30, 3 moves"},
      {{"--see", "20.5,65.0,0.5:10.5"}, "FOUND: cost 100, 10 moves"},
  };
  for (const auto& [goal, answer] : questions) {
    auto drawn = goal;
    drawn.insert(drawn.end(), {"--draw", "--explain"});
    const Ended ended = on_flat(drawn);
    EXPECT_EQ(ended.code, 0) << goal[0] << ": " << ended.err;
    EXPECT_THAT(ended.out, StartsWith(answer)) << goal[0];
  }
  EXPECT_THAT(on_flat({"--to", "9,64,0", "--to", "0,64,-4", "--json"}).out, HasSubstr(R"("goal_index":1,)"));
  EXPECT_EQ(on_flat({}).code, 2);
  EXPECT_THAT(on_flat({"--level", "64", "--to", "1,64,0"}).err, HasSubstr("--to and --level: one kind of goal"));
}

TEST(CliPath, SimplifiesAndPaysPrices) {
  for (const char* how : {"none", "corners", "line_of_sight"}) {
    const Ended ended = on_flat({"--to", "30,64,11", "--simplify", how, "--json"});
    EXPECT_THAT(ended.out, HasSubstr(R"("cost":344,"moves":30,)")) << how << ": the whole path's";
  }
  EXPECT_THAT(on_flat({"--to", "9,64,0", "--price", "4,64,-20..4,65,20=7"}).out, StartsWith("FOUND: cost 97, 9 moves"));
  EXPECT_THAT(on_flat({"--to", "9,64,0", "--price", "4,64,-20..4,65,20=7", "--price", "4,64,0..4,64,0=forbidden"}).out,
              StartsWith("FOUND: cost 105, 9 moves"));
}

// A way across generated land that is too long for the search that comes first.
TEST(CliPath, LongWaysMayCostALittleMore) {
  const std::vector<std::string> question{"path", "--world", "terrain:7", "--from=-110.5,200.0,10.5",
                                          "--to=110.5,200.0,-20.5"};
  const auto asked = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = question;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const auto number = [](const Ended& ended, const std::string& name) {
    std::smatch found;
    const bool there = std::regex_search(ended.out, found, std::regex("\"" + name + "\":(\\d+)"));
    return there ? std::stoi(found[1]) : -1;
  };
  const Ended divided = asked({"--json"});
  const Ended exact = asked({"--json", "--exact"});
  const Ended weighted = asked({"--json", "--exact", "--weight", "1.5"});
  ASSERT_EQ(exact.code, 0) << exact.err << exact.out;
  EXPECT_THAT(exact.out, HasSubstr(R"("exact":true,)"));
  EXPECT_EQ(number(exact, "lower_bound"), number(exact, "cost"));
  for (const Ended* other : {&divided, &weighted}) {
    EXPECT_THAT(other->out, HasSubstr(R"("exact":false,)"));
    EXPECT_LT(number(*other, "expanded"), number(exact, "expanded"));
    EXPECT_GE(number(*other, "cost"), number(exact, "cost"));
    EXPECT_LE(number(*other, "lower_bound"), number(exact, "cost"));
  }
  EXPECT_LE(2 * number(weighted, "cost"), 3 * number(weighted, "lower_bound"));
  EXPECT_THAT(asked({}).out, HasSubstr("A cheaper path may exist, by "));
  EXPECT_THAT(asked({"--weight", "11"}).err, HasSubstr("--weight = 11: 1 to 10 is allowed"));
}

TEST(CliPath, AProofAloneCostsNoSearch) {
  const std::string rock = VOXPATH_SOURCE_DIR "/tests/scenarios/14-no-way-through-stone.scn";
  std::vector<std::string> question{"path", "--world", rock, "--from", "1,5,0", "--to", "1,1,0", "--json"};
  EXPECT_THAT(run(question).out, AllOf(HasSubstr(R"("status":"UNREACHABLE")"), Not(HasSubstr(R"("expanded":0,)"))));
  question.emplace_back("--proof-only");
  const Ended proof = run(question);
  EXPECT_EQ(proof.code, 3);
  EXPECT_THAT(proof.out, AllOf(HasSubstr(R"("status":"UNREACHABLE")"), HasSubstr(R"("expanded":0,)")));
}

TEST(CliPath, EveryOptionGoesToADaemonToo) {
  server::Config config = test_config();
  pathfinding::Agent giant;
  giant.height_px = 160;
  config.profiles.set("giant", giant);
  RunningDaemon daemon(config);
  const std::string server = "127.0.0.1:" + std::to_string(daemon.port());
  const std::vector<std::vector<std::string>> questions{
      {"--to", "9,64,0", "--to", "0,64,-4"},
      {"--near", "10,64,0:3"},
      {"--column", "-6,2"},
      {"--level", "64"},
      {"--next-to", "6,64,0"},
      {"--flee", "1,64,0", "--flee", "0,64,3", "--distance", "9"},
      {"--see", "20,65,0:10"},
      {"--to", "30,64,11", "--simplify", "line_of_sight"},
      {"--to", "30,64,11", "--proof-only"},
      {"--to", "9,64,0", "--price", "4,64,-20..4,65,20=7", "--price", "4,64,0..4,64,0=forbidden"}};
  for (const auto& question : questions) {
    std::vector<std::string> there{"path", "--server", server, "--from", "0,64,0"};
    there.insert(there.end(), question.begin(), question.end());
    const Ended remote = run(there), local = on_flat(question);
    EXPECT_EQ(remote.code, 0) << question[0] << ": " << remote.err;
    EXPECT_EQ(remote.out.substr(0, remote.out.find(';')), local.out.substr(0, local.out.find(';'))) << question[0];
    EXPECT_EQ(remote.out.substr(remote.out.find('\n')), local.out.substr(local.out.find('\n'))) << question[0];
  }
  const auto ask = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"path", "--server", server, "--from", "0,64,0", "--to", "9,64,0"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  EXPECT_EQ(ask({"--agent", "giant", "--set", "max_drop=5"}).code, 0) << "known there only";
  const Ended nobody = ask({"--agent", "nobody"});
  EXPECT_EQ(nobody.code, 2);
  EXPECT_THAT(nobody.err, testing::AllOf(HasSubstr("'nobody'"), HasSubstr("giant")));
  EXPECT_THAT(ask({"--agent", "giant", "--draw"}).err,
              HasSubstr("--draw: how large \"giant\" is only the server knows; say it by --set width=BLOCKS"));
  const Ended drawn = ask({"--agent", "giant", "--draw", "--set", "width=1", "--set", "height=10"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_THAT(drawn.out, HasSubstr("S start"));
  EXPECT_THAT(on_flat({"--to", "9,64,0", "--watch"}).err, HasSubstr("--watch: a world that is loaded here"));
}

v1::SetBlocks stone_at(int x, int y) {
  v1::SetBlocks request;
  request.set_world("flat");
  request.add_changes()->mutable_at()->set_x(x);
  request.mutable_changes(0)->mutable_at()->set_y(y);
  request.mutable_changes(0)->set_block("stone");
  return request;
}

TEST(CliPath, WatchesUntilAnEditBreaksThePath) {
  RunningDaemon daemon;
  client::BlockingClient writer({.port = daemon.port()});
  const std::string server = "127.0.0.1:" + std::to_string(daemon.port());
  for (const bool json : {false, true}) {
    const int z = json ? 9 : 0;
    std::vector<std::string> arguments{
        "path",   "--server", server, "--from", "0,64," + std::to_string(z), "--to", "9,64," + std::to_string(z),
        "--watch"};
    if (json) arguments.emplace_back("--json");
    Process child(VOXPATH_CLI, arguments);
    child.line("watching the path");
    v1::SetBlocks edit = stone_at(4, 65);
    edit.mutable_changes(0)->mutable_at()->set_z(z);
    ASSERT_TRUE(writer.set_blocks(edit));
    const std::string told = child.line("nvalidated|INVALIDATED");
    if (json) {
      EXPECT_THAT(told, StartsWith(R"({"invalidated":{"reason":"BROKEN","waypoint":4,"obstacle":"no_room",)"));
    } else {
      EXPECT_THAT(told, StartsWith("INVALIDATED: waypoint 4 at 4,64,0 cannot be reached: the body does not fit"));
    }
    EXPECT_EQ(child.wait(), 0);
  }
}

TEST(CliPath, ExplainsCostsInThreeTables) {
  const std::string trap = VOXPATH_SOURCE_DIR "/tests/scenarios/28-u-trap.scn";
  const auto ask = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"path", "--world", trap, "--from", "12,1,4", "--to", "15,1,4"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const Ended costs = ask({"--explain", "costs"});
  EXPECT_EQ(costs.code, 0);
  for (const char* text : {"the mob can be in that very cell", "estimated, to the goal\n", "actual, from the start\n",
                           "total\n", "Costs at y = 1"})
    EXPECT_THAT(costs.out, HasSubstr(text));
  EXPECT_THAT(costs.out, HasSubstr(" 278*")) << "the goal's cost, on the path";
  const Ended plain = ask({"--explain"});
  EXPECT_EQ(plain.code, 0);
  EXPECT_THAT(plain.out, HasSubstr("the mob can be in that very cell"));
  EXPECT_EQ(plain.out.find("total\n"), std::string::npos);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--explain", "prices"},
                                             {"--layer", "1"},
                                             {"--explain", "costs", "--layer", "200"},
                                             {"--open-list", "bag"}}) {
    EXPECT_EQ(ask(wrong).code, 2) << wrong.front();
  }
  const Ended far = run({"path", "--from", "0,64,0", "--to", "9,64,0", "--explain", "costs"});
  EXPECT_EQ(far.code, 2);
  EXPECT_THAT(far.err, HasSubstr("--explain costs: a server does not tell"));
  for (const char* list : {"heap", "keyed_heap", "list", "heapsort", "bucket"})
    EXPECT_THAT(ask({"--open-list", list}).out, StartsWith("FOUND: cost 278, "));
}

TEST(CliPath, WatchingEndsWithCtrlC) {
  RunningDaemon daemon;
  Process child(VOXPATH_CLI, {"path", "--server", "127.0.0.1:" + std::to_string(daemon.port()), "--from", "0,64,0",
                              "--to", "9,64,0", "--watch"});
  child.line("watching the path");
  child.signal(SIGINT);
  EXPECT_EQ(child.wait(), 0);
}

TEST(CliPath, TheEndOfAWatchTellsHowTheSearchEnded) {
  RunningDaemon daemon;
  const std::vector<std::string> ask{
      "path", "--server", "127.0.0.1:" + std::to_string(daemon.port()), "--from", "0,64,0", "--watch", "--to"};
  const auto to = [&](std::vector<std::string> more) {
    std::vector<std::string> all = ask;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  Process partial(VOXPATH_CLI, to({"90,64,0", "--limit", "20"}));
  partial.line("watching the path");
  partial.signal(SIGINT);
  EXPECT_EQ(partial.wait(), 3);
  const Ended nothing = run(to({"90,164,90000"}));
  EXPECT_EQ(nothing.code, 4);
  EXPECT_THAT(nothing.err, HasSubstr("there is no path to watch"));
  Process left(VOXPATH_CLI, to({"9,64,0"}));
  left.line("watching the path");
  daemon->stop();
  EXPECT_EQ(left.wait(), 5) << "the server went away";
}

}  // namespace
}  // namespace voxpath::test
