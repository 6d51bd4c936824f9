#include "server/log_lines.hpp"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

/// Read by another program's parser.
google::protobuf::Struct parsed(const std::string& json) {
  google::protobuf::Struct object;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &object);
  EXPECT_TRUE(status.ok()) << status.ToString() << ": " << json;
  return object;
}

TEST(LogLines, MembersAreWhatTheLineSays) {
  EXPECT_EQ(
      json_members(R"(event=connected conn=3 peer=127.0.0.1:5 why="a b" mode=0600 n=-7 empty= quoted="")"),
      R"("event":"connected","conn":3,"peer":"127.0.0.1:5","why":"a b","mode":"0600","n":-7,"empty":"","quoted":"")");
  EXPECT_EQ(json_members("event=x big=1234567890123456"), R"("event":"x","big":"1234567890123456")");
  EXPECT_EQ(json_members("words that are no pairs"), R"("message":"words that are no pairs")");
  EXPECT_EQ(json_members("event=x and words"), R"("event":"x","message":"and words")");
  EXPECT_EQ(json_members(""), R"("message":"")");
}

TEST(LogLines, WhateverIsInALineItIsValidJson) {
  for (const std::string& line : {
           std::string("event=x why=\"never ends"),
           std::string("event=x why=\"\\x22 and \\\\ and \\\""),
           std::string("event=x a=\"b\"c=\"d\" \"=\" = =="),
           std::string("event=\xff\xfe\x01\n\t\"}{"),
           std::string("event=x \0 y=1", 13),
           std::string("\"},{\"event\":\"forged"),
           std::string("KEY=1 k-e=2 k\"e=3"),
           std::string(5'000, '"'),
       }) {
    SCOPED_TRACE(line.substr(0, 60));
    const std::string json = "{" + json_members(line) + "}";
    parsed(json);
    EXPECT_EQ(json.find('\n'), std::string::npos);
  }
  EXPECT_EQ(parsed("{" + json_members(R"(event=x why="a\x0ab\x22c")") + "}").fields().at("why").string_value(),
            R"(a\x0ab\x22c)")
      << "escapes stay as they are in the text's form";
}

TEST(LogLines, ALineIsOneLine) {
  EXPECT_EQ(one_line("event=x why=\"a\nevent=forged\r\t\x1b[2J\x7f\""),
            "event=x why=\"a\\x0aevent=forged\\x0d\\x09\\x1b[2J\\x7f\"");
}

TEST(LogLines, TheEventIsTheFirstWord) {
  EXPECT_EQ(event_of("event=connected conn=1"), "connected");
  EXPECT_EQ(event_of("event=stopped"), "stopped");
  EXPECT_EQ(event_of("something event=x"), "other");
}

TEST(RepeatLimiter, WritesSomeAndCountsTheOthers) {
  RepeatLimiter limiter(3);
  int written = 0;
  for (int i = 0; i < 10; ++i) written += limiter.admit("flood", 100);
  EXPECT_EQ(written, 3);
  EXPECT_TRUE(limiter.admit("other", 100)) << "each event has its own";
  EXPECT_TRUE(limiter.take_sums(100).empty()) << "the second is not over";
  const auto sums = limiter.take_sums(101);
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].event, "flood");
  EXPECT_EQ(sums[0].times, 7u);
  EXPECT_TRUE(limiter.take_sums(102).empty()) << "once";
  EXPECT_TRUE(limiter.admit("flood", 102));
}

TEST(RepeatLimiter, ThatMuchIsNoRepetition) {
  RepeatLimiter limiter(3);
  for (int second = 0; second < 5; ++second) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.admit("x", second));
  }
  EXPECT_TRUE(limiter.take_sums(9).empty());
}

TEST(RepeatLimiter, AnotherLineEndsTheSecondToo) {
  RepeatLimiter limiter(1);
  EXPECT_TRUE(limiter.admit("a", 5));
  EXPECT_FALSE(limiter.admit("a", 5));
  EXPECT_TRUE(limiter.admit("a", 6));
  EXPECT_FALSE(limiter.admit("a", 5)) << "a clock that goes back opens nothing";
  EXPECT_EQ(limiter.take_sums(6).at(0).times, 1u);
  EXPECT_EQ(limiter.take_sums(7).at(0).times, 1u);
}

TEST(RepeatLimiter, ZeroIsNoLimit) {
  RepeatLimiter limiter(0);
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(limiter.admit("x", 1));
  EXPECT_TRUE(limiter.take_sums(2).empty());
}

}  // namespace
}  // namespace voxpath::server
