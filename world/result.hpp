// Result<T>: a value or an Error with a sentence a user can act on.
// Thread-safety: as of the value held.
// Usage: Result<int> r = parse(text); if (!r) return r.error(); use(*r);
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace voxpath::world {

/// What kind of failure it was. The values are the google.rpc codes that the same failure has on the wire.
enum class ErrorCode : int {
  invalid_argument = 3,
  not_found = 5,
  already_exists = 6,
  permission_denied = 7,
  resource_exhausted = 8,
  failed_precondition = 9,
  out_of_range = 11,
  internal = 13,
  data_loss = 15,
};

/// `message` names the field, the value found and the limit.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  T& operator*() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& operator*() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& operator*() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  std::variant<T, Error> state_;
};

/// For operations that return nothing on success.
using Status = Result<std::monostate>;
inline Status ok_status() { return Status(std::monostate{}); }

}  // namespace voxpath::world
