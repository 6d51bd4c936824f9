// WorldSaver: brings the edits of a durable world to its store, on a thread of its own, and acknowledges them as its
// durability says. What waits while the disk is busy goes into one transaction: that is the group commit.
// Thread-safety: save() on the world's strand; all else from any thread.
// Lifetime: the destructor writes what is unsaved and waits for that. The WorldHost owns its saver.
// Invariant: an edit that was refused with store_full or store_failed has been taken back: the world is what it was, one
// version later.
#pragma once

#include "server/saving/save_queue.hpp"
#include "world/store/world_store.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

namespace voxpath::server {

struct WorldHost;

class WorldSaver {
 public:
  /// Told on the world's strand when edits were taken back, with the commit that did it.
  using TakenBack = std::function<void(const std::shared_ptr<WorldHost>&, const world::Commit&)>;
  /// nullopt: closed; otherwise why not: the world goes on.
  using Closed = std::function<void(std::optional<protocol::Failure>)>;
  struct Counts {
    std::uint64_t stored_version = 0;
    std::uint64_t batches = 0;         // written
    std::uint64_t failures = 0;        // batches that could not be
    std::size_t sections_waiting = 0;  // that the disk does not have yet
    std::uint64_t used_bytes = 0;      // of the store
  };

  /// `world` is its name; `stored` is what the store holds.
  WorldSaver(std::string world, std::unique_ptr<world::WorldStore> store, Durability durability,
             std::int64_t interval_ms, world::Ref<const world::Snapshot> stored);
  ~WorldSaver();
  WorldSaver(const WorldSaver&) = delete;
  WorldSaver& operator=(const WorldSaver&) = delete;

  /// Once, before anything else.
  void start(const std::shared_ptr<WorldHost>& host, TakenBack taken_back);
  /// Why no edit can be taken at present: the disk is too far behind.
  [[nodiscard]] std::optional<protocol::Failure> full() const;
  /// An edit that the world has just had. Answers with its version, now or when it is on disk.
  void save(const world::Commit& commit, world::Ref<const world::Snapshot> now, Reply reply);
  /// Writes what is unsaved, notes that the world is closed, and lets go of the store. `forget`: deletes the store
  /// instead. `closed` is called on the world's strand.
  void close(bool forget, Closed closed);
  /// Writes what is unsaved and ends. For the end of the process, when strands run no more.
  void finish();

  [[nodiscard]] Durability durability() const { return durability_; }
  [[nodiscard]] Counts counts() const;

 private:
  void run();
  void write(std::unique_lock<std::mutex>& lock);
  void not_written(std::unique_lock<std::mutex>& lock, const world::Error& why);
  void take_back(const std::shared_ptr<WorldHost>& host, const protocol::Failure& why);
  /// Whether the saver's work is over.
  bool let_go(std::unique_lock<std::mutex>& lock);

  const std::string world_;
  const Durability durability_;
  mutable std::mutex mutex_;  // guards all below but the thread
  std::condition_variable woken_;
  SaveQueue queue_;
  std::unique_ptr<world::WorldStore> store_;  // used by the thread alone, without the lock; nullptr: closed
  Counts counts_;
  Closed closed_;  // set: it is to close
  bool forget_ = false;
  bool ending_ = false;
  bool ended_ = false;
  std::optional<boost::asio::strand<boost::asio::any_io_executor>> strand_;
  std::weak_ptr<WorldHost> host_;
  TakenBack taken_back_;
  std::thread thread_;
};

}  // namespace voxpath::server
