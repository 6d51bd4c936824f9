// Reply: the duty to answer one request, handed from the session to whoever works on it. Answering it twice is
// impossible, and a Reply that is dropped unanswered answers itself with an internal error, so that no request is lost
// in silence.
// Thread-safety: one owner at a time; it may be answered on any thread.
// Usage: Reply reply(id, send); ... reply.answer(frame) or reply.refuse(failure), once.
#pragma once

#include "protocol/errors.hpp"
#include "protocol/voxpath.pb.h"

#include <functional>
#include <utility>

namespace voxpath::server {

class Reply {
 public:
  using Send = std::function<void(v1::ServerFrame)>;

  /// Owes nothing.
  Reply() = default;
  Reply(std::uint32_t id, Send send) : id_(id), send_(std::move(send)) {}
  Reply(Reply&& other) noexcept : id_(other.id_), send_(std::exchange(other.send_, nullptr)) {}
  Reply& operator=(Reply&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(send_, other.send_);
    return *this;
  }
  ~Reply() {
    if (send_) refuse({protocol::ErrorKind::internal, "the request was dropped without an answer"});
  }

  /// The frame's id is set here.
  void answer(v1::ServerFrame frame) {
    frame.set_id(id_);
    if (const Send send = std::exchange(send_, nullptr)) send(std::move(frame));
  }
  void refuse(const protocol::Failure& failure) {
    v1::ServerFrame frame;
    protocol::write_error(failure, frame.mutable_error());
    answer(std::move(frame));
  }

  [[nodiscard]] std::uint32_t id() const { return id_; }

 private:
  std::uint32_t id_ = 0;
  Send send_;
};

}  // namespace voxpath::server
