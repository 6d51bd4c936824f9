// JobQueue: path requests that wait for a worker: bounded; fair between connections, and within one by priority, then
// deadline, then age.
// Thread-safety: none, and no clock: the owner locks and brings the time (milliseconds from any beginning).
// Invariants: a job that went in comes out exactly once: by take(), remove(), remove_connection() or as the one
// superseded by push(). No two jobs have the same id. Connections that have jobs waiting take turns, however many each
// has.
#pragma once

#include "server/path_task.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace voxpath::server {

inline constexpr std::int64_t kNoDeadline = std::numeric_limits<std::int64_t>::max();

/// A request's id may be used again as soon as it is answered; its number in the connection is not.
struct JobId {
  std::uint64_t connection = 0;
  std::uint32_t request = 0;
  std::uint64_t number = 0;
  friend auto operator<=>(const JobId&, const JobId&) = default;
};

struct Job {
  JobId id;
  std::int32_t priority = 0;               // the higher goes first
  std::int64_t deadline_ms = kNoDeadline;  // on the owner's clock
  std::string world;
  std::uint64_t mob = 0;  // 0: none
  PathTask task;
};

class JobQueue {
 public:
  explicit JobQueue(std::size_t jobs_max) : jobs_max_(jobs_max) {}

  struct Pushed {
    std::optional<Job> refused;     // the job itself: the queue is full
    std::optional<Job> superseded;  // an older one of the same connection, world and mob, which it takes the place of
  };
  [[nodiscard]] Pushed push(Job job);

  /// The next one of a connection that is not held; its deadline may have passed.
  [[nodiscard]] std::optional<Job> take();
  /// Whether take() has one.
  [[nodiscard]] bool ready() const;
  /// From now on the connection's jobs wait, or do not.
  void hold(std::uint64_t connection, bool on);
  [[nodiscard]] std::optional<Job> remove(const JobId& id);
  /// In the order in which they would have come out. The connection is held no more.
  [[nodiscard]] std::vector<Job> remove_connection(std::uint64_t connection);
  /// Held ones, too.
  [[nodiscard]] std::vector<Job> remove_all();

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool empty() const { return places_.empty(); }

 private:
  struct Rank {
    std::int32_t priority;
    std::int64_t deadline_ms;
    std::uint64_t age;  // the less, the older
    friend bool operator<(const Rank& a, const Rank& b) {
      return std::tie(b.priority, a.deadline_ms, a.age) < std::tie(a.priority, b.deadline_ms, b.age);
    }
  };
  using Lane = std::map<Rank, Job>;  // of one connection; never empty
  using Mob = std::tuple<std::uint64_t, std::string, std::uint64_t>;

  [[nodiscard]] Job take_from(std::map<std::uint64_t, Lane>::iterator lane, Lane::iterator job);
  [[nodiscard]] static Mob mob_of(const Job& job) { return {job.id.connection, job.world, job.mob}; }

  std::size_t jobs_max_;
  std::uint64_t pushed_ = 0;
  std::uint64_t last_served_ = 0;  // a connection
  std::map<std::uint64_t, Lane> lanes_;
  std::set<std::uint64_t> held_;  // connections
  std::map<JobId, Rank> places_;
  std::map<Mob, JobId> mobs_;
};

}  // namespace voxpath::server
