#include "server/http/json_message.hpp"

#include "protocol/limits.hpp"
#include "protocol/voxpath.pb.h"
#include "server/http/strict_json.hpp"

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(JsonMessage, ReadsBothWaysToWriteANameAndWritesOne) {
  v1::FindPath camel, snake;
  ASSERT_FALSE(read_json(R"({"deadlineMs":5,"pricedBoxes":[{"price":-1}]})", "find_path", &camel));
  ASSERT_FALSE(read_json(R"({"deadline_ms":5,"priced_boxes":[{"price":-1}]})", "find_path", &snake));
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(camel, snake));
  EXPECT_EQ(write_json(camel), R"({"deadlineMs":5,"pricedBoxes":[{"price":-1}]})");
}

TEST(JsonMessage, NumbersOf64BitsAreStringsOrNumbers) {
  v1::FindPath request;
  ASSERT_FALSE(read_json(R"({"mob":"18446744073709551615"})", "", &request));
  EXPECT_EQ(request.mob(), 18'446'744'073'709'551'615u);
  EXPECT_EQ(write_json(request), R"({"mob":"18446744073709551615"})");
  ASSERT_FALSE(read_json(R"({"mob":7})", "", &request));
  EXPECT_EQ(request.mob(), 7u);
}

TEST(JsonMessage, RefusalsNameTheFieldItsValueAndWhatItWants) {
  v1::FindPath request;
  const auto refused = read_json(R"({"goal":{"anyOf":{"places":[{},{"cell":{"x":1.5}}]}}})", "find_path", &request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->kind, protocol::ErrorKind::json_malformed);
  EXPECT_EQ(refused->field, "find_path.goal.any_of.places[1].cell.x");
  EXPECT_EQ(refused->value, "1.5");
  EXPECT_EQ(refused->limit, "TYPE_SINT32");
  const auto unknown = read_json(R"({"goal":{"foo":1}})", "", &request);
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->field, "goal.foo");
  EXPECT_EQ(unknown->message, "there is no field 'goal.foo'");
  const auto text = read_json("{\"goal\":{\"a\\n\x01\":1}}", "find_path", &request);
  ASSERT_TRUE(text) << "a control character";
}

TEST(JsonMessage, WhatComesFromOutsideIsPrintable) {
  v1::FindPath request;
  const auto refused = read_json(R"({"a\u001b[2J\n":1})", "find_path", &request);
  ASSERT_TRUE(refused);
  for (const std::string* text : {&refused->field, &refused->message}) {
    for (const char c : *text) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << *text;
  }
}

std::string nested(std::size_t levels) {
  std::string text;
  for (std::size_t i = 1; i < levels; ++i) text += "{\"a\":";
  return text + "{}" + std::string(levels - 1, '}');
}

TEST(StrictJson, DepthIsBounded) {
  EXPECT_FALSE(check_json(nested(protocol::kJsonDepthMax - 1)));
  EXPECT_FALSE(check_json(nested(protocol::kJsonDepthMax)));
  const auto refused = check_json(nested(protocol::kJsonDepthMax + 1));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->limit, "32 levels");
  EXPECT_TRUE(check_json(std::string(3'000'000, '{')));
  EXPECT_TRUE(check_json("{\"a\":" + std::string(3'000'000, '[')));
}

TEST(StrictJson, NamesAreBounded) {
  const auto names = [](std::size_t count) {
    std::string text = "{";
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",\"a" : "\"a") + std::to_string(i) + "\":1";
    return text + "}";
  };
  EXPECT_FALSE(check_json(names(kJsonNamesMax)));
  EXPECT_TRUE(check_json(names(kJsonNamesMax + 1)));
  EXPECT_FALSE(check_json("{\"" + std::string(kJsonNameMaxBytes, 'a') + "\":1}"));
  EXPECT_TRUE(check_json("{\"" + std::string(kJsonNameMaxBytes + 1, 'a') + "\":1}"));
}

TEST(StrictJson, ANameMayComeAgainInAnotherObject) {
  EXPECT_FALSE(check_json(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})"));
  const auto refused = check_json(R"({"a":{"a":1},"b":[{"a":1},{"c":0,"a":2,"a":3}]})");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->field, "b[1].a");
}

}  // namespace
}  // namespace voxpath::server
