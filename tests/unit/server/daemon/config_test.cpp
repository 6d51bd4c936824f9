#include "server/config.hpp"

#include "tests/support/scratch_folder.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

/// The files that configurations here name.
class ConfigFiles : public ::testing::Test {
 protected:
  ConfigFiles() {
    std::ofstream(folder_ / "tokens") << "# who may come\nsecret\r\n\n  \nother token\n";
    std::ofstream(folder_ / "paper_token") << "of paper\n";
    std::ofstream(folder_ / "bad_token") << "\nname=a rolle=read token=SECRET\n";
    std::ofstream(folder_ / "no_tokens") << "# nobody\n";
    std::ofstream(folder_ / "long_token") << std::string(protocol::kTokenMaxBytes + 1, 't') << "\n";
  }
  const test::ScratchFolder folder_;
};

TEST(Config, AnEmptyOneIsTheDefaults) {
  const auto config = parse_config("", ".");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->address, "127.0.0.1");
  EXPECT_EQ(config->port, protocol::kDefaultPort);
  EXPECT_FALSE(config->http.port);
  EXPECT_EQ(config->connections_max, protocol::kConnectionsMax);
  EXPECT_EQ(config->jobs_queued_max, protocol::kJobsQueuedMax);
  EXPECT_EQ(config->chunks_max, protocol::kChunksMax);
  EXPECT_EQ(config->jobs_per_connection_max, protocol::kInFlightMax);
  EXPECT_EQ(config->searches_kept_max, 8u);
  EXPECT_EQ(config->answers_kept_max_mib, 32u);
  EXPECT_TRUE(config->worlds.empty());
  EXPECT_TRUE(config->profiles.all().contains("zombie"));
}

TEST_F(ConfigFiles, ReadsEveryKey) {
  const auto config = parse_config(R"(
[server]
address = "::1"
port = 0
token_file = "tokens"
insecure = true
role = "path"
unix_socket = "run/voxpath.sock"
unix_socket_mode = "0660"
worlds_folder = "worlds"
workers = 3
io_threads = 2
drain_timeout_ms = 10
share_searches = false
[http]
address = "::1"
port = 8080
origins = ["https://map.example", "http://[::1]:3000"]
connections = 3
[limits]
connections = 5
jobs_queued = 6
chunks = 7
jobs_queued_per_connection = 7
searches_kept = 0
answers_kept_mib = 9
handshake_timeout_ms = 250
[log]
level = "warning"
format = "json"
repeats_per_second = 3
[[token]]
file = "paper_token"
name = "paper"
role = "write"
connections = 2
watches = 9
weight = 4
jobs_queued = 64
[[world]]
name = "lobby"
folder = "lobby"
dimension = "minecraft:the_nether"
game_version = "1.16.5"
min_y = 0
height = 256
load = false
[[world]]
name = "flat"
generate = "flat"
[agent.giant]
width = 3.0
height = 12
step = 2
corners = "never"
open_doors = true
immune = "fire,lava"
cost_jump = 50
)",
                                   folder_.path());
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->address, "::1");
  EXPECT_EQ(config->port, 0);
  const std::vector<AccessToken>& tokens = config->access.tokens;
  EXPECT_EQ(tokens, (std::vector<AccessToken>{{"secret", {.name = "tokens:2"}},
                                              {"other token", {.name = "tokens:5"}},
                                              {"of paper",
                                               {.name = "paper",
                                                .role = Role::write,
                                                .share = {.weight = 4, .jobs_waiting = 64},
                                                .connections_max = 2,
                                                .watches_max = 9}}}));
  EXPECT_EQ(config->access.role, Role::path);
  EXPECT_EQ(config->access.unix_socket, folder_ / "run/voxpath.sock");
  EXPECT_EQ(config->access.unix_socket_mode, 0660u);
  EXPECT_EQ(config->worlds_folder, folder_ / "worlds");
  EXPECT_EQ(config->handshake_timeout_ms, 250);
  EXPECT_EQ(config->log_format, "json");
  EXPECT_EQ(config->log_repeats_max, 3u);
  EXPECT_TRUE(config->insecure);
  EXPECT_EQ(config->workers, 3u);
  EXPECT_EQ(config->io_threads, 2u);
  EXPECT_EQ(config->drain_timeout_ms, 10);
  EXPECT_FALSE(config->share_searches);
  EXPECT_EQ(config->http.address, "::1");
  EXPECT_EQ(config->http.port, 8080);
  EXPECT_EQ(config->http.origins, (std::vector<std::string>{"https://map.example", "http://[::1]:3000"}));
  EXPECT_EQ(config->http.connections_max, 3u);
  EXPECT_EQ(config->connections_max, 5u);
  EXPECT_EQ(config->jobs_queued_max, 6u);
  EXPECT_EQ(config->chunks_max, 7u);
  EXPECT_EQ(config->jobs_per_connection_max, 7u);
  EXPECT_EQ(config->searches_kept_max, 0u);
  EXPECT_EQ(config->answers_kept_max_mib, 9u);
  EXPECT_EQ(config->log_level, "warning");
  ASSERT_EQ(config->worlds.size(), 2u);
  EXPECT_EQ(config->worlds[0].folder, folder_ / "lobby");
  EXPECT_EQ(config->worlds[0].dimension, "minecraft:the_nether");
  EXPECT_EQ(config->worlds[0].heights, (world::Heights{0, 256}));
  EXPECT_FALSE(config->worlds[0].load);
  EXPECT_EQ(config->worlds[1].generate, "flat");
  EXPECT_TRUE(config->worlds[1].load);
  const pathfinding::Agent& giant = config->profiles.all().at("giant");
  EXPECT_EQ(giant.width_px, 48);
  EXPECT_EQ(giant.height_px, 192);
  EXPECT_EQ(giant.corners, pathfinding::Corners::never);
  EXPECT_TRUE(giant.open_doors);
  EXPECT_FALSE(giant.hurt_by(world::Hazard::lava));
  EXPECT_EQ(giant.cost_jump, 50);
}

TEST_F(ConfigFiles, SaysWhatIsWrongAndWhere) {
  const struct {
    const char* text;
    std::vector<std::string> words;  // all in the message
  } kRows[] = {
      {"[server]\nport = 70000", {"line 2", "server.port", "70000", "0..65535"}},
      {"[server]\nport = \"7420\"", {"line 2", "server.port", "whole number"}},
      {"[server]\nprot = 1", {"line 2", "server.prot", "server.port"}},
      {"[sever]\nport = 1", {"line 1", "sever", "server"}},
      {"port = 1", {"line 1", "'port'"}},
      {"server = 1", {"line 1", "[server]"}},
      {"[server]\naddress = \"localhost\"", {"line 2", "server.address", "IP address"}},
      {"[server]\naddress = \"0.0.0.0\"", {"0.0.0.0", "token_file", "tls.client_ca", "insecure"}},
      {"[server]\naddress = \"none\"", {"none", "unix_socket"}},
      {"[server]\nrole = \"root\"", {"line 2", "server.role", "root", "read, path, write, admin"}},
      {"[server]\nunix_socket_mode = \"660x\"", {"line 2", "unix_socket_mode", "660x", "octal"}},
      {"[server]\nunix_socket_mode = \"0066\"", {"0066", "0600"}},
      {"[server]\nunix_socket_mode = \"1777\"", {"1777", "0777"}},
      {"[tls]\ncertificate = \"tokens\"", {"line 1", "tls.key is missing"}},
      {"[tls]\nclient_ca = \"tokens\"", {"tls.certificate is missing"}},
      {"[tls]\ncertificate = \"nowhere\"\nkey = \"tokens\"", {"line 2", "tls.certificate", "cannot read", "nowhere"}},
      {"[tls]\ncertificate = \"tokens\"\nkey = \"tokens\"", {"tls.certificate", "tokens"}},
      {"[tls]\ncertifcate = \"tokens\"", {"line 2", "certifcate", "tls.certificate"}},
      {"[server]\naddress = \"192.168.1.4\"", {"192.168.1.4", "token_file"}},
      {"[server]\nworkers = 257", {"server.workers", "0..256"}},
      {"[server]\nio_threads = 0", {"server.io_threads", "1..16"}},
      {"[server]\ninsecure = 1", {"server.insecure", "true or false"}},
      {"[server]\ntoken_file = \"nowhere\"", {"line 2", "server.token_file", "nowhere"}},
      {"[server]\ntoken_file = \"no_tokens\"", {"no token"}},
      {"[[token]]\nweight = 2", {"token.file", "missing"}},
      {"[[token]]\nfile = \"tokens\"\nweight = 0", {"line 3", "token.weight", "0", "1..100"}},
      {"[[token]]\nfile = \"tokens\"\nweight = 101", {"token.weight", "101", "1..100"}},
      {"[[token]]\nfile = \"tokens\"\njobs_queued = 129", {"token.jobs_queued", "129", "1..128"}},
      {"[[token]]\nfile = \"tokens\"\nrole = \"boss\"", {"line 3", "token.role", "boss"}},
      {"[[token]]\nfile = \"tokens\"\nconnections = 0", {"token.connections", "1..256"}},
      {"[[token]]\nfile = \"tokens\"\nwatches = 4097", {"token.watches", "1..4096"}},
      {"[[token]]\nfile = \"tokens\"\nname = \"a b\"", {"line 3", "token.name", "a b"}},
      {"[[token]]\nfile = \"bad_token\"", {"token.file", "bad_token", "line 2", "rolle", "role"}},
      {"[[token]]\nfile = \"tokens\"\n[[token]]\nfile = \"tokens\"", {"line 4", "twice"}},
      {"[token]\nfile = \"tokens\"", {"[[token]]"}},
      {"[server]\ntoken_file = \"long_token\"", {"512 bytes"}},
      {"[http]\naddress = \"127.0.0.1\"", {"line 1", "http.port", "missing"}},
      {"[http]\nport = 70000", {"line 2", "http.port", "70000", "0..65535"}},
      {"[http]\nport = 1\nprot = 2", {"line 3", "http.prot", "http.port"}},
      {"[http]\nport = 1\naddress = \"here\"", {"line 3", "http.address", "here", "IP address"}},
      {"[http]\nport = 1\naddress = \"0.0.0.0\"", {"http.address", "0.0.0.0", "token_file", "insecure"}},
      {"[http]\nport = 1\nconnections = 257", {"line 3", "http.connections", "1..256"}},
      {"[http]\nport = 1\norigins = \"https://a\"", {"line 3", "http.origins", "list of strings"}},
      {"[http]\nport = 1\norigins = [\"a.example\"]", {"line 3", "http.origins", "a.example", "https://"}},
      {"[log]\nlevel = \"loud\"", {"line 2", "log.level", "loud", "info"}},
      {"[log]\nformat = \"xml\"", {"line 2", "log.format", "xml", "text, json"}},
      {"[log]\nrepeats_per_second = -1", {"log.repeats_per_second", "0..1000000"}},
      {"[limits]\nhandshake_timeout_ms = 0", {"limits.handshake_timeout_ms", "1..60000"}},
      {"[limits]\nansers_kept = 1", {"line 2", "limits.ansers_kept", "did you mean 'limits.answers_kept_mib'"}},
      {"[limits]\nconnections = 257", {"limits.connections", "1..256"}},
      {"[limits]\njobs_queued = 0", {"limits.jobs_queued", "1..4096"}},
      {"[limits]\nchunks = 1048577", {"limits.chunks", "1048577", "1..1048576"}},
      {"[limits]\njobs_queued_per_connection = 129", {"limits.jobs_queued_per_connection", "129", "1..128"}},
      {"[limits]\nsearches_kept = 257", {"limits.searches_kept", "257", "0..256"}},
      {"[limits]\nanswers_kept_mib = 4097", {"limits.answers_kept_mib", "4097", "0..4096"}},
      {"[world]\nname = \"a\"", {"[[world]]"}},
      {"[[world]]\nfolder = \"a\"", {"world.name", "missing"}},
      {"[[world]]\nname = \"a/b\"\nfolder = \"a\"", {"line 2", "world.name", "a/b"}},
      {"[[world]]\nname = \"a\"", {"folder", "generate"}},
      {"[[world]]\nname = \"a\"\nfolder = \"a\"\ngenerate = \"flat\"", {"one of folder and generate"}},
      {"[[world]]\nname = \"a\"\ngenerate = \"hills\"", {"world.generate", "hills", "flat"}},
      {"[[world]]\nname = \"a\"\nfolder = \"a\"\n[[world]]\nname = \"a\"\nfolder = \"b\"", {"line 5", "two worlds"}},
      {"[[world]]\nname = \"a\"\nfolder = \"a\"\nheight = 100", {"line 4", "100"}},
      {"[[world]]\nname = \"a\"\nfolder = \"a\"\ngame_version = \"2.0\"", {"line 4", "game_version", "2.0"}},
      {"[[world]]\nname = \"a\"\nfolder = \"a\"\nblock_overrides = \"nowhere\"", {"line 4", "nowhere"}},
      {"[agent.x]\nhieght = 2", {"line 2", "hieght"}},
      {"[agent.x]\nheight = 100", {"line 2", "height", "100"}},
      {"[agent]\nx = 1", {"line 2", "[agent.NAME]"}},
      {"[agent.\"a b\"]\nheight = 2", {"a b"}},
      {"[server\n", {"line 1"}},
      {"[server]\nport = 1\nport = 2", {"line 3"}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.text);
    const auto config = parse_config(row.text, folder_.path());
    ASSERT_FALSE(config);
    for (const std::string& word : row.words)
      EXPECT_NE(config.error().message.find(word), std::string::npos) << config.error().message;
  }
}

TEST_F(ConfigFiles, AnOpenAddressNeedsTokensOrThePlainWord) {
  EXPECT_TRUE(parse_config("[server]\naddress = \"0.0.0.0\"\ninsecure = true", "."));
  EXPECT_TRUE(parse_config("[server]\naddress = \"0.0.0.0\"\ntoken_file = \"tokens\"", folder_.path()));
  EXPECT_TRUE(parse_config("[server]\naddress = \"none\"\nunix_socket = \"s\"", "."));
  for (const char* loopback : {"127.0.0.1", "127.8.9.10", "::1"}) EXPECT_TRUE(is_loopback(loopback)) << loopback;
  for (const char* open : {"0.0.0.0", "::", "10.0.0.1", "nonsense", ""}) EXPECT_FALSE(is_loopback(open)) << open;
}

TEST_F(ConfigFiles, MissingWorldFoldersAreNamed) {
  const auto& folder = folder_.path();
  EXPECT_TRUE(check_folders(
      *parse_config("[[world]]\nname = \"a\"\nfolder = \".\"\n[[world]]\nname = \"b\"\ngenerate = \"flat\"", folder)));
  const auto status = check_folders(*parse_config("[[world]]\nname = \"a\"\nfolder = \"tokens\"", folder));
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("world 'a'"), std::string::npos);
}

TEST_F(ConfigFiles, AWorldIsAsDurableAsItSaysOrElseAsTheStoreSays) {
  const auto config = parse_config(
      "[[world]]\nname = \"a\"\ngenerate = \"flat\"\ndurability = \"sync\"\n"
      "[[world]]\nname = \"b\"\ngenerate = \"flat\"\n"
      "[store]\nfolder = \"worlds\"\ndurability = \"async\"\nmap_size_mib = 1\nasync_interval_ms = 60000\n",
      folder_.path());
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->store.folder, folder_ / "worlds");
  EXPECT_EQ(config->store.durability, Durability::async);
  EXPECT_EQ(config->store.map_size_mib, 1u);
  EXPECT_EQ(config->store.async_interval_ms, 60'000);
  EXPECT_EQ(config->worlds[0].durability, Durability::sync);
  EXPECT_EQ(config->worlds[1].durability, std::nullopt);

  for (const auto& [text, why] : {
           std::pair{"[store]\ndurability = \"sync\"",
                     "store.durability is 'sync', for which store.folder must be set"},
           std::pair{"[store]\nfolder = \"s\"\ndurability = \"yes\"", "one of none, async, sync is allowed"},
           std::pair{"[store]\nmap_size_mib = 0", "store.map_size_mib is 0, the limit is 1..1048576"},
           std::pair{"[store]\nmap_size_mib = 1048577", "the limit is 1..1048576"},
           std::pair{"[store]\nasync_interval_ms = 60001", "the limit is 1..60000"},
           std::pair{"[store]\nfolders = \"s\"", "did you mean 'store.folder'?"},
           std::pair{"[[world]]\nname = \"a\"\ngenerate = \"flat\"\ndurability = \"async\"",
                     "line 4: world.durability is 'async', for which store.folder must be set"},
       }) {
    const auto wrong = parse_config(text, folder_.path());
    ASSERT_FALSE(wrong) << text;
    EXPECT_NE(wrong.error().message.find(why), std::string::npos) << wrong.error().message;
  }
}

TEST(Config, AMissingFileIsNamed) {
  const auto config = read_config("/no/such/voxpathd.toml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, world::ErrorCode::not_found);
  EXPECT_NE(config.error().message.find("/no/such/voxpathd.toml"), std::string::npos);
}

// The table of keys in server/README.md names every key that there is, and the example there is a configuration.
TEST_F(ConfigFiles, IsTheOneInTheReadme) {
  std::ifstream file(VOXPATH_SOURCE_DIR "/server/README.md");
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string readme = stream.str();
  for (const char* key : {"server.address",
                          "server.port",
                          "server.token_file",
                          "server.insecure",
                          "server.role",
                          "server.unix_socket",
                          "server.unix_socket_mode",
                          "server.worlds_folder",
                          "tls.certificate",
                          "tls.key",
                          "tls.client_ca",
                          "limits.handshake_timeout_ms",
                          "log.format",
                          "log.repeats_per_second",
                          "token.name",
                          "token.role",
                          "token.connections",
                          "token.watches",
                          "server.workers",
                          "server.io_threads",
                          "server.drain_timeout_ms",
                          "server.share_searches",
                          "limits.connections",
                          "limits.jobs_queued",
                          "limits.jobs_queued_per_connection",
                          "limits.searches_kept",
                          "limits.answers_kept_mib",
                          "store.folder",
                          "store.durability",
                          "store.map_size_mib",
                          "store.async_interval_ms",
                          "log.level",
                          "token.file",
                          "token.weight",
                          "token.jobs_queued",
                          "world.name",
                          "world.folder",
                          "world.generate",
                          "world.dimension",
                          "world.game_version",
                          "world.block_overrides",
                          "world.min_y",
                          "world.height",
                          "world.load",
                          "world.durability",
                          "agent.NAME"}) {
    EXPECT_NE(readme.find(std::string("| `") + key + "` |"), std::string::npos)
        << "missing in server/README.md: " << key;
  }
  const std::size_t begin = readme.find("```toml\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = readme.find("```", begin + 8);
  const auto config = parse_config(readme.substr(begin + 8, end - begin - 8), folder_.path());
  EXPECT_TRUE(config) << config.error().message;
}

}  // namespace
}  // namespace voxpath::server
