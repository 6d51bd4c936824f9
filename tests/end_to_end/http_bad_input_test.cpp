// Bytes that are no good at the HTTP door: each is told what is wrong with it, and the server goes on.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/http_client.hpp"

#include <atomic>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using testing::HasSubstr;

void still_serves(RunningDaemon& daemon) {
  HttpClient http(daemon->http_port());
  EXPECT_EQ(http.get("/livez").status, 200u);
}

TEST(HttpBadInput, WhatIsNoRequestIsToldAndEnds) {
  RunningDaemon daemon(http_config());
  std::string hello;
  {
    v1::ClientFrame frame;
    frame.set_id(1);
    frame.mutable_hello()->set_magic(protocol::kMagic);
    protocol::append_frame(frame, &hello);
  }
  struct Case {
    std::string name, bytes;
    unsigned status;
    std::string reason, words;
  };
  const std::string host = "Host: x\r\n";
  const std::string next = "GET /livez HTTP/1.1\r\n" + host + "\r\n";  // must not be taken for a request of its own
  for (const Case& c : std::initializer_list<Case>{
           {"garbage", "\x01\x02\x03\xff garbage\r\n\r\n", 400, "http_malformed", ""},
           {"text", "hello?\r\n\r\n", 400, "http_malformed", ""},
           {"Minecraft", std::string("\x10\x00\xff\x05\x09localhost\x63\xdd\x02", 17), 400, "http_malformed",
            "Minecraft"},
           {"TLS", std::string("\x16\x03\x01\x02\x00\x01", 6), 400, "http_malformed", "TLS"},
           {"the binary protocol", hello, 400, "http_malformed", "binary protocol"},
           {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "http_malformed", "version"},
           {"HTTP/0.9", "GET /livez\r\n\r\n", 400, "http_malformed", ""},
           {"no Host", "GET /livez HTTP/1.1\r\n\r\n", 400, "http_malformed", "Host"},
           {"two Hosts", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "http_malformed", "Host"},
           {"two lengths", "POST /v1/ping HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
            400, "http_malformed", ""},
           {"length and chunks",
            "POST /v1/ping HTTP/1.1\r\n" + host + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", 400,
            "http_malformed", ""},
           {"negative length", "POST /v1/ping HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n", 400,
            "http_malformed", ""},
           {"huge length", "POST /v1/ping HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n", 400,
            "http_malformed", ""},
           {"body over the limit", "POST /v1/ping HTTP/1.1\r\n" + host + "Content-Length: 1048577\r\n\r\n", 413,
            "frame_too_big", "1048576"},
           {"upload over the limit", "POST /v1/put_chunk HTTP/1.1\r\n" + host + "Content-Length: 4194305\r\n\r\n", 413,
            "frame_too_big", "4194304"},
           {"a coding that is none", "POST /v1/ping HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n\r\n" + next,
            400, "http_malformed", "Transfer-Encoding"},
           {"no coding", "POST /v1/ping HTTP/1.1\r\n" + host + "Transfer-Encoding: identity\r\n\r\n" + next, 400,
            "http_malformed", "Transfer-Encoding"},
           {"a coding more",
            "POST /v1/ping HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + next, 400,
            "http_malformed", "Transfer-Encoding"},
           {"chunks not last", "POST /v1/ping HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked, gzip\r\n\r\n" + next,
            400, "http_malformed", "Transfer-Encoding"},
           {"two codings",
            "POST /v1/ping HTTP/1.1\r\n" + host +
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + next,
            400, "http_malformed", "Transfer-Encoding"},
           {"no chunk", "POST /v1/ping HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", 400,
            "http_malformed", ""},
           {"chunk over the limit",
            "POST /v1/ping HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n100001\r\n", 413, "frame_too_big",
            ""},
           {"line folding", "GET /livez HTTP/1.1\r\n" + host + "A: b\r\n\tc\r\n\r\n", 200, "", ""},
           {"a long name", "GET /livez HTTP/1.1\r\n" + host + std::string(20'000, 'a') + ": b\r\n\r\n", 431,
            "header_too_big", "16384"},
           {"many lines",
            "GET /livez HTTP/1.1\r\n" + host +
                [] {
                  std::string lines;
                  for (int i = 0; i < 5'000; ++i) lines += fmt::format("X-{}: y\r\n", i);
                  return lines;
                }() +
                "\r\n",
            431, "header_too_big", "16384"},
           {"a long target", "GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n" + host + "\r\n", 431,
            "header_too_big", ""},
           {"no end of a chunk's line",
            "POST /v1/ping HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(200'000, 'a'),
            431, "header_too_big", ""},
       }) {
    HttpClient http(daemon->http_port());
    http.send(c.bytes);
    const HttpReply reply = http.next();
    EXPECT_EQ(reply.status, c.status) << c.name << ": " << reply.body;
    if (c.status == 200) continue;
    EXPECT_EQ(reply.as<v1::Error>().reason(), c.reason) << c.name << ": " << reply.body;
    EXPECT_THAT(reply.body, HasSubstr(c.words)) << c.name;
    EXPECT_FALSE(reply.keep_alive) << c.name;
    EXPECT_TRUE(http.at_end()) << c.name;
  }
  still_serves(daemon);
}

TEST(HttpBadInput, OldAndOddRequestsAreAnsweredAllTheSame) {
  RunningDaemon daemon(http_config());
  {
    HttpClient old(daemon->http_port());
    old.send("GET /livez HTTP/1.0\r\n\r\n");
    const HttpReply reply = old.next();
    EXPECT_EQ(reply.status, 200u);
    EXPECT_FALSE(reply.keep_alive);
    EXPECT_TRUE(old.at_end());
  }
  {
    HttpClient old(daemon->http_port());
    old.send("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(old.next().keep_alive);
    old.send("GET /livez HTTP/1.0\r\n\r\n");
    EXPECT_EQ(old.next().status, 200u);
  }
  HttpClient http(daemon->http_port());
  http.send("GET http://x/readyz HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(http.next().status, 200u);
  http.send(
      "\r\n\r\nPOST /v1/ping HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\n{\"pay\r\n9;name=1\r\nload\":\"7\"\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n");
  EXPECT_EQ(http.next().as<v1::Pong>().payload(), 7u);
  http.send("POST /v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(http.next().status, 100u);
  http.send("{\"payload\":\"8\"}");
  EXPECT_EQ(http.next().as<v1::Pong>().payload(), 8u);
  http.send("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_FALSE(http.next().keep_alive);
  EXPECT_TRUE(http.at_end());
}

TEST(HttpBadInput, ARequestMayComeByteByByte) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  for (const char byte :
       std::string_view("POST /v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{\"payload\":\"9\"}"))
    http.send({&byte, 1});
  EXPECT_EQ(http.next().as<v1::Pong>().payload(), 9u);
}

TEST(HttpBadInput, WhoDripsIsNotWaitedFor) {
  server::Config config = http_config();
  config.http.header_timeout_ms = config.http.body_timeout_ms = config.http.idle_timeout_ms = 50;
  RunningDaemon daemon(config);
  struct Case {
    const char *name, *bytes;
    unsigned status;
    const char* field;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"nothing", "", 0, ""},
           {"half a line", "GET /liv", 408, "head"},
           {"half a head", "GET /livez HTTP/1.1\r\nHost: x\r\n", 408, "head"},
           {"half a body", "POST /v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{\"pay", 408, "body"},
           {"half a chunk", "POST /v1/ping HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{", 408,
            "body"},
       }) {
    HttpClient http(daemon->http_port());
    http.send(c.bytes);
    const HttpReply reply = http.next();
    EXPECT_EQ(reply.status, c.status) << c.name;
    if (c.status != 0) {
      EXPECT_EQ(reply.as<v1::Error>().reason(), "request_timeout") << c.name;
      EXPECT_EQ(reply.as<v1::Error>().field(), c.field) << c.name;
    }
    EXPECT_TRUE(http.at_end()) << c.name;
  }
  // What drips in does not lengthen the time.
  HttpClient http(daemon->http_port());
  http.send("GET /livez HTTP/1.1\r\nHost: x\r\n");
  std::atomic<bool> answered = false;
  std::thread dripper([&] {
    for (int i = 0; i < 1'000'000 && !answered; ++i) http.send("X: y\r\n"), std::this_thread::yield();
  });
  const HttpReply reply = http.next();
  answered = true;
  dripper.join();
  EXPECT_TRUE(reply.status == 408u || reply.status == 431u) << reply.status;
}

TEST(HttpBadInput, JsonThatIsNone) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  const auto repeated = [](std::string_view what, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += what;
    return out;
  };
  struct Case {
    std::string name, method, body, field, words;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"nothing but a blank", "find_path", " ", "find_path", ""},
           {"an array", "find_path", "[]", "find_path", "object"},
           {"NaN", "find_path", R"({"start":{"position":{"x":NaN}}})", "find_path.start.position.x", ""},
           {"Infinity", "find_path", R"({"start":{"position":{"x":-Infinity}}})", "find_path.start.position.x", ""},
           {"beyond doubles", "find_path", R"({"start":{"position":{"x":1e999}}})", "find_path.start.position.x",
            "double"},
           {"beyond integers", "find_path", R"({"start":{"cell":{"x":99999999999}}})", "find_path.start.cell.x",
            "99999999999"},
           {"a broken number", "find_path", R"({"start":{"cell":{"x":1.5}}})", "find_path.start.cell.x", "1.5"},
           {"negative", "find_path", R"({"mob":-1})", "find_path.mob", "-1"},
           {"text for a number", "find_path", R"({"mob":"x"})", "find_path.mob", ""},
           {"twice", "find_path", R"({"world":"a","world":"b"})", "find_path.world", "twice"},
           {"twice by two names", "find_path", R"({"deadlineMs":1,"deadline_ms":2})", "find_path.deadline_ms", "twice"},
           {"two of one", "find_path", R"({"start":{"cell":{},"position":{}}})", "find_path.start", "already set"},
           {"deep", "find_path", repeated("{\"a\":", 100), "find_path", "deep"},
           {"arrays in arrays", "set_blocks", R"({"changes":[[]]})", "set_blocks.changes[0]", "array"},
           {"single quotes", "find_path", "{'world':'a'}", "find_path", ""},
           {"a comma too many", "find_path", R"({"world":"a",})", "find_path", ""},
           {"a comment", "find_path", R"({/**/})", "find_path", ""},
           {"something behind", "find_path", "{} {}", "find_path", ""},
           {"no UTF-8", "find_path", "{\"world\":\"\xff\"}", "find_path", ""},
           {"half a surrogate", "find_path", R"({"world":"\ud800"})", "find_path", ""},
           {"any type", "find_path", R"({"@type":"x"})", "find_path.@type", ""},
       }) {
    const HttpReply reply = http.post(c.method, c.body);
    EXPECT_EQ(reply.status, 400u) << c.name << ": " << reply.body;
    const auto error = reply.as<v1::Error>();
    EXPECT_EQ(error.reason(), "json_malformed") << c.name << ": " << reply.body;
    EXPECT_THAT(error.field(), testing::StartsWith(c.field)) << c.name << ": " << reply.body;
    EXPECT_THAT(reply.body, HasSubstr(c.words)) << c.name;
  }
  still_serves(daemon);
}

TEST(HttpBadInput, AMillionEntries) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  std::string changes = R"({"world":"flat","changes":[{})";
  while (changes.size() < 1'000'000) changes += ",{}";
  EXPECT_EQ(http.post("set_blocks", changes + "]}").as<v1::Error>().field(), "set_blocks.changes");
  std::string numbers = R"({"world":"flat","sections":[{"blocks":[0)";
  for (int i = 1; i < 1'000'000; ++i) numbers += ",0";
  const HttpReply reply = http.post("put_chunk", numbers + "]}]}");
  EXPECT_EQ(reply.status, 400u);
  EXPECT_EQ(reply.as<v1::Error>().field(), "put_chunk.sections[0].blocks") << reply.body;
  still_serves(daemon);
}

}  // namespace
}  // namespace voxpath::test
