// Worlds: the worlds of a server by name. Opens them (empty, generated, or from a folder that the configuration names),
// lists, closes.
// Thread-safety: all members from any thread. Loading runs on a thread of its own. Lifetime: a WorldHost lives as long
// as anyone works on it; closing a world only takes its name away.
// Invariant: a name is loaded once at a time; who asks for it meanwhile is answered when it is there.
#pragma once

#include "server/config.hpp"
#include "server/hosted_world.hpp"
#include "server/reply.hpp"
#include "server/saving/world_saver.hpp"
#include "server/watch_index.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

namespace voxpath::server {

/// A world and the strand that its changes, and what must come after them, run on. `watches` and `closed` belong to it.
struct WorldHost {
  template <class... Args>
  explicit WorldHost(const boost::asio::any_io_executor& executor, Args&&... args)
      : strand(boost::asio::make_strand(executor)), world(std::forward<Args>(args)...) {}
  const std::uint64_t number = next_number();  // unlike that of any other, also of one of the same name
  boost::asio::strand<boost::asio::any_io_executor> strand;
  HostedWorld world;
  WatchIndex watches;
  bool closed = false;                // nothing is watched in it any more
  std::unique_ptr<WorldSaver> saver;  // nullptr: the world is not durable. Last, so that it ends first

 private:
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }
};

class Worlds {
 public:
  /// `configured`: what may be opened by name. `chunks_max`: of each world, see HostedWorld. `folder`: what else may be,
  /// the folders in it; empty: nothing.
  Worlds(boost::asio::any_io_executor executor, std::vector<WorldConfig> configured,
         std::size_t chunks_max = protocol::kChunksMax, std::filesystem::path folder = {}, StoreConfig stores = {});
  /// Waits for a world that is being loaded.
  ~Worlds();
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  /// nullptr: none of that name, or not loaded yet.
  [[nodiscard]] std::shared_ptr<WorldHost> find(const std::string& name) const;
  /// Answers WorldInfo now or when it is loaded.
  void open(const v1::OpenWorld& request, Reply reply);
  /// What was there under the name; nullptr: nothing. A durable world keeps its name until closed().
  std::shared_ptr<WorldHost> close(const std::string& name);
  /// A durable world has let go of its store, so that it may be opened again; or it could not, and is `still` there.
  void closed(const std::string& name, const std::shared_ptr<WorldHost>& still);
  /// Told when edits of a durable world were taken back. Set before any world is opened.
  void on_taken_back(WorldSaver::TakenBack told) { taken_back_ = std::move(told); }
  /// Writes what durable worlds have not written yet. For the end, when strands run no more.
  void finish_saving();
  [[nodiscard]] v1::WorldList list() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool loading() const;
  [[nodiscard]] bool loading(const std::string& name) const;

  /// Opens those with `load = true`, and stored ones that were open last, one after the other; `done` is called after each, with its error or nullptr.
  using Loaded = std::function<void(const std::string& name, const protocol::Failure*)>;
  void open_configured(const Loaded& done);

 private:
  struct Waiting {
    v1::OpenWorld request;
    Reply reply;
  };
  struct Entry {
    std::shared_ptr<WorldHost> host;  // nullptr: being loaded, or closed
    std::vector<Waiting> waiting;
  };

  /// What a client may open by that name.
  [[nodiscard]] std::optional<WorldConfig> openable(const std::string& name) const;
  [[nodiscard]] const WorldConfig* configured(const std::string& name) const;
  void load(const WorldConfig& config, const std::string& name);
  void finish(const std::string& name, Outcome<std::shared_ptr<WorldHost>> outcome);
  [[nodiscard]] Outcome<WorldConfig> config_of(const v1::OpenWorld& request) const;
  [[nodiscard]] Outcome<std::shared_ptr<WorldHost>> make_host(WorldConfig config, const std::string& name) const;
  [[nodiscard]] Outcome<std::unique_ptr<world::World>> make_world(const WorldConfig& config, WorldOrigin& origin) const;

  const boost::asio::any_io_executor executor_;
  const std::vector<WorldConfig> configured_;
  const std::size_t chunks_max_;
  const std::filesystem::path folder_;
  const StoreConfig stores_;
  WorldSaver::TakenBack taken_back_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // guarded by mutex_
  boost::asio::thread_pool loader_{1};
};

}  // namespace voxpath::server
