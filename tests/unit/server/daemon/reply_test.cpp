#include "server/reply.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(Reply, IsAnsweredOnce) {
  std::vector<v1::ServerFrame> sent;
  {
    Reply reply(7, [&](v1::ServerFrame frame) { sent.push_back(std::move(frame)); });
    Reply moved = std::move(reply);
    v1::ServerFrame frame;
    frame.mutable_done();
    moved.answer(frame);
    moved.answer(frame);
    moved.refuse({protocol::ErrorKind::internal, "again"});
  }
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].id(), 7u);
  EXPECT_TRUE(sent[0].has_done());
}

TEST(Reply, AnswersItselfWhenItIsDropped) {
  std::vector<v1::ServerFrame> sent;
  const auto send = [&](v1::ServerFrame frame) { sent.push_back(std::move(frame)); };
  {
    Reply dropped(7, send);
    Reply nothing;
    std::vector<Reply> many;
    many.emplace_back(8, send);
    many.emplace_back(9, send);
  }
  ASSERT_EQ(sent.size(), 3u);
  for (const v1::ServerFrame& frame : sent) EXPECT_EQ(frame.error().reason(), "internal");
}

TEST(Reply, AssigningOverOneDropsIt) {
  std::vector<std::uint32_t> sent;
  const auto send = [&](const v1::ServerFrame& frame) { sent.push_back(frame.id()); };
  {
    Reply first(1, send);
    first = Reply(2, send);
    EXPECT_EQ(sent, std::vector<std::uint32_t>{1});
  }
  EXPECT_EQ(sent, (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace voxpath::server
