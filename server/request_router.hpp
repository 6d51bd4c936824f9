// RequestRouter: takes each request to where it is worked on: a world's strand, or by way of it the queue of path jobs.
// Thread-safety: handle(), cancel() and gone() of one client, one thread at a time (its session's strand); different
// clients at once.
// Invariants: every Reply that comes in is answered once. What one client sends for one world happens in the order
// sent: a path or query sees the edits sent before it, and a cancel finds the path that it is for.
#pragma once

#include "server/access/access_control.hpp"
#include "server/jobs/worker_pool.hpp"
#include "server/metrics/door_metrics.hpp"
#include "server/path_watcher.hpp"
#include "server/reply.hpp"
#include "server/worlds.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <unordered_map>

namespace voxpath::server {

/// What the router keeps of a connection.
struct Client {
  explicit Client(std::uint64_t number) : id(number), watches(std::make_shared<WatchOwner>(number)) {}
  /// What it may do from now on.
  void take(const Grant& granted) {
    grant = granted;
    watches->watches_max = granted.watches_max > 0 ? granted.watches_max : protocol::kWatchesMax;
  }

  const std::uint64_t id;
  struct Path {
    std::shared_ptr<WorldHost> host;
    JobId job;
  };
  Grant grant;                                                   // what it may do, and how much of everything it has
  std::unordered_map<std::uint32_t, Path> paths;                 // in flight, by request
  std::set<std::weak_ptr<WorldHost>, std::owner_less<>> worlds;  // that keep numbers or watches of this client
  const std::shared_ptr<WatchOwner> watches;
  std::uint64_t jobs = 0;  // that this connection has had
  bool lone = false;       // nothing but the request that is handed over now is in flight
  std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);
};

class RequestRouter {
 public:
  using Info = std::function<v1::ServerInfo()>;
  /// `share`: whether path requests may be searched together with others.
  RequestRouter(boost::asio::any_io_executor executor, Worlds& worlds, WorkerPool& pool, Info info, bool share)
      : executor_(std::move(executor)),
        worlds_(worlds),
        pool_(pool),
        watcher_(pool),
        info_(std::move(info)),
        share_(share) {
    worlds_.on_taken_back([this](const Host& host, const world::Commit& commit) { watcher_.committed(host, commit); });
  }

  void handle(Client& client, std::unique_ptr<v1::ClientFrame> frame, Reply reply);
  void cancel(Client& client, std::uint32_t request);
  /// From now on begins the path jobs of the client that wait, or does not.
  void set_working(const Client& client, bool on) { pool_.hold(client.id, !on); }
  /// The connection is closed: its path jobs are cancelled, its watches ended and its palettes forgotten.
  void gone(Client& client);

  /// For sessions to count in.
  [[nodiscard]] DoorMetrics& metrics() { return metrics_; }
  [[nodiscard]] const DoorMetrics& metrics() const { return metrics_; }

 private:
  using Host = std::shared_ptr<WorldHost>;

  void find_path(Client& client, const Host& host, v1::FindPath request, Reply reply);
  void find_paths(Client& client, const Host& host, v1::FindPaths request, Reply reply);
  void validate_path(Client& client, const Host& host, v1::ValidatePath request, Reply reply);
  void submit(Client& client, const Host& host, Job job);
  /// Why there is no world of that name to work on.
  [[nodiscard]] protocol::Failure not_there(const std::string& name, const char* field) const;
  void close_world(const v1::CloseWorld& request, Reply reply);
  /// Runs `edit` on the world's strand and answers with the version (of a durable world, when its saver says so), or
  /// what it was refused for.
  template <class Edit>
  void commit(const Host& host, Reply reply, Edit edit);
  /// Takes the snapshot on the world's strand, after the edits sent before, and asks it elsewhere.
  template <class Ask>
  void ask(const Host& host, Reply reply, Ask ask);

  const boost::asio::any_io_executor executor_;
  Worlds& worlds_;
  WorkerPool& pool_;
  PathWatcher watcher_;
  const Info info_;
  const bool share_;
  DoorMetrics metrics_;
};

}  // namespace voxpath::server
