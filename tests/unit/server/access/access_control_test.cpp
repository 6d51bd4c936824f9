#include "server/access/access_control.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using protocol::ErrorKind;
using protocol::Failure;
using Admission = AccessControl::Admission;

const std::vector<AccessToken> kTokens{
    {"secret", {.name = "paper", .role = Role::write, .share = {.weight = 3}, .connections_max = 2}},
    {"other", {.name = "viewer", .role = Role::read}}};

std::optional<Admission> let_in(AccessControl& access, std::string_view token) {
  auto outcome = access.admit(token);
  if (auto* admission = std::get_if<Admission>(&outcome)) return std::move(*admission);
  return std::nullopt;
}

ErrorKind refused(AccessControl& access, std::string_view token) {
  const auto outcome = access.admit(token);
  const auto* failure = std::get_if<Failure>(&outcome);
  return failure ? failure->kind : ErrorKind::internal;
}

TEST(AccessControl, GrantsWhatTheTokenGrants) {
  AccessControl access(kTokens, {});
  const auto paper = let_in(access, "secret"), viewer = let_in(access, "other");
  ASSERT_TRUE(paper && viewer);
  EXPECT_EQ(paper->grant().name, "paper");
  EXPECT_EQ(paper->grant().role, Role::write);
  EXPECT_EQ(paper->grant().share.weight, 3u);
  EXPECT_EQ(viewer->grant().role, Role::read);
  for (const char* wrong : {"", "secre", "secrets", "Secret", "secretother", "others"})
    EXPECT_EQ(refused(access, wrong), ErrorKind::token_wrong) << wrong;
}

TEST(AccessControl, WithoutTokensAllAreGrantedTheSame) {
  AccessControl access({}, {.role = Role::path});
  for (const char* any : {"", "secret"}) EXPECT_EQ(let_in(access, any)->grant().role, Role::path) << any;
}

TEST(AccessControl, CountsTheConnectionsOfEachToken) {
  AccessControl access(kTokens, {});
  auto first = let_in(access, "secret"), second = let_in(access, "secret");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(access.connections("paper"), 2u);
  EXPECT_EQ(refused(access, "secret"), ErrorKind::connections_full);
  EXPECT_TRUE(let_in(access, "other")) << "another token has its own";
  Admission moved = *std::move(first);  // it stays one
  first.reset();
  EXPECT_EQ(access.connections("paper"), 2u);
  second.reset();
  EXPECT_EQ(access.connections("paper"), 1u);
  EXPECT_TRUE(let_in(access, "secret")) << "there is room again";
}

TEST(AccessControl, OtherTokensHoldFromTheNextRenewalOn) {
  AccessControl access(kTokens, {});
  auto paper = let_in(access, "secret"), viewer = let_in(access, "other");
  access.replace({{"other", {.name = "viewer", .role = Role::admin}}, {"new", {.name = "new"}}}, {});
  EXPECT_EQ(viewer->grant().role, Role::read) << "not behind its back";
  EXPECT_TRUE(access.renew(*viewer));
  EXPECT_EQ(viewer->grant().role, Role::admin);
  EXPECT_FALSE(access.renew(*paper)) << "its token is gone";
  EXPECT_EQ(refused(access, "secret"), ErrorKind::token_wrong);
  EXPECT_TRUE(let_in(access, "new"));
}

TEST(AccessControl, WhoCameWithoutATokenIsOutWhenTokensCome) {
  AccessControl access({}, {});
  auto anyone = let_in(access, "");
  access.replace(kTokens, {});
  EXPECT_FALSE(access.renew(*anyone));
}

}  // namespace
}  // namespace voxpath::server
