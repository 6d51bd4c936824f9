// The built program `voxpath`: what it prints and with which code it ends, on drawn, generated and real little worlds, and against a
// running daemon.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kTrap = VOXPATH_SOURCE_DIR "/tests/scenarios/28-u-trap.scn";

/// `voxpath path` in the drawn world of a bag with one way round.
std::vector<std::string> in_trap(std::vector<std::string> more = {}) {
  std::vector<std::string> all{"path", "--world", kTrap, "--from", "12.5,1.0,4.5", "--to", "15.5,1.0,4.5"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(Cli, FindsAWayAndEndsWithZero) {
  const Ended ended = run(in_trap());
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, StartsWith("FOUND: cost 278, 27 moves; "));
  EXPECT_THAT(ended.out, HasSubstr("walk west x9"));
  EXPECT_EQ(ended.err, "");
}

TEST(Cli, DrawsTheWay) {
  const Ended ended = run(in_trap({"--draw", "--margin", "0"}));
  EXPECT_EQ(ended.code, 0);
  // Round the far end of the bag; which of the equally short ways into its corners is left to the search.
  EXPECT_THAT(ended.out, HasSubstr("S#.G\n"));
  EXPECT_THAT(ended.out, HasSubstr("*************.\n"));
  EXPECT_THAT(ended.out, HasSubstr("S start   G goal   * path"));
}

TEST(Cli, PrintsJsonForPrograms) {
  const Ended ended = run(in_trap({"--json", "--draw"}));
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, StartsWith(R"({"status":"FOUND",)"));
  EXPECT_THAT(ended.out, HasSubstr(R"("cost":278,"moves":27,)"));
  EXPECT_THAT(ended.out, HasSubstr(R"("drawing":[)"));
  EXPECT_EQ(ended.out.back(), '\n');
}

TEST(Cli, APlaceInAChunkThatIsNotLoadedIsToldAsThat) {
  const std::vector<std::string> there{"path", "--world", "flat"};
  for (const bool start : {true, false}) {
    std::vector<std::string> all = there;
    for (const std::string& word : {std::string("--from"), std::string(start ? "-1000,64,520" : "0,64,0"),
                                    std::string("--to"), std::string(start ? "0,64,0" : "-1000,64,520")})
      all.push_back(word);
    const Ended ended = run(all);
    EXPECT_EQ(ended.code, 4);
    EXPECT_THAT(ended.out,
                HasSubstr(start ? "The start lies in chunk -63,32 (blocks -1008,512 to -993,527), which is not loaded"
                                : "The goal lies in chunk -63,32"));
    EXPECT_THAT(ended.out, HasSubstr("r.-2.1.mca"));
  }
}

TEST(Cli, ExitCodesTellHowItEnded) {
  EXPECT_EQ(run(in_trap({"--limit", "1"})).code, 3);                                            // PARTIAL
  EXPECT_EQ(run(in_trap({"--set", "cost_cardinal=-1", "--set", "cost_diagonal=-1"})).code, 3);  // UNREACHABLE
  EXPECT_EQ(run({"path", "--world", kTrap, "--from", "99,50,99", "--to", "0,1,0"}).code, 4);
  EXPECT_EQ(run({"path", "--world", kTrap, "--from", "0,1,0", "--to", "99,50,99"}).code, 4);
  EXPECT_EQ(run({"path", "--world", "/no/such/folder", "--from", "0,1,0", "--to", "1,1,0"}).code, 5);
  EXPECT_EQ(run({"path", "--server", "127.0.0.1:1", "--from", "0,1,0", "--to", "1,1,0"}).code, 5);
}

TEST(Cli, EveryOptionRefusesGarbageByName) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> bad{
      {"--from", {"", "x", "1,2", "nan,0,0", "1e9,0,0", "\xff\x01"}},
      {"--to", {"", "1,2,3,4", "0,inf,0"}},
      {"--near", {"x", "1,2,3", "1,2,3:65"}},
      {"--column", {"x", "1,2,3"}},
      {"--level", {"x", "1.5"}},
      {"--next-to", {"x", "1,2"}},
      {"--flee", {"", "x"}},
      {"--see", {"x", "1,2,3:-1"}},
      {"--simplify", {"", "all", "Corners"}},
      {"--price", {"", "x", "0,0,0..1,1,1", "0,0,0..1,1,1=-2", "0,0,0..1,1,1=cheap"}},
      {"--agent", {"", "zombi", "\x7f"}},
      {"--set",
       {"", "climb", "climb=", "climb=maybe", "=1", "nosuch=1", "width=0", "height=1e9", "jump_px=-1", "water=wet",
        "cost_jump=1000001", "immune=rain", "width=nan", "leap=4"}},
      {"--algorithm", {"", "A*", "dijkstra "}},
      {"--heuristic", {"", "none"}},
      {"--limit", {"", "0", "-1", "1000001", "ten", "1e3", "99999999999999999999"}},
      {"--margin", {"", "-1", "33", "x"}},
      {"--threads", {"", "-1", "x"}},
      {"--nosuch", {"1"}},
  };
  for (const auto& [option, values] : bad) {
    for (const std::string& value : values) {
      std::vector<std::string> arguments = in_trap();
      if (option == "--from") arguments.erase(arguments.begin() + 3, arguments.begin() + 5);
      const bool is_goal = option == "--to" || option == "--near" || option == "--column" || option == "--level" ||
                           option == "--next-to" || option == "--flee" || option == "--see";
      if (is_goal) arguments.erase(arguments.begin() + 5, arguments.begin() + 7);
      arguments.insert(arguments.end(), {option, value});
      const Ended ended = run(arguments);
      EXPECT_EQ(ended.code, 2) << option << " '" << value << "'";
      EXPECT_THAT(ended.err, HasSubstr(option)) << "'" << value << "'";
      EXPECT_EQ(ended.out, "") << option << " '" << value << "'";
    }
  }
}

TEST(Cli, BadServersAndWorldsAreToldApart) {
  for (const char* server : {"", ":7420", "localhost:", "localhost:0", "localhost:70000", "localhost:x"}) {
    const Ended ended = run({"path", "--server", server, "--from", "0,1,0", "--to", "1,1,0"});
    EXPECT_EQ(ended.code, 2) << server << ": " << ended.err;
  }
  EXPECT_EQ(run(in_trap({"--server", "127.0.0.1:7420"})).code, 2);  // both
  EXPECT_EQ(run({"world", "info", "--world", "terrain:x"}).code, 2);
  EXPECT_EQ(run({"world", "info", "--world", kTrap, "--block-overrides", "/no/such.toml"}).code, 5);
  EXPECT_EQ(run({"world", "info", "--world", VOXPATH_TEST_DATA "/anvil/1.12.2", "--dimension", "no such"}).code, 2);
  EXPECT_EQ(run({"world", "info", "--world", VOXPATH_TEST_DATA "/anvil/1.12.2", "--threads", "0"}).code, 2);
}

TEST(Cli, ErrorsAreJsonWhereJsonIsAskedFor) {
  const Ended ended = run(in_trap({"--json", "--limit", "0"}));
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.out, StartsWith(R"({"error":{"exit_code":2,"message":"--limit = 0: )"));
}

TEST(Cli, LooksIntoALittleRealWorld) {
  const std::string world = VOXPATH_TEST_DATA "/anvil/1.12.2";
  const Ended info = run({"world", "info", "--world", world});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr("heights 0 to 255"));
  EXPECT_THAT(info.out, HasSubstr("KB a column"));
  EXPECT_THAT(run({"world", "info", "--world", VOXPATH_TEST_DATA "/anvil/1.13.2"}).out,
              HasSubstr("written by Java 1.13.2\n"));
  const Ended json = run({"world", "info", "--world", world, "--json"});
  EXPECT_THAT(json.out, HasSubstr(R"("min_y":0,"height":256)"));
  EXPECT_THAT(json.out, HasSubstr(R"("oldest":{"name":"1.8 or older","data_version":0,"block_table":"1.8"})"));
}

TEST(Cli, TellsBlocksAndSurfaces) {
  const Ended blocks = run({"world", "blocks", "0,0,0", "3,1,2", "999,0,0", "--world", kTrap});
  EXPECT_EQ(blocks.code, 0);
  EXPECT_THAT(blocks.out, HasSubstr("0,0,0            minecraft:stone  0..16\n"));
  EXPECT_THAT(blocks.out, HasSubstr("999,0,0          missing chunk\n"));
  const Ended box = run({"world", "blocks", "--box", "0,1,0..1,0,0", "--world", kTrap, "--json"});
  EXPECT_THAT(box.out, HasSubstr(R"("at":[1,1,0],"missing":false,"name":"minecraft:air")"));
  EXPECT_EQ(run({"world", "blocks", "--box", "0,0,0..9999,9999,9999", "--world", kTrap}).code, 2);
  EXPECT_EQ(run({"world", "blocks", "--world", kTrap}).code, 2);
  const Ended surface = run({"world", "surface", "-1,20,-1", "3.5,20.5,2.5", "--world", kTrap});
  EXPECT_EQ(surface.code, 0);
  EXPECT_THAT(surface.out, HasSubstr("-1,20,-1         nothing between there and the void\n"));
  EXPECT_THAT(surface.out, HasSubstr("ground at 3 (48 px): minecraft:stone at 3,2,2\n"));
  const Ended map = run({"world", "surface", "3,20,2", "--draw", "--radius", "1", "--world", kTrap});
  EXPECT_THAT(map.out, HasSubstr(" z 1 000\n   2 022\n   3 000\n"));
  EXPECT_EQ(run({"world", "surface", "3,20,2", "--radius", "129", "--world", kTrap}).code, 2);
}

TEST(Cli, KnowsBlocksAndAgents) {
  const Ended door = run({"blocks", "oak_door", "--version", "1.20.4"});
  EXPECT_EQ(door.code, 0);
  EXPECT_EQ(door.out,
            "minecraft:oak_door in Java 1.20.4: 64 states\n"
            "  minecraft:oak_door[open=true]  none door=wooden open  (32 states)\n"
            "  minecraft:oak_door[open=false]  0..16 door=wooden  (32 states)\n");
  EXPECT_EQ(run({"blocks", "oak_slab[type=top]", "--all"}).code, 0);
  for (const char* name : {"", "oak_dor", "oak_door[open=maybe]", "oak_door[nosuch=1]", "oak_door[", "\xff"}) {
    const Ended ended = run({"blocks", name});
    EXPECT_EQ(ended.code, 2) << name;
    EXPECT_NE(ended.err, "") << name;
  }
  EXPECT_EQ(run({"blocks", "stone", "--version", "1.99"}).code, 2);
  const Ended agents = run({"agents"});
  EXPECT_EQ(agents.code, 0);
  EXPECT_THAT(agents.out, HasSubstr("iron_golem"));
  EXPECT_THAT(run({"agents", "--json"}).out, StartsWith(R"({"agents":[{"name":)"));
}

TEST(Cli, OutputThatCannotBeWrittenIsAFault) {
  const std::string ask =
      std::string(VOXPATH_CLI) + " path --world flat --from 0,64,0 --to 9,64,0 --json >/dev/full 2>/dev/null";
  const int status = std::system(ask.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
}

TEST(Cli, ChecksScenariosAndSaysWhichFailed) {
  const Ended good = run({"scenario", kTrap});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.out, HasSubstr("1 scenarios, 2 questions: 2 passed\n"));

  const ScratchFolder folder;
  const auto wrong = folder / "wrong.scn";
  std::string text = read_file(kTrap);
  text.replace(text.find("cost=278"), 8, "cost=277");
  std::ofstream(wrong) << text;
  const Ended bad = run({"scenario", kTrap, wrong.string()});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, HasSubstr("FAIL " + wrong.string()));
  EXPECT_THAT(bad.out, HasSubstr("cost 278, expected 277"));
  EXPECT_THAT(bad.out, HasSubstr("2 scenarios, 4 questions: 3 passed, 1 failed\n"));

  std::ofstream(wrong) << "nosuch: key\n";
  const Ended unreadable = run({"scenario", wrong.string()});
  EXPECT_EQ(unreadable.code, 5);
  EXPECT_THAT(unreadable.out, HasSubstr("line 1"));
  EXPECT_EQ(run({"scenario", "/no/such.scn"}).code, 5);
  EXPECT_EQ(run({"scenario"}).code, 2);
}

TEST(Cli, ChecksReferenceTables) {
  const std::string world = VOXPATH_TEST_DATA "/anvil/1.12.2";
  EXPECT_EQ(run({"reference", "/no/such.tsv", "--world", world}).code, 5);
  const ScratchFolder folder;
  const auto table = folder / "table.tsv";
  std::ofstream(table) << "id\tagent\n1\n";
  const Ended faulty = run({"reference", table.string(), "--world", world});
  EXPECT_EQ(faulty.code, 5);
  EXPECT_THAT(faulty.err, HasSubstr("line 2"));
  // A row that no planner can agree with: the world has no chunk there.
  std::string text = read_file(VOXPATH_TEST_DATA "/reference/03-java1.16-mountains.tsv");
  std::ofstream(table) << text.substr(0, text.find('\n', text.find('\n') + 1) + 1);
  const Ended failed = run({"reference", table.string(), "--world", world});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.out, HasSubstr("FAIL row 1"));
  EXPECT_THAT(failed.out, HasSubstr("1 rows: 0 passed, 1 failed"));
  EXPECT_EQ(run({"reference", table.string()}).code, 2);
}

TEST(Cli, HelpTeachesByExamples) {
  const Ended all = run({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.out, HasSubstr("Exit codes:\n  0  done"));
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{"path"},
                                                                                       {"world", "info"},
                                                                                       {"world", "blocks"},
                                                                                       {"world", "surface"},
                                                                                       {"blocks"},
                                                                                       {"agents"},
                                                                                       {"scenario"},
                                                                                       {"reference"}}) {
    std::vector<std::string> arguments = command;
    arguments.emplace_back("--help");
    const Ended help = run(arguments);
    EXPECT_EQ(help.code, 0) << command.back();
    EXPECT_THAT(help.out, HasSubstr("Example")) << command.back();
    EXPECT_THAT(help.out, HasSubstr("Usage: voxpath ")) << command.back();
  }
  EXPECT_THAT(run({"--version"}).out, StartsWith("voxpath "));
  const Ended none = run({});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("Usage: voxpath"));
  const Ended unknown = run({"pth"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean path?"));
  const Ended below = run({"lab", "chas"});
  EXPECT_EQ(below.code, 2);
  EXPECT_THAT(below.err, HasSubstr("\"chas\" is no command of lab; did you mean chase?"));
}

TEST(Cli, TheExamplesOfTheHelpRun) {
  EXPECT_EQ(run({"world", "surface", "0,200,0", "--world", "terrain:7", "--draw"}).code, 0);
  EXPECT_EQ(run({"path", "--world", "terrain:7", "--from", "-20,200,-6", "--to", "20,200,8", "--draw"}).code, 0);
  EXPECT_EQ(
      run({"path", "--world", kTrap, "--from", "12,1,4", "--to", "15,1,4", "--draw", "--set", "corners=never"}).code,
      0);
  EXPECT_EQ(run({"blocks", "oak_slab[type=top]", "--version", "1.13.2"}).code, 0);
  // Those of `path` that name a generated world, as they stand there but for what explains them.
  const std::string help = run({"path", "--help"}).out;
  int examples = 0;
  for (std::size_t at = help.find("  voxpath path"); at != std::string::npos;
       at = help.find("  voxpath path", at + 1)) {
    std::istringstream words(help.substr(at, help.find('\n', at) - at));
    std::vector<std::string> arguments;
    std::string word;
    words >> word;
    while (words >> word) {
      const bool value = !arguments.empty() && arguments.back().starts_with("--");
      if (!arguments.empty() && !word.starts_with("--") && !(value && arguments.back().find('=') == std::string::npos))
        break;  // the explanation
      arguments.push_back(word);
    }
    const bool generated = std::find(arguments.begin(), arguments.end(), "flat") != arguments.end() ||
                           std::find(arguments.begin(), arguments.end(), "terrain:7") != arguments.end();
    if (!generated) continue;
    ++examples;
    EXPECT_EQ(run(arguments).code, 0) << testing::PrintToString(arguments);
  }
  EXPECT_GE(examples, 9);
  const std::string agents = run({"agents"}).out;
  constexpr std::string_view kAgent = "--agent ";
  int named = 0;
  for (std::size_t at = help.find(kAgent, help.find("Examples:")); at != std::string::npos;
       at = help.find(kAgent, at + 1)) {
    const std::size_t name = at + kAgent.size();
    ++named;
    EXPECT_THAT(agents, HasSubstr("\n" + help.substr(name, help.find_first_of(" \n", name) - name) + " "));
  }
  EXPECT_GE(named, 2);
}

TEST(Cli, AnswersOfADaemonAreThoseOfTheProgram) {
  RunningDaemon daemon;
  ASSERT_TRUE(eventually(
      [&] { return run({"world", "info", "--server", "127.0.0.1:" + std::to_string(daemon.port())}).code == 0; }));
  const std::string server = "127.0.0.1:" + std::to_string(daemon.port());
  const std::vector<std::string> question{"--from",  "-3.5,64.0,-3.5", "--to",   "8,64,8",
                                          "--agent", "spider",         "--draw", "--explain"};
  std::vector<std::string> there{"path", "--server", server}, here{"path", "--world", "flat"};
  there.insert(there.end(), question.begin(), question.end());
  here.insert(here.end(), question.begin(), question.end());
  const Ended remote = run(there), local = run(here);
  EXPECT_EQ(remote.code, 0) << remote.err;
  EXPECT_EQ(local.code, 0) << local.err;
  // The first line has times in it.
  EXPECT_EQ(remote.out.substr(remote.out.find('\n')), local.out.substr(local.out.find('\n')));

  EXPECT_THAT(run({"world", "blocks", "0,63,0", "9000,64,0", "--server", server}).out,
              testing::AllOf(HasSubstr("minecraft:"), HasSubstr("missing chunk")));
  EXPECT_THAT(run({"world", "surface", "0,100,0", "--draw", "--radius", "2", "--server", server}).out,
              testing::AllOf(HasSubstr("ground at 64 (1024 px)"), HasSubstr("00000\n")));
  const Ended unknown = run({"path", "--server", server, "--world-name", "nix", "--from", "0,64,0", "--to", "1,64,0"});
  EXPECT_EQ(unknown.code, 5);
  EXPECT_THAT(unknown.err, HasSubstr("there is no world 'nix'; it has flat"));
  EXPECT_EQ(run({"path", "--server", server, "--from", "0,300,900", "--to", "1,64,0"}).code, 4);
}

TEST(Cli, ServeIsTheDaemon) {
  const Ended help = run({"serve", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("voxpathd"));
  EXPECT_EQ(run({"serve", "--check-config", "--flat"}).code, 0);
  EXPECT_EQ(run({"serve", "--nosuch"}).code, 2);
}

}  // namespace
}  // namespace voxpath::test
