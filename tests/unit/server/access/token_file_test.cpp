#include "server/access/token_file.hpp"

#include "protocol/limits.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(TokenFile, ATokenAloneMeansWhatItAlwaysMeant) {
  const auto tokens = parse_tokens("# who may come\nsecret\r\n\n  \nother token\nrole=path", "tokens", {});
  ASSERT_TRUE(tokens) << tokens.error().message;
  ASSERT_EQ(tokens->size(), 3u);
  EXPECT_EQ((*tokens)[0].secret, "secret");
  EXPECT_EQ((*tokens)[0].grant.name, "tokens:2");
  EXPECT_EQ((*tokens)[0].grant.role, Role::admin);
  EXPECT_EQ((*tokens)[1].secret, "other token");
  EXPECT_EQ((*tokens)[2].secret, "role=path") << "the form with keys begins with name=";
}

TEST(TokenFile, ALineWithKeysSaysWhatIsGranted) {
  const Grant defaults{.name = "x", .role = Role::path, .share = {.weight = 2, .jobs_waiting = 5}};
  const auto tokens = parse_tokens(
      "name=paper role=write weight=4 jobs_queued=64 connections=3 watches=10 token=a b=c \nname=viewer token=z", "f",
      defaults);
  ASSERT_TRUE(tokens) << tokens.error().message;
  const Grant& paper = (*tokens)[0].grant;
  EXPECT_EQ((*tokens)[0].secret, "a b=c");
  EXPECT_EQ(paper.name, "paper");
  EXPECT_EQ(paper.role, Role::write);
  EXPECT_EQ(paper.share.weight, 4u);
  EXPECT_EQ(paper.share.jobs_waiting, 64u);
  EXPECT_EQ(paper.connections_max, 3u);
  EXPECT_EQ(paper.watches_max, 10u);
  const Grant& viewer = (*tokens)[1].grant;
  EXPECT_EQ(viewer.role, Role::path) << "what is not said is as in the table that names the file";
  EXPECT_EQ(viewer.share.jobs_waiting, 5u);
}

TEST(TokenFile, SaysWhatIsWrongAndWhereButNeverTheToken) {
  const struct {
    std::string text;
    std::vector<std::string> words;
  } kRows[] = {
      {"", {"no token", "'f'"}},
      {"# nobody\n", {"no token"}},
      {"\nname=a rolle=read token=SECRET", {"line 2", "rolle", "did you mean 'role'"}},
      {"name=a role=root token=SECRET", {"line 1", "root", "read, path, write, admin"}},
      {"name=a role=read", {"token= is missing"}},
      {"name=a token=", {"empty"}},
      {"name=a SECRET", {"KEY=VALUE"}},
      {"name=a/b token=SECRET", {"a/b"}},
      {"name= token=SECRET", {"name"}},
      {"name=a weight=0 token=SECRET", {"weight", "'0'", "1..100"}},
      {"name=a weight=101 token=SECRET", {"weight", "'101'", "1..100"}},
      {"name=a jobs_queued=129 token=SECRET", {"jobs_queued", "1..128"}},
      {"name=a connections=257 token=SECRET", {"connections", "1..256"}},
      {"name=a watches=4097 token=SECRET", {"watches", "1..4096"}},
      {"name=a watches=99999999999999999999999 token=SECRET", {"watches", "1..4096"}},
      {"name=a watches=-1 token=SECRET", {"watches", "-1"}},
      {std::string(protocol::kTokenMaxBytes + 1, 'S'), {"512 bytes"}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.text.substr(0, 80));
    const auto tokens = parse_tokens(row.text, "f", {});
    ASSERT_FALSE(tokens);
    for (const std::string& word : row.words)
      EXPECT_NE(tokens.error().message.find(word), std::string::npos) << tokens.error().message;
    EXPECT_EQ(tokens.error().message.find("SECRET"), std::string::npos) << tokens.error().message;
  }
  EXPECT_TRUE(parse_tokens(std::string(protocol::kTokenMaxBytes, 'S'), "f", {}));
}

TEST(TokenFile, BoundsHowManyThereAre) {
  std::string text;
  for (std::size_t i = 0; i < kTokensMax; ++i) text += "token" + std::to_string(i) + "\n";
  EXPECT_TRUE(parse_tokens(text, "f", {}));
  const auto tokens = parse_tokens(text + "one more", "f", {});
  ASSERT_FALSE(tokens);
  EXPECT_NE(tokens.error().message.find("256"), std::string::npos);
}

TEST(TokenFile, FindsWhatIsThereTwice) {
  const AccessToken a{"s", {.name = "a"}}, b{"t", {.name = "b"}}, same_secret{"s", {.name = "c"}},
      same_name{"u", {.name = "a"}};
  EXPECT_EQ(repeated_token({a, b}), "");
  EXPECT_NE(repeated_token({a, b, same_secret}).find("twice"), std::string::npos);
  EXPECT_EQ(repeated_token({a, b, same_secret}).find("'s'"), std::string::npos);
  EXPECT_NE(repeated_token({a, b, same_name}).find("called 'a'"), std::string::npos);
}

}  // namespace
}  // namespace voxpath::server
