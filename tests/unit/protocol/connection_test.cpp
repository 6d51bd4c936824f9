// Conversations as scripts: bytes in, actions out, no sockets and no clock but a number.
#include "protocol/connection.hpp"

#include "protocol/voxpath.pb.h"
#include "tests/unit/protocol/connection_owner.hpp"

#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::protocol {
namespace {

using Owner = ConnectionOwner;

TEST(Connection, WelcomesAndSubmits) {
  Owner owner;
  owner.greet();
  auto frames = owner.heard();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].id(), 1u);
  EXPECT_EQ(frames[0].welcome().version(), 1u);
  EXPECT_EQ(frames[0].welcome().limits().in_flight_max(), kInFlightMax);
  EXPECT_EQ(frames[0].welcome().limits().frame_size_max_bytes(), kFrameSizeMaxBytes);
  EXPECT_EQ(owner.connection.client_name(), "test");

  owner.receive(list(7));
  ASSERT_TRUE(owner.submitted.contains(7));
  EXPECT_TRUE(owner.heard().empty());
  EXPECT_TRUE(owner.answer(7));
  frames = owner.heard();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].id(), 7u);
  EXPECT_TRUE(frames[0].has_worlds());
  EXPECT_FALSE(owner.answer(7)) << "an answer goes out once";
  EXPECT_TRUE(owner.heard().empty());
}

TEST(Connection, ReadsAConversationInSingleBytes) {
  Owner owner;
  for (const char c : bytes_of(hello()) + bytes_of(list(2)) + bytes_of(ping(3, 99))) owner.receive({&c, 1});
  EXPECT_TRUE(owner.submitted.contains(2));
  const auto frames = owner.heard();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].id(), 3u);
  EXPECT_EQ(frames[1].pong().payload(), 99u);
}

TEST(Connection, RefusesABadRequestAndGoesOn) {
  Owner owner;
  owner.greet();
  F bad;
  bad.set_id(5);
  bad.mutable_find_path()->set_world("overworld");
  owner.receive(bad);
  owner.receive(list(6));
  const auto frames = owner.heard();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].id(), 5u);
  EXPECT_EQ(frames[1].error().code(), v1::Error::INVALID_ARGUMENT);
  EXPECT_EQ(frames[1].error().field(), "find_path.start.position");
  EXPECT_TRUE(owner.submitted.contains(6));
  EXPECT_FALSE(owner.submitted.contains(5));
}

TEST(Connection, AnswersARequestThatItDoesNotKnow) {
  Owner owner;
  owner.greet();
  owner.heard();
  const std::string unknown("\x08\x09\xa2\x3e\x00", 5);  // id 9 and an empty message in field 996
  owner.receive(std::string(1, static_cast<char>(unknown.size())) + unknown);
  const auto frames = owner.heard();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].id(), 9u);
  EXPECT_EQ(frames[0].error().code(), v1::Error::UNIMPLEMENTED);
  EXPECT_FALSE(owner.closed);
}

TEST(Connection, EndsWhereTheStreamOrTheIdsCannotBeTrusted) {
  const struct {
    const char* name;
    std::string bytes;
    ErrorKind kind;
  } kRows[] = {
      {"no message", std::string("\x03\xff\xff\xff", 4), ErrorKind::frame_malformed},
      {"endless length", std::string(8, '\xff'), ErrorKind::frame_malformed},
      {"huge length", std::string("\xff\xff\xff\xff\x0f"), ErrorKind::frame_too_big},
      {"empty frame", std::string(1, '\0'), ErrorKind::request_id_invalid},
      {"id 0", bytes_of(list(0)), ErrorKind::request_id_invalid},
      {"id in flight", bytes_of(list(4)) + bytes_of(list(4)), ErrorKind::request_id_invalid},
      {"deep nesting",
       [] {
         std::string nested;
         for (int i = 0; i < 40'000; ++i) nested += '\x0b';  // a group within a group within ...
         return std::string("\xc0\xb8\x02", 3) + nested;
       }(),
       ErrorKind::frame_malformed},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Owner owner;
    owner.greet();
    owner.receive(row.bytes);
    expect_closed(owner, row.kind);
  }
}

TEST(Connection, WantsHelloFirstAndOnce) {
  Owner owner;
  owner.receive(list(1));
  expect_closed(owner, ErrorKind::hello_expected);

  Owner twice;
  twice.greet();
  twice.heard();
  F again = hello();
  again.set_id(2);
  twice.receive(again);
  const auto frames = twice.heard();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].error().reason(), "hello_repeated");
}

TEST(Connection, HoldsHelloToItsSize) {
  F frame = hello();
  const std::size_t free = kHelloSizeMaxBytes - frame.ByteSizeLong();
  frame.mutable_hello()
      ->GetReflection()
      ->MutableUnknownFields(frame.mutable_hello())
      ->AddLengthDelimited(100)
      ->assign(free - 5, 'x');
  ASSERT_NEAR(static_cast<double>(frame.ByteSizeLong()), static_cast<double>(kHelloSizeMaxBytes), 4);
  for (const int more : {-1, 0, 1}) {
    std::string* filler = frame.mutable_hello()
                              ->GetReflection()
                              ->MutableUnknownFields(frame.mutable_hello())
                              ->mutable_field(0)
                              ->mutable_length_delimited();
    filler->resize(filler->size() + kHelloSizeMaxBytes + static_cast<std::size_t>(more) - frame.ByteSizeLong());
    ASSERT_EQ(frame.ByteSizeLong(), kHelloSizeMaxBytes + static_cast<std::size_t>(more));
    Owner owner;
    owner.receive(frame);
    EXPECT_EQ(owner.closed.has_value(), more == 1);
  }
}

TEST(Connection, HoldsFramesToTheirSizeAndUploadsToTheirs) {
  const auto padded = [](F frame, std::size_t size) {
    std::string* filler = frame.GetReflection()->MutableUnknownFields(&frame)->AddLengthDelimited(100);
    filler->resize(size - frame.ByteSizeLong() - 3);
    filler->resize(filler->size() + size - frame.ByteSizeLong());
    EXPECT_EQ(frame.ByteSizeLong(), size);
    return frame;
  };
  F chunk;
  chunk.set_id(2);
  chunk.mutable_put_chunk()->set_world("w");
  const struct {
    const char* name;
    F frame;
    const char* reason;
  } kRows[] = {
      {"frame - 1", padded(list(2), kFrameSizeMaxBytes - 1), ""},
      {"frame", padded(list(2), kFrameSizeMaxBytes), ""},
      {"frame + 1", padded(list(2), kFrameSizeMaxBytes + 1), "frame_too_big"},
      {"upload, frame + 1", padded(chunk, kFrameSizeMaxBytes + 1), ""},
      {"upload - 1", padded(chunk, kUploadSizeMaxBytes - 1), ""},
      {"upload", padded(chunk, kUploadSizeMaxBytes), ""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Owner owner;
    owner.greet();
    owner.heard();
    owner.receive(row.frame);
    const auto frames = owner.heard();
    if (*row.reason == 0) {
      EXPECT_TRUE(frames.empty());
      EXPECT_TRUE(owner.submitted.contains(2));
    } else {
      ASSERT_EQ(frames.size(), 1u);
      EXPECT_EQ(frames[0].error().reason(), row.reason);
    }
    EXPECT_FALSE(owner.closed) << "the next frame's beginning is known";
  }
  Owner owner;
  owner.greet();
  owner.receive(bytes_of(padded(chunk, kUploadSizeMaxBytes + 1)).substr(0, 10));
  expect_closed(owner, ErrorKind::frame_too_big);
}

TEST(Connection, LetsInWhomItsOwnerLetsIn) {
  const struct {
    const char* token;
    bool welcome;
  } kRows[] = {{"", false}, {"secret", true}, {"secrets", false}};
  for (const auto& row : kRows) {
    int asked = 0;
    Owner owner({}, [&](const v1::Hello& said) -> std::optional<Failure> {
      ++asked;
      if (said.token() == "secret") return std::nullopt;
      return Failure{ErrorKind::token_wrong, "the token in Hello is none of this server's", "hello.token"};
    });
    owner.receive(hello(row.token));
    EXPECT_EQ(owner.connection.welcomed(), row.welcome) << row.token;
    EXPECT_EQ(asked, 1);
    if (!row.welcome) expect_closed(owner, ErrorKind::token_wrong);
  }
}

TEST(Connection, NamesOtherProtocols) {
  const struct {
    const char* name;
    std::string bytes;
  } kRows[] = {
      {"HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"HTTP", "POST /v1/path HTTP/1.1\r\n\r\n"},
      {"Minecraft", std::string("\x10\x00\xff\x05\x09localhost\x63\xdd\x01", 17)},
      {"Minecraft", std::string("\xfe\x01\xfa\x00", 4)},
      {"TLS", std::string("\x16\x03\x01\x02\x00\x01", 6)},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.bytes);
    EXPECT_EQ(other_protocol(row.bytes), row.name);
    for (std::size_t cut = 0; cut < row.bytes.size(); ++cut) {
      Owner owner;
      owner.receive(row.bytes.substr(0, cut));
      if (!owner.closed) owner.receive(row.bytes.substr(cut));
      ASSERT_TRUE(owner.closed);
      EXPECT_EQ(owner.closed->why.kind, ErrorKind::not_voxpath);
      EXPECT_NE(owner.closed->why.message.find(row.name), std::string::npos) << owner.closed->why.message;
      EXPECT_EQ(owner.wire.starts_with("HTTP/1.1 400"), row.name == std::string("HTTP"));
    }
  }
  EXPECT_EQ(other_protocol(bytes_of(hello())), "");
}

TEST(Connection, TheHttpAnswerHasTheLengthItSays) {
  Owner owner;
  owner.receive("GET / HTTP/1.1\r\n\r\n");
  const std::size_t body = owner.wire.find("\r\n\r\n") + 4;
  EXPECT_NE(owner.wire.find(fmt::format("Content-Length: {}\r\n", owner.wire.size() - body)), std::string::npos)
      << owner.wire;
}

TEST(Connection, WaitsForHelloOnlySoLong) {
  Owner owner;
  owner.wait(kHandshakeTimeoutMs - 1);
  EXPECT_FALSE(owner.closed);
  owner.wait(1);
  expect_closed(owner, ErrorKind::handshake_timeout);

  Owner slow;  // a byte now and then does not lengthen it
  for (const char c : bytes_of(hello()).substr(0, 10)) {
    slow.receive({&c, 1});
    slow.wait(kHandshakeTimeoutMs / 10);
  }
  expect_closed(slow, ErrorKind::handshake_timeout);
}

TEST(Connection, PingsWhoIsSilentAndEndsWhoStaysSo) {
  Owner owner;
  owner.greet();
  owner.heard();
  owner.wait(kIdleTimeoutMs - 1);
  EXPECT_TRUE(owner.heard().empty());
  owner.wait(1);
  auto frames = owner.heard();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].id(), 0u);
  EXPECT_TRUE(frames[0].has_ping());
  owner.wait(kIdleTimeoutMs - 1);
  owner.receive(ping(2));
  EXPECT_TRUE(owner.heard()[0].has_pong());
  owner.wait(kUnreadTimeoutMs - 1);
  EXPECT_FALSE(owner.closed);
  owner.wait(1);
  expect_closed(owner, ErrorKind::idle_timeout);
}

TEST(Connection, ReadsNoFurtherAtTheInFlightLimit) {
  Owner owner({.in_flight_max = 3});
  owner.greet();
  std::string burst;
  for (std::uint32_t id = 10; id < 20; ++id) burst += bytes_of(list(id));
  owner.receive(burst);
  EXPECT_EQ(owner.submitted.size(), 3u);
  EXPECT_FALSE(owner.reading);
  owner.wait(10 * kIdleTimeoutMs);  // who is not read is not thought silent
  EXPECT_FALSE(owner.closed);
  for (std::uint32_t id = 10; id < 20; ++id) {
    EXPECT_TRUE(owner.answer(id)) << "in the order of arrival";
    EXPECT_EQ(owner.submitted.size(), std::min<std::size_t>(10, id - 10 + 4));
    EXPECT_EQ(owner.reading, owner.connection.in_flight() < 3);
  }
  EXPECT_EQ(owner.heard().size(), 11u);
}

TEST(Connection, DefaultInFlightLimit) {
  Owner owner;
  owner.greet();
  std::string burst;
  for (std::uint32_t id = 1; id <= kInFlightMax + 1; ++id) burst += bytes_of(list(id));
  owner.receive(burst);
  EXPECT_EQ(owner.submitted.size(), kInFlightMax);
}

TEST(Connection, PausesWhoDoesNotReadItsAnswers) {
  Owner owner({.outbound_pause_bytes = 200});
  owner.greet();
  owner.heard();
  owner.auto_sent = false;
  std::string burst;
  for (std::uint32_t id = 1; id <= 100; ++id) burst += bytes_of(ping(id, 1));
  owner.receive(burst);
  EXPECT_FALSE(owner.reading);
  EXPECT_GT(owner.unsent, 200u);
  EXPECT_LT(owner.unsent, 220u) << "at most one answer over the line";
  const std::size_t before = owner.wire.size();
  owner.all_sent();
  EXPECT_GT(owner.wire.size(), before) << "goes on with the frames that waited";
  owner.auto_sent = true;
  owner.all_sent();
  EXPECT_EQ(owner.heard().size(), 100u);
  EXPECT_TRUE(owner.reading);
}

/// An answer of about so many bytes.
v1::ServerFrame long_answer(std::uint32_t id, std::size_t bytes) {
  v1::ServerFrame answer = worlds_answer(id);
  answer.mutable_worlds()->add_folders(std::string(bytes, 'x'));
  return answer;
}

TEST(Connection, BeginsNoJobsForWhoHasMuchToReadAndLosesNothing) {
  Owner owner({.outbound_max_bytes = 8'000, .outbound_pause_bytes = 1'000});
  owner.greet();
  owner.heard();
  owner.auto_sent = false;
  constexpr std::uint32_t kRequests = 50;
  for (std::uint32_t id = 1; id <= kRequests; ++id) owner.receive(list(id));
  ASSERT_TRUE(owner.working);
  const auto answered = [&](std::uint32_t id) {
    EXPECT_TRUE(owner.connection.answer(long_answer(id, 900), owner.now_ms));
    owner.carry_out();
  };
  answered(1);
  EXPECT_TRUE(owner.working) << "less waits than the limit";
  answered(2);
  EXPECT_FALSE(owner.working);
  for (std::uint32_t id = 3; id <= kRequests; ++id) answered(id);  // all were being worked on already
  EXPECT_GT(owner.unsent, 5 * 8'000u);
  ASSERT_FALSE(owner.closed) << "its length alone is no reason";
  while (owner.unsent > 0) {  // read slowly, but read
    owner.wait(kUnreadFullTimeoutMs - 1);
    ASSERT_FALSE(owner.closed) << owner.closed->why.message;
    const std::size_t bytes = std::min<std::size_t>(owner.unsent, 700);
    owner.unsent -= bytes;
    owner.connection.sent(bytes, owner.now_ms);
    owner.carry_out();
    EXPECT_EQ(owner.working, owner.unsent <= 1'000);
  }
  std::size_t answers = 0;
  for (const v1::ServerFrame& frame : owner.heard()) answers += frame.has_worlds() ? 1 : 0;
  EXPECT_EQ(answers, kRequests);
}

TEST(Connection, EndsWhoReadsNothingWithMuchWaiting) {
  for (const int more : {-1, 0, 1}) {  // than outbound_max_bytes
    const v1::ServerFrame answer = long_answer(2, 1'000);
    std::string encoded;
    append_frame(answer, &encoded);
    Owner owner({.outbound_max_bytes = encoded.size() - static_cast<std::size_t>(more), .outbound_pause_bytes = 100});
    owner.greet();
    owner.auto_sent = false;
    owner.receive(list(2));
    owner.wait(10);
    owner.connection.answer(answer, owner.now_ms);
    owner.carry_out();
    owner.wait(kUnreadFullTimeoutMs - 1);
    ASSERT_FALSE(owner.closed);
    owner.wait(1);
    EXPECT_EQ(owner.closed.has_value(), more == 1);
    owner.wait(kUnreadTimeoutMs - kUnreadFullTimeoutMs - 1);
    EXPECT_EQ(owner.closed.has_value(), more == 1);
    owner.wait(1);
    ASSERT_TRUE(owner.closed);
    EXPECT_EQ(owner.closed->why.kind, ErrorKind::slow_consumer);
    EXPECT_FALSE(owner.closed->flush);
  }
}

TEST(Connection, ReadsNoMoreLongQuestionsThanItCanHoldTheAnswersOf) {
  Owner owner;
  owner.greet();
  owner.heard();
  owner.auto_sent = false;
  v1::ClientFrame long_one;
  long_one.mutable_query_blocks()->set_world("w");
  long_one.mutable_query_blocks()->mutable_box()->mutable_min();
  long_one.mutable_query_blocks()->mutable_box()->mutable_max()->set_x(static_cast<int>(kQueryBlocksMax) - 1);
  constexpr std::uint32_t kRequests = 100;
  std::string burst;
  for (std::uint32_t id = 1; id <= kRequests; ++id) {
    long_one.set_id(id);
    burst += bytes_of(long_one);
  }
  owner.receive(burst);
  EXPECT_EQ(owner.submitted.size(), 6u) << "6 MiB are reached with the sixth, and the next would pass them";
  EXPECT_FALSE(owner.reading);
  v1::ServerFrame answer = worlds_answer(1);
  answer.mutable_worlds()->add_folders(std::string(kFrameSizeMaxBytes - 100, 'x'));
  for (std::uint32_t id = 1; id <= kRequests; ++id) {  // each is answered before the client has read anything
    if (!owner.submitted.contains(id)) owner.all_sent();
    ASSERT_TRUE(owner.submitted.contains(id));
    answer.set_id(id);
    EXPECT_TRUE(owner.connection.answer(answer, 0));
    owner.carry_out();
    ASSERT_FALSE(owner.closed) << owner.closed->why.message;
  }
  owner.all_sent();
  EXPECT_EQ(owner.heard().size(), kRequests);
  EXPECT_TRUE(owner.reading);
}

TEST(Connection, PathsAreInFlightUpToTheirNumber) {
  Owner owner;
  owner.greet();
  v1::ClientFrame path;
  path.mutable_find_path()->set_world("w");
  path.mutable_find_path()->mutable_start()->mutable_cell();
  path.mutable_find_path()->mutable_goal()->mutable_cell();
  for (std::uint32_t id = 1; id <= kInFlightMax + 1; ++id) {
    path.set_id(id);
    owner.receive(path);
  }
  EXPECT_EQ(owner.submitted.size(), kInFlightMax);
}

TEST(Connection, EndsWhoStopsReadingForGood) {
  Owner owner({.in_flight_max = 2, .outbound_pause_bytes = 200});
  owner.greet();
  owner.heard();
  owner.receive(list(2));
  owner.receive(list(3));
  ASSERT_FALSE(owner.reading);
  owner.wait(10 * kIdleTimeoutMs);
  ASSERT_FALSE(owner.closed) << "it is the client that waits";
  owner.auto_sent = false;
  v1::ServerFrame big = worlds_answer(2);
  big.mutable_worlds()->add_folders(std::string(1000, 'x'));
  owner.connection.answer(big, owner.now_ms);
  owner.carry_out();
  owner.wait(kUnreadTimeoutMs - 1);
  ASSERT_FALSE(owner.closed);
  owner.unsent -= 100;
  owner.connection.sent(100, owner.now_ms);
  owner.carry_out();
  owner.wait(kUnreadTimeoutMs - 1);
  ASSERT_FALSE(owner.closed) << "it reads, if slowly";
  owner.wait(1);
  ASSERT_TRUE(owner.closed);
  EXPECT_EQ(owner.closed->why.kind, ErrorKind::slow_consumer);
  EXPECT_FALSE(owner.closed->flush);
}

TEST(Connection, CancelsWhatIsInFlightOnly) {
  Owner owner;
  owner.greet();
  owner.receive(list(5));
  owner.heard();
  owner.receive(cancel(6, 5));
  owner.receive(cancel(7, 99));
  auto frames = owner.heard();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_TRUE(frames[0].cancel().in_flight());
  EXPECT_FALSE(frames[1].cancel().in_flight());
  EXPECT_EQ(owner.cancelled, std::vector<std::uint32_t>{5});
  owner.answer(5);
  owner.receive(cancel(8, 5));
  frames = owner.heard();
  EXPECT_EQ(frames.size(), 2u);
  EXPECT_FALSE(frames[1].cancel().in_flight()) << "it had its answer";
  EXPECT_EQ(owner.cancelled.size(), 1u);
}

TEST(Connection, DrainsWithoutLosingAnAnswer) {
  Owner owner;
  owner.greet();
  owner.receive(list(2));
  owner.receive(list(3));
  owner.heard();
  owner.connection.drain(owner.now_ms);
  owner.carry_out();
  EXPECT_FALSE(owner.reading);
  owner.answer(3);
  EXPECT_FALSE(owner.closed);
  owner.answer(2);
  ASSERT_TRUE(owner.closed);
  EXPECT_EQ(owner.closed->why.kind, ErrorKind::shutting_down);
  EXPECT_EQ(owner.heard().size(), 3u);

  Owner idle;
  idle.greet();
  idle.connection.drain(0);
  idle.carry_out();
  expect_closed(idle, ErrorKind::shutting_down);
}

// A whole conversation, and then again and again with a fault after each of its steps.
std::vector<std::function<void(Owner&)>> whole_conversation() {
  return {
      [](Owner& o) { o.receive(bytes_of(hello()).substr(0, 5)); },
      [](Owner& o) { o.receive(bytes_of(hello()).substr(5)); },
      [](Owner& o) { o.receive(list(2)); },
      [](Owner& o) { o.receive(bytes_of(list(3)) + bytes_of(ping(4)) + bytes_of(list(5)).substr(0, 2)); },
      [](Owner& o) { o.receive(bytes_of(list(5)).substr(2)); },
      [](Owner& o) { o.answer(3); },
      [](Owner& o) { o.wait(kIdleTimeoutMs); },
      [](Owner& o) { o.receive(cancel(6, 2)); },
      [](Owner& o) { o.answer(2); },
      [](Owner& o) { o.answer(5); },
      [](Owner& o) { o.receive(list(2)); },  // an id that is free again

  };
}

TEST(Connection, FailsCleanlyAfterEachStepOfAConversation) {
  const struct {
    const char* name;
    std::function<void(Owner&)> fault;
    bool closes;
  } kFaults[] = {
      {"the client goes",
       [](Owner& o) {
         o.connection.peer_closed();
         o.carry_out();
       },
       true},
      {"garbage", [](Owner& o) { o.receive(std::string(64, '\xff')); }, true},
      {"a frame of rubbish",
       [](Owner& o) {
         o.receive(std::string("\x02\xff\xff", 3));
         o.receive(std::string(64, '\xff'));
       },
       true},
      {"silence", [](Owner& o) { o.wait(10 * kIdleTimeoutMs); }, true},
      {"the server ends",
       [](Owner& o) {
         o.connection.refuse({ErrorKind::shutting_down, "now"});
         o.carry_out();
       },
       true},
      {"the server drains",
       [](Owner& o) {
         o.connection.drain(o.now_ms);
         o.carry_out();
       },
       false},
  };
  const auto script = whole_conversation();
  for (const auto& fault : kFaults) {
    for (std::size_t n = 0; n <= script.size(); ++n) {
      SCOPED_TRACE(fmt::format("{} after step {}", fault.name, n));
      Owner owner;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == 10) owner.submitted.erase(2);
        script[i](owner);
      }
      EXPECT_FALSE(owner.closed);
      fault.fault(owner);
      if (fault.closes) {
        EXPECT_TRUE(owner.closed);
      }
      for (std::uint32_t id = 2; id <= 5; ++id) owner.answer(id);  // late answers do no harm
      EXPECT_TRUE(owner.closed) << "nothing in flight is left when drained";
      EXPECT_EQ(owner.connection.in_flight(), 0u);
      const std::size_t wire_before = owner.wire.size();
      owner.receive(list(50));
      owner.wait(100 * kIdleTimeoutMs);
      EXPECT_EQ(owner.wire.size(), wire_before) << "nothing is said after the end";
      EXPECT_FALSE(owner.submitted.contains(50));
    }
  }
}

}  // namespace
}  // namespace voxpath::protocol
