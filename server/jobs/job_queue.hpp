// JobQueue: which of the waiting jobs is next: fair between connections by their weights, and within one by priority,
// short before long, deadline, age.
// Thread-safety: none, and no clock: the owner locks and says what time was spent.
// Invariants: an entry that went in comes out exactly once, by take() or remove(). While two connections have jobs
// waiting, the worker time that each has had, divided by its weight, differs by no more than a slice or two, however
// many jobs each has; kRideAheadUs more where jobs ride along with those of others. A long job comes out for every kQuickInARow short ones of its connection and priority at the
// latest.
// Sources: fairness: start-time fair queueing with the length of a quantum known only after it, Goyal, Guo, Vin, "A
// Hierarchical CPU Scheduler for Multimedia Operating Systems" (OSDI 1996), section 3. Short before long: two levels of
// Corbató, Merwin-Daggett, Daley, "An Experimental Time-Sharing System" (1962), with a share kept for the long.
#pragma once

#include "server/jobs/job.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace voxpath::server {

inline constexpr std::int64_t kSliceUs = 1'000;             // of search, before another's turn
inline constexpr std::int64_t kRideAheadUs = 4 * kSliceUs;  // that a connection may be ahead, and still ride along
inline constexpr unsigned kQuickInARow = 3;                 // short ones before a long one that waits, too

class JobQueue {
 public:
  enum class Kind : std::uint8_t {
    quick,     // has had no slice yet: it may be a short one
    begun,     // long, and its search is kept
    set_back,  // long, but begins anew: there was no room to keep its search
  };
  struct Entry {
    JobId id;
    std::uint32_t weight = 1;  // 1 to kShareWeightMax
    std::int32_t priority = 0;
    std::int64_t deadline_us = kNoDeadline;
    std::uint64_t age = 0;  // the less, the older; unlike any other's
    Kind kind = Kind::quick;
  };

  void add(const Entry& entry);
  /// From now on no job of the connection is begun, or they are again. Those that are begun go on.
  void hold(std::uint64_t connection, bool on);
  /// Whether take(true) has one.
  [[nodiscard]] bool ready() const { return !order_.empty(); }
  /// The next one; its connection counts as served until settle(). Without `set_back`, none of that kind.
  [[nodiscard]] std::optional<Entry> take(bool set_back);
  /// Whether the entry may be taken along with another that is taken: not where its connection is held, or is ahead of the
  /// others by so much that it would not be its turn for long.
  [[nodiscard]] bool may_ride(const Entry& entry) const;
  /// It does not wait any more; step_up() for its connection. Precondition: it waits.
  void take_along(const Entry& entry);
  /// The connection counts as served until as many step_down() as step_up(); charge() says with what.
  void step_up(std::uint64_t connection);
  void step_down(std::uint64_t connection);
  /// The more, the longer until it is the connection's turn. Precondition: it has jobs here, or is stepped up.
  [[nodiscard]] std::int64_t tag(std::uint64_t connection) const { return lanes_.at(connection).tag; }
  /// What a take() came to: the time that the worker spent.
  void settle(std::uint64_t connection, std::int64_t spent_us);
  /// Time that was spent for a connection otherwise.
  void charge(std::uint64_t connection, std::int64_t spent_us);
  /// Whether it was there. Precondition: as it was added.
  bool remove(const Entry& entry);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t size(std::uint64_t connection) const;
  /// Connections that have jobs waiting, and are not held.
  [[nodiscard]] std::size_t connections() const { return order_.size(); }

 private:
  using Rank = std::tuple<std::int32_t, std::int64_t, std::uint64_t>;  // -priority, deadline, age
  using Jobs = std::map<Rank, Entry>;
  struct Lane {
    std::uint32_t weight = 1;
    std::int64_t tag = 0;  // virtual time at which its next slice begins
    Jobs quick, begun, set_back;
    bool held = false;
    unsigned quick_in_a_row = 0;
    std::size_t taken = 0;  // and not settled
    [[nodiscard]] std::size_t waiting() const { return quick.size() + begun.size() + set_back.size(); }
    [[nodiscard]] bool ready() const { return held ? !begun.empty() : waiting() > 0; }
    [[nodiscard]] bool idle() const { return waiting() == 0 && taken == 0; }
    [[nodiscard]] Jobs& jobs(Kind kind) { return kind == Kind::quick ? quick : kind == Kind::begun ? begun : set_back; }
  };
  static constexpr std::size_t kLanesKept = 64;
  using Lanes = std::map<std::uint64_t, Lane>;

  [[nodiscard]] static Rank rank_of(const Entry& e) { return {-e.priority, e.deadline_us, e.age}; }
  [[nodiscard]] static std::int64_t virtual_time(const Lane& lane, std::int64_t us) {
    return us * kShareWeightMax / lane.weight;
  }
  [[nodiscard]] static Jobs* choose(Lane& lane, bool set_back);
  void move_to(Lanes::iterator lane, std::int64_t tag);
  void forget_idle_but(std::uint64_t connection);
  void forget_if_idle(Lanes::iterator lane);

  Lanes lanes_;
  std::set<std::pair<std::int64_t, std::uint64_t>> order_;  // lanes that are ready: tag, connection
  std::int64_t now_ = 0;                                    // virtual: the tag of the slice that began last
  std::set<std::uint64_t> held_;                            // connections, with or without a lane
  std::size_t size_ = 0, taken_ = 0;
};

}  // namespace voxpath::server
