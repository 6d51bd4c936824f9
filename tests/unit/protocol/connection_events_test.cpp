// Events of the server's own: when they go out, and that they count.
#include "tests/unit/protocol/connection_owner.hpp"

namespace voxpath::protocol {
namespace {

v1::ServerFrame broken(std::uint64_t watch) {
  v1::ServerFrame frame;
  frame.mutable_path_invalidated()->set_watch(watch);
  return frame;
}

void tell(ConnectionOwner& owner, const v1::ServerFrame& event) {
  owner.connection.tell(event, owner.now_ms);
  owner.carry_out();
}

TEST(ConnectionEvents, GoOutBetweenAnswersAndAnswerNothing) {
  ConnectionOwner owner;
  owner.greet();
  owner.receive(list(7));
  owner.heard();
  tell(owner, broken(3));
  const auto heard = owner.heard();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].id(), 0u);
  EXPECT_EQ(heard[0].path_invalidated().watch(), 3u);
  EXPECT_EQ(owner.connection.in_flight(), 1u);
  EXPECT_TRUE(owner.answer(7));
}

TEST(ConnectionEvents, AreNotForStrangersNorForTheGone) {
  ConnectionOwner owner;
  tell(owner, broken(1));
  EXPECT_TRUE(owner.heard().empty()) << "before Hello";
  owner.greet();
  owner.connection.refuse({ErrorKind::shutting_down, "the end"});
  owner.carry_out();
  owner.heard();
  tell(owner, broken(1));
  EXPECT_TRUE(owner.heard().empty()) << "after Goodbye";
}

TEST(ConnectionEvents, CountAsWhatTheClientLeavesUnread) {
  ConnectionLimits limits;
  limits.outbound_pause_bytes = 200;
  limits.outbound_max_bytes = 400;
  ConnectionOwner owner(limits);
  owner.greet();
  owner.auto_sent = false;
  while (owner.reading && !owner.closed) tell(owner, broken(1));
  ASSERT_FALSE(owner.closed) << "first it is read no further";
  owner.all_sent();
  EXPECT_TRUE(owner.reading) << "and again when what was told has gone";
  while (owner.unsent <= limits.outbound_max_bytes) tell(owner, broken(1));
  owner.wait(kUnreadFullTimeoutMs);
  ASSERT_TRUE(owner.closed);
  EXPECT_EQ(owner.closed->why.kind, ErrorKind::slow_consumer);
}

}  // namespace
}  // namespace voxpath::protocol
