#include "protocol/clients/cpp/blocking_client.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace voxpath::client {

struct BlockingClient::Thread {
  explicit Thread(ClientOptions options)
      : work(io.get_executor()),
        client(std::in_place, io.get_executor(), listening(std::move(options))),
        runner([this] { io.run(); }) {}
  ~Thread() {
    client.reset();  // answers what waits
    work.reset();
    runner.join();
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Waits for the answer to the request that `ask` makes.
  template <class T, class Ask>
  Reply<T> answer_to(Ask ask) {
    auto promise = std::make_shared<std::promise<Reply<T>>>();
    auto future = promise->get_future();
    ask([promise](Reply<T> reply) { promise->set_value(std::move(reply)); });
    return future.get();
  }

  /// The options, with callbacks that put what comes into `told`.
  ClientOptions listening(ClientOptions options) {
    if (options.on_path_invalidated) return options;
    options.on_path_invalidated = [this](const v1::PathInvalidated& event) { tell(event); };
    options.on_disconnected = [this, next = std::move(options.on_disconnected)](const v1::Error& error) {
      tell(error);
      if (next) next(error);
    };
    return options;
  }

  void tell(Reply<v1::PathInvalidated> event) {
    const std::lock_guard lock(mutex);
    // Attempts to connect that fail one after the other are one loss.
    if (!event && !told.empty() && !told.back()) return;
    told.push_back(std::move(event));
    came.notify_one();
  }

  std::mutex mutex;
  std::condition_variable came;
  std::deque<Reply<v1::PathInvalidated>> told;  // guarded by mutex
  boost::asio::io_context io{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work;
  std::optional<Client> client;
  std::thread runner;
};

BlockingClient::BlockingClient(ClientOptions options) : thread_(std::make_unique<Thread>(std::move(options))) {}
BlockingClient::~BlockingClient() = default;

Client& BlockingClient::async() { return *thread_->client; }

Reply<v1::WorldInfo> BlockingClient::open_world(v1::OpenWorld request) {
  return thread_->answer_to<v1::WorldInfo>(
      [&](auto handler) { async().open_world(std::move(request), std::move(handler)); });
}
Reply<v1::Done> BlockingClient::close_world(v1::CloseWorld request) {
  return thread_->answer_to<v1::Done>(
      [&](auto handler) { async().close_world(std::move(request), std::move(handler)); });
}
Reply<v1::WorldList> BlockingClient::list_worlds() {
  return thread_->answer_to<v1::WorldList>([&](auto handler) { async().list_worlds(std::move(handler)); });
}
Reply<v1::Done> BlockingClient::set_palette(v1::SetPalette request) {
  return thread_->answer_to<v1::Done>(
      [&](auto handler) { async().set_palette(std::move(request), std::move(handler)); });
}
Reply<v1::Committed> BlockingClient::put_chunk(v1::PutChunk request) {
  return thread_->answer_to<v1::Committed>(
      [&](auto handler) { async().put_chunk(std::move(request), std::move(handler)); });
}
Reply<v1::Committed> BlockingClient::drop_chunk(v1::DropChunk request) {
  return thread_->answer_to<v1::Committed>(
      [&](auto handler) { async().drop_chunk(std::move(request), std::move(handler)); });
}
Reply<v1::Committed> BlockingClient::set_blocks(v1::SetBlocks request) {
  return thread_->answer_to<v1::Committed>(
      [&](auto handler) { async().set_blocks(std::move(request), std::move(handler)); });
}
Reply<v1::BlocksAnswer> BlockingClient::query_blocks(v1::QueryBlocks request) {
  return thread_->answer_to<v1::BlocksAnswer>(
      [&](auto handler) { async().query_blocks(std::move(request), std::move(handler)); });
}
Reply<v1::SightAnswer> BlockingClient::line_of_sight(v1::LineOfSight request) {
  return thread_->answer_to<v1::SightAnswer>(
      [&](auto handler) { async().line_of_sight(std::move(request), std::move(handler)); });
}
Reply<v1::SurfaceAnswer> BlockingClient::surface_below(v1::SurfaceBelow request) {
  return thread_->answer_to<v1::SurfaceAnswer>(
      [&](auto handler) { async().surface_below(std::move(request), std::move(handler)); });
}
Reply<v1::PathAnswer> BlockingClient::find_path(v1::FindPath request) {
  return thread_->answer_to<v1::PathAnswer>(
      [&](auto handler) { async().find_path(std::move(request), std::move(handler)); });
}
Reply<v1::PathsAnswer> BlockingClient::find_paths(v1::FindPaths request) {
  return thread_->answer_to<v1::PathsAnswer>(
      [&](auto handler) { async().find_paths(std::move(request), std::move(handler)); });
}
Reply<v1::PathVerdict> BlockingClient::validate_path(v1::ValidatePath request) {
  return thread_->answer_to<v1::PathVerdict>(
      [&](auto handler) { async().validate_path(std::move(request), std::move(handler)); });
}
Reply<v1::UnwatchAnswer> BlockingClient::unwatch(v1::Unwatch request) {
  return thread_->answer_to<v1::UnwatchAnswer>(
      [&](auto handler) { async().unwatch(std::move(request), std::move(handler)); });
}
std::optional<Reply<v1::PathInvalidated>> BlockingClient::next_invalidated(std::chrono::milliseconds timeout) {
  std::unique_lock lock(thread_->mutex);
  if (!thread_->came.wait_for(lock, timeout, [&] { return !thread_->told.empty(); })) return std::nullopt;
  std::optional<Reply<v1::PathInvalidated>> next = std::move(thread_->told.front());
  thread_->told.pop_front();
  return next;
}
Reply<v1::ServerInfo> BlockingClient::server_info() {
  return thread_->answer_to<v1::ServerInfo>([&](auto handler) { async().server_info(std::move(handler)); });
}
Reply<v1::Pong> BlockingClient::ping(std::uint64_t payload) {
  return thread_->answer_to<v1::Pong>([&](auto handler) { async().ping(payload, std::move(handler)); });
}

}  // namespace voxpath::client
