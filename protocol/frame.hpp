// Frames: a varint length and that many bytes, as Java's parseDelimitedFrom reads them; FrameDecoder takes them out of
// a byte stream that may be cut anywhere, append_frame() writes them.
// Thread-safety: a decoder belongs to one thread. The bytes of a Frame stay valid until the next call to feed() or
// next().
// Invariant: the decoder holds at most one frame of `size_max` bytes and what one feed() added.
#pragma once

#include "protocol/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace google::protobuf {
class MessageLite;
}

namespace voxpath::protocol {

/// Nothing whole is there yet.
struct NeedMore {};
/// One frame without its length.
struct Frame {
  std::string_view bytes;
};

class FrameDecoder {
 public:
  explicit FrameDecoder(std::size_t size_max_bytes) : size_max_bytes_(size_max_bytes) {}

  void feed(std::string_view bytes);
  /// The next frame. After a Failure (a length over size_max_bytes or over kLengthPrefixMaxBytes long) the stream
  /// cannot be read further and every later call gives the same Failure.
  [[nodiscard]] std::variant<NeedMore, Frame, Failure> next();

  /// For frames whose length has not been read yet.
  void set_size_max(std::size_t bytes) { size_max_bytes_ = bytes; }
  /// What was fed and not yet taken out as a frame, from the beginning of a length.
  [[nodiscard]] std::string_view pending() const { return std::string_view(buffer_).substr(taken_); }

 private:
  std::size_t size_max_bytes_;
  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of buffer_ that went out as frames
  std::optional<Failure> failure_;
};

/// Appends the message as one frame.
void append_frame(const google::protobuf::MessageLite& message, std::string* out);

}  // namespace voxpath::protocol
