#include "server/access/role.hpp"

#include <map>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(Role, NamesAreRolesAndBack) {
  for (const std::string_view name : kRoleNames) EXPECT_EQ(name_of(*role_named(name)), name);
  for (const char* other : {"", "root", "Admin", "admin "}) EXPECT_FALSE(role_named(other)) << other;
}

// Written out here a second time, so that a change of the table is one that somebody meant.
TEST(Role, EachRequestNeedsTheRoleThatTheDocumentSays) {
  const std::map<std::string, std::string> kNeeded{{"server_info", "read"},
                                                   {"list_worlds", "read"},
                                                   {"query_blocks", "read"},
                                                   {"line_of_sight", "read"},
                                                   {"surface_below", "read"},
                                                   {"find_path", "path"},
                                                   {"find_paths", "path"},
                                                   {"validate_path", "path"},
                                                   {"unwatch", "path"},
                                                   {"open_world", "write"},
                                                   {"set_palette", "write"},
                                                   {"put_chunk", "write"},
                                                   {"drop_chunk", "write"},
                                                   {"set_blocks", "write"},
                                                   {"close_world", "admin"},
                                                   {"hello", ""},
                                                   {"ping", ""},
                                                   {"cancel", ""}};
  const auto* requests = v1::ClientFrame::descriptor()->oneof_decl(0);
  ASSERT_EQ(static_cast<std::size_t>(requests->field_count()), kNeeded.size()) << "a request kind is new";
  for (int i = 0; i < requests->field_count(); ++i) {
    const auto request = static_cast<v1::ClientFrame::RequestCase>(requests->field(i)->number());
    const std::string& name = requests->field(i)->name();
    SCOPED_TRACE(name);
    ASSERT_TRUE(kNeeded.contains(name));
    const auto needed = required_role(request);
    EXPECT_EQ(needed ? name_of(*needed) : "", kNeeded.at(name));
    for (const std::string_view has : kRoleNames) {
      const Role role = *role_named(has);
      const auto refused = refusal(role, request);
      EXPECT_EQ(refused.has_value(), needed && role < *needed) << has;
      if (!refused) continue;
      EXPECT_EQ(protocol::row_of(refused->kind).rpc, "PERMISSION_DENIED");
      EXPECT_EQ(refused->limit, kNeeded.at(name));
      EXPECT_NE(refused->message.find("needs the role " + kNeeded.at(name)), std::string::npos) << refused->message;
    }
  }
}

}  // namespace
}  // namespace voxpath::server
