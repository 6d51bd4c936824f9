// BlockingClient: a Client for programs that ask one question after another: each call waits for its answer.
// Thread-safety: calls from any thread; each waits for its own answer. It has a thread of its own, which ends with it.
// Usage: BlockingClient voxpath({.port = 7420}); auto path = voxpath.find_path(request); if (!path)
// complain(path.error().message());
#pragma once

#include "protocol/clients/cpp/client.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace voxpath::client {

class BlockingClient {
 public:
  explicit BlockingClient(ClientOptions options);
  ~BlockingClient();
  BlockingClient(const BlockingClient&) = delete;
  BlockingClient& operator=(const BlockingClient&) = delete;

  Reply<v1::WorldInfo> open_world(v1::OpenWorld request);
  Reply<v1::Done> close_world(v1::CloseWorld request);
  Reply<v1::WorldList> list_worlds();
  Reply<v1::Done> set_palette(v1::SetPalette request);
  Reply<v1::Committed> put_chunk(v1::PutChunk request);
  Reply<v1::Committed> drop_chunk(v1::DropChunk request);
  Reply<v1::Committed> set_blocks(v1::SetBlocks request);
  Reply<v1::BlocksAnswer> query_blocks(v1::QueryBlocks request);
  Reply<v1::SightAnswer> line_of_sight(v1::LineOfSight request);
  Reply<v1::SurfaceAnswer> surface_below(v1::SurfaceBelow request);
  Reply<v1::PathAnswer> find_path(v1::FindPath request);
  Reply<v1::PathsAnswer> find_paths(v1::FindPaths request);
  Reply<v1::PathVerdict> validate_path(v1::ValidatePath request);
  Reply<v1::UnwatchAnswer> unwatch(v1::Unwatch request);
  Reply<v1::ServerInfo> server_info();
  Reply<v1::Pong> ping(std::uint64_t payload = 0);

  /// The next watched path that is broken, in the order in which the server told; waits for one until the time is up,
  /// not at all for 0. nullopt: none came. An error: the connection was lost since the last call, and with it all its
  /// watches. Not for clients with an on_path_invalidated of their own, which is told instead.
  std::optional<Reply<v1::PathInvalidated>> next_invalidated(std::chrono::milliseconds timeout);

  /// The Client underneath, for requests that should not wait.
  Client& async();

 private:
  struct Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace voxpath::client
