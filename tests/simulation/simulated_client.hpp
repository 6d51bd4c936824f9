// SimulatedClient: one client, its connection to the server and the server's side of that, with the bytes under way
// between them.
// Thread-safety: one test thread.
// Invariants: checked as it goes; what is broken is thrown as a Violation: each request has exactly one answer, that
// answer is one that the request may have, no answer shows a world older than what this client has seen before it
// asked, and the connection's limits hold.
#pragma once

#include "protocol/connection.hpp"
#include "protocol/voxpath.pb.h"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace voxpath::test {

struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(bool holds, const std::string& what);

class SimulatedClient {
 public:
  SimulatedClient(std::uint64_t id, std::uint32_t weight, protocol::ConnectionLimits limits, std::int64_t now_us);

  // The client's side.

  /// Sends a request under a new id, which it returns.
  std::uint32_t ask(v1::ClientFrame request, std::int64_t now_us);
  /// A request that has no answer yet; 0: none.
  [[nodiscard]] std::uint32_t unanswered() const { return asked_.empty() ? 0 : asked_.begin()->first; }
  [[nodiscard]] std::size_t unanswered_count() const { return asked_.size(); }

  // The wire.

  [[nodiscard]] std::size_t bytes_to_server() const { return reading_ ? to_server_.size() : 0; }
  [[nodiscard]] std::size_t bytes_to_client() const { return to_client_.size(); }
  /// So many bytes arrive at the server.
  void deliver_to_server(std::size_t bytes, std::int64_t now_us);
  /// So many bytes arrive at the client, which checks the answers among them.
  void deliver_to_client(std::size_t bytes, std::int64_t now_us);

  // The server's side: actions that are not the wire's come out of here.

  [[nodiscard]] std::vector<protocol::Action> take_actions();
  void answer(const v1::ServerFrame& frame, std::int64_t now_us);
  void drop();
  /// Lets its time limits act.
  void tick(std::int64_t now_us);
  [[nodiscard]] std::int64_t due_us() const;
  void check_limits() const;

  const std::uint64_t id;
  const std::uint32_t weight;
  bool closed = false;

 private:
  struct Asked {
    v1::ClientFrame request;
    std::uint64_t version_seen;
    std::int64_t at_us;
    bool cancelled = false;
  };
  void on_frame(const v1::ServerFrame& frame, std::int64_t now_us);
  void on_path(const Asked& asked, const v1::PathAnswer& answer, std::int64_t now_us);
  void on_paths(const Asked& asked, const v1::PathsAnswer& answer, std::int64_t now_us);
  void on_error(const Asked& asked, const v1::Error& error, std::int64_t now_us);
  void see(const Asked& asked, std::uint64_t version);

  const protocol::ConnectionLimits limits_;
  protocol::Connection connection_;
  protocol::FrameDecoder decoder_;
  bool reading_ = true;
  std::string to_server_, to_client_;
  std::uint32_t last_id_ = 0;
  std::map<std::uint32_t, Asked> asked_;  // without their answer
  std::map<std::uint64_t, std::uint32_t> newest_of_mob_;
  std::uint64_t version_seen_ = 0;
};

}  // namespace voxpath::test
