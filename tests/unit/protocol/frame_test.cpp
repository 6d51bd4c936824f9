#include "protocol/frame.hpp"

#include "protocol/limits.hpp"
#include "protocol/voxpath.pb.h"

#include <gtest/gtest.h>

namespace voxpath::protocol {
namespace {

std::string length_prefix(std::size_t length) {
  std::string out;
  while (length >= 0x80) {
    out.push_back(static_cast<char>(length | 0x80));
    length >>= 7;
  }
  out.push_back(static_cast<char>(length));
  return out;
}

/// All frames that are there now.
std::vector<std::string> frames_of(FrameDecoder& decoder) {
  std::vector<std::string> out;
  while (true) {
    const auto next = decoder.next();
    const auto* frame = std::get_if<Frame>(&next);
    if (!frame) return out;
    out.emplace_back(frame->bytes);
  }
}

TEST(FrameDecoder, TakesFramesOutOfAStreamCutAnywhere) {
  const std::vector<std::string> sent{"a", std::string(127, 'b'), std::string(128, 'c'), "", std::string(300, 'd')};
  std::string stream;
  for (const std::string& frame : sent) stream += length_prefix(frame.size()) + frame;
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    FrameDecoder decoder(kFrameSizeMaxBytes);
    decoder.feed(std::string_view(stream).substr(0, cut));
    std::vector<std::string> got = frames_of(decoder);
    decoder.feed(std::string_view(stream).substr(cut));
    for (std::string& frame : frames_of(decoder)) got.push_back(std::move(frame));
    ASSERT_EQ(got, sent) << "cut at " << cut;
    EXPECT_TRUE(decoder.pending().empty());
  }
}

TEST(FrameDecoder, TakesFramesOutOfSingleBytes) {
  const std::string stream = length_prefix(200) + std::string(200, 'x') + length_prefix(1) + "y";
  FrameDecoder decoder(kFrameSizeMaxBytes);
  std::vector<std::string> got;
  for (const char c : stream) {
    decoder.feed({&c, 1});
    for (std::string& frame : frames_of(decoder)) got.push_back(std::move(frame));
  }
  EXPECT_EQ(got, (std::vector<std::string>{std::string(200, 'x'), "y"}));
}

TEST(FrameDecoder, HoldsTheSizeLimitToTheByte) {
  for (const std::size_t limit : {kHelloSizeMaxBytes, kFrameSizeMaxBytes, kUploadSizeMaxBytes}) {
    for (const std::size_t size : {limit - 1, limit}) {
      FrameDecoder decoder(limit);
      decoder.feed(length_prefix(size));
      EXPECT_TRUE(std::holds_alternative<NeedMore>(decoder.next())) << size;
      decoder.feed(std::string(size, 'x'));
      const auto next = decoder.next();
      ASSERT_TRUE(std::holds_alternative<Frame>(next)) << size;
      EXPECT_EQ(std::get<Frame>(next).bytes.size(), size);
    }
    FrameDecoder decoder(limit);
    decoder.feed(length_prefix(limit + 1));  // refused by its length alone, before a byte of it has come
    const auto next = decoder.next();
    ASSERT_TRUE(std::holds_alternative<Failure>(next));
    const auto& failure = std::get<Failure>(next);
    EXPECT_EQ(failure.kind, ErrorKind::frame_too_big);
    EXPECT_EQ(failure.field, "frame.length");
    EXPECT_EQ(failure.value, std::to_string(limit + 1));
    EXPECT_EQ(failure.limit, std::to_string(limit) + " bytes");
  }
}

TEST(FrameDecoder, RefusesALengthOfMoreThanFiveBytesAndStaysSo) {
  FrameDecoder decoder(kFrameSizeMaxBytes);
  decoder.feed("\x80\x80\x80\x80");
  EXPECT_TRUE(std::holds_alternative<NeedMore>(decoder.next()));
  decoder.feed("\x80");
  const auto next = decoder.next();
  ASSERT_TRUE(std::holds_alternative<Failure>(next));
  EXPECT_EQ(std::get<Failure>(next).kind, ErrorKind::frame_malformed);
  decoder.feed("\x01y");
  EXPECT_TRUE(std::holds_alternative<Failure>(decoder.next()));
}

TEST(FrameDecoder,
     ReadsALengthWithIdleLeadingZeros) {  // five bytes for the number 1, as some encoders write fixed-width lengths
  FrameDecoder decoder(kFrameSizeMaxBytes);
  decoder.feed(std::string("\x81\x80\x80\x80\x00z", 6));
  EXPECT_EQ(frames_of(decoder), std::vector<std::string>{"z"});
}

TEST(AppendFrame, IsWhatTheDecoderReads) {
  v1::ClientFrame message;
  message.set_id(7);
  message.mutable_list_worlds();
  std::string stream;
  append_frame(message, &stream);
  append_frame(v1::ClientFrame(), &stream);  // nothing in it: a length of 0
  message.mutable_set_palette()->add_blocks(std::string(500, 'x'));
  append_frame(message, &stream);
  FrameDecoder decoder(kFrameSizeMaxBytes);
  decoder.feed(stream);
  const auto got = frames_of(decoder);
  ASSERT_EQ(got.size(), 3u);
  v1::ClientFrame back;
  ASSERT_TRUE(back.ParseFromString(got[0]));
  EXPECT_EQ(back.id(), 7u);
  EXPECT_TRUE(back.has_list_worlds());
  EXPECT_EQ(got[1], "");
  ASSERT_TRUE(back.ParseFromString(got[2]));
  EXPECT_EQ(back.set_palette().blocks(0).size(), 500u);
}

}  // namespace
}  // namespace voxpath::protocol
