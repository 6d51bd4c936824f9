#include "protocol/frame.hpp"

#include "protocol/limits.hpp"

#include <fmt/format.h>
#include <google/protobuf/message_lite.h>

namespace voxpath::protocol {

void FrameDecoder::feed(std::string_view bytes) {
  if (failure_) return;
  if (taken_ > 0) {
    buffer_.erase(0, taken_);
    taken_ = 0;
  }
  buffer_.append(bytes);
}

std::variant<NeedMore, Frame, Failure> FrameDecoder::next() {
  if (failure_) return *failure_;
  const std::string_view rest = pending();
  std::uint64_t length = 0;
  std::size_t prefix = 0;
  while (true) {
    if (prefix == kLengthPrefixMaxBytes) {
      failure_ =
          Failure{ErrorKind::frame_malformed, fmt::format("a frame's length is a varint of at most {} bytes", prefix),
                  "frame.length", "longer", fmt::format("{} bytes", prefix)};
      return *failure_;
    }
    if (prefix == rest.size()) return NeedMore{};
    const auto byte = static_cast<std::uint8_t>(rest[prefix]);
    length |= std::uint64_t{byte & 0x7fu} << (7 * prefix);
    ++prefix;
    if (byte < 0x80) break;
  }
  if (length > size_max_bytes_) {
    failure_ = Failure{ErrorKind::frame_too_big,
                       fmt::format("a frame of {} bytes is over the limit of {}", length, size_max_bytes_),
                       "frame.length", fmt::format("{}", length), fmt::format("{} bytes", size_max_bytes_)};
    return *failure_;
  }
  const auto size = static_cast<std::size_t>(length);
  if (rest.size() - prefix < size) return NeedMore{};
  taken_ += prefix + size;
  return Frame{rest.substr(prefix, size)};
}

void append_frame(const google::protobuf::MessageLite& message, std::string* out) {
  const std::size_t size = message.ByteSizeLong();
  std::uint64_t length = size;
  while (length >= 0x80) {
    out->push_back(static_cast<char>(length | 0x80));
    length >>= 7;
  }
  out->push_back(static_cast<char>(length));
  const std::size_t begin = out->size();
  out->resize(begin + size);
  message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(out->data() + begin));
}

}  // namespace voxpath::protocol
