#include "server/service_notify.hpp"

#include "world/number.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace voxpath::server {

namespace {

/// Takes the variable out of the environment; empty: it is not there.
std::string take_variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {};
  std::string taken = value;
  ::unsetenv(name);
  return taken;
}

}  // namespace

ServiceNotify ServiceNotify::from_environment() {
  std::string socket = take_variable("NOTIFY_SOCKET");
  const auto period_us = world::number<std::int64_t>(take_variable("WATCHDOG_USEC"));
  const std::string pid = take_variable("WATCHDOG_PID");
  const bool ours = pid.empty() || world::number<::pid_t>(pid) == ::getpid();
  if (!period_us || *period_us <= 0 || !ours) return ServiceNotify(std::move(socket));
  return ServiceNotify(std::move(socket), std::chrono::microseconds(*period_us));
}

bool ServiceNotify::send(std::string_view state) const {
  ::sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof(address.sun_path)) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  const int to = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (to < 0) return false;
  const auto size = static_cast<::socklen_t>(offsetof(::sockaddr_un, sun_path) + socket_.size());
  const ::ssize_t sent =
      ::sendto(to, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const ::sockaddr*>(&address), size);
  ::close(to);
  return sent == static_cast<::ssize_t>(state.size());
}

}  // namespace voxpath::server
