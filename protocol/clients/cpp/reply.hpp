// Reply<T>: what a request came to: the answer, or an error.
// Thread-safety: plain value.
// Usage: client.find_path(request, [](Reply<v1::PathAnswer> r) { r ? walk(r->waypoints()) :
// complain(r.error().message()); });
#pragma once

#include "protocol/voxpath.pb.h"

#include <utility>
#include <variant>

namespace voxpath::client {

template <class T>
class [[nodiscard]] Reply {
 public:
  Reply(T answer) : state_(std::in_place_index<0>, std::move(answer)) {}        // NOLINT: implicit by design
  Reply(v1::Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  /// Precondition: ok().
  const T& operator*() const { return *std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  /// Precondition: !ok(). The code is UNAVAILABLE where the connection went before the answer came.
  [[nodiscard]] const v1::Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, v1::Error> state_;
};

}  // namespace voxpath::client
