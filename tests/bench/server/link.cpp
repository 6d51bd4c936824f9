#include "tests/bench/server/link.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <variant>

#include <boost/asio/write.hpp>

namespace voxpath::bench {

using SteadyClock = std::chrono::steady_clock;

double Times::at(double quantile) const {
  if (latencies_us.empty()) return 0;
  const auto index = static_cast<std::size_t>(quantile * static_cast<double>(latencies_us.size()));
  return latencies_us[std::min(index, latencies_us.size() - 1)];
}

std::uint32_t id_of(std::string_view frame) {
  std::uint32_t id = 0;
  for (std::size_t i = 1; i < frame.size(); ++i) {  // behind the field's tag
    id |= (static_cast<unsigned char>(frame[i]) & 0x7fu) << (7 * (i - 1));
    if ((static_cast<unsigned char>(frame[i]) & 0x80u) == 0) break;
  }
  return id;
}

Link::Link(std::uint16_t port, bool greet) : decoder_(protocol::kUploadSizeMaxBytes) {
  socket_.connect({boost::asio::ip::address_v4::loopback(), port});
  socket_.set_option(boost::asio::ip::tcp::no_delay(true));
  if (!greet) return;
  v1::ClientFrame hello;
  hello.set_id(1);
  hello.mutable_hello()->set_magic(protocol::kMagic);
  hello.mutable_hello()->set_min_version(1);
  hello.mutable_hello()->set_max_version(1);
  std::string bytes;
  protocol::append_frame(hello, &bytes);
  send(bytes);
  (void)next_frame();
}

void Link::send(const std::string& bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes)); }

std::string Link::next_frame() {
  while (true) {
    const auto next = decoder_.next();
    if (const auto* frame = std::get_if<protocol::Frame>(&next)) return std::string(frame->bytes);
    if (const auto* failure = std::get_if<protocol::Failure>(&next)) throw std::runtime_error(failure->message);
    decoder_.feed({buffer_.data(), socket_.read_some(boost::asio::buffer(buffer_))});
  }
}

Times Link::run(std::uint32_t count, std::uint32_t in_flight, const Make& make, const See& see) {
  std::vector<std::string> frames(count);
  const std::uint32_t first = last_id_ + 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    v1::ClientFrame frame = make(i);
    frame.set_id(first + i);
    protocol::append_frame(frame, &frames[i]);
  }
  last_id_ += count;
  Times times;
  std::vector<SteadyClock::time_point> sent(count);
  const auto begin = SteadyClock::now();
  std::uint32_t asked = 0;
  std::uint32_t answered = 0;
  std::string batch;
  while (answered < count) {
    batch.clear();
    for (; asked < count && asked - answered < in_flight; ++asked) {
      batch += frames[asked];
      sent[asked] = SteadyClock::now();
    }
    if (!batch.empty()) send(batch);
    std::string frame = next_frame();
    while (true) {  // all that came with it
      const auto now = SteadyClock::now();
      times.latencies_us.push_back(
          std::chrono::duration<double, std::micro>(now - sent.at(id_of(frame) - first)).count());
      ++answered;
      if (see) see(frame);
      const auto next = decoder_.next();
      const auto* another = std::get_if<protocol::Frame>(&next);
      if (another == nullptr) break;
      frame = std::string(another->bytes);
    }
  }
  times.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
  std::sort(times.latencies_us.begin(), times.latencies_us.end());
  return times;
}

}  // namespace voxpath::bench
