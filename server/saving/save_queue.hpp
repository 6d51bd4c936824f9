// SaveQueue: which edits of a durable world have yet to reach its store, which of them may be acknowledged, and what
// becomes of them when the store cannot be written. Without threads, clock or disk.
// Thread-safety: one thread at a time.
// Invariants: with `sync` no edit is acknowledged before a batch that holds it is on disk; with `async` at once, but
// never more than the limits below ahead of the disk: beyond them, and from a write that failed, or found no
// room, until one that did not, edits wait as with `sync`. Edits become durable in the order of their versions, each of them whole. Every reply that
// comes in comes out once.
#pragma once

#include "protocol/errors.hpp"
#include "server/reply.hpp"
#include "server/saving/durability.hpp"
#include "world/world.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

namespace voxpath::server {

inline constexpr std::size_t kAheadMaxSections = 16'384;  // changed by acknowledged edits that are not on disk
inline constexpr std::size_t kWaitingMaxSections =
    262'144;                                             // changed by all edits that are not; beyond, they are refused
inline constexpr std::int64_t kSaveRetryUs = 1'000'000;  // after a write that failed, unless an edit comes before
inline constexpr std::uint32_t kBehindRetryMs = 100;     // what who is refused is told

class SaveQueue {
 public:
  using Snapshot = world::Ref<const world::Snapshot>;
  struct Batch {
    Snapshot snapshot;
    std::vector<world::SectionPos> touched;
    bool promised = false;  // holds edits only that were acknowledged
  };
  struct Answered {
    Reply reply;
    std::uint64_t version = 0;
  };
  /// What a failed write leaves to do: the edits that waited for it are refused, and the world must become what it was
  /// before them: in `touched` like `then`.
  struct Refused {
    std::vector<Reply> replies;
    Snapshot then;
    std::vector<world::SectionPos> touched;
  };

  /// `interval_us`: of `async`, from an acknowledgement to the write. `stored`: what is on disk.
  SaveQueue(Durability durability, std::int64_t interval_us, Snapshot stored);

  /// Whether so much waits that no edit can be taken.
  [[nodiscard]] bool full() const { return sections_waiting() > kWaitingMaxSections; }
  /// An edit that the world has had, which `now` shows. Returns its reply when it may be acknowledged at once.
  std::optional<Answered> add(const world::Commit& commit, Snapshot now, Reply reply, std::int64_t now_us);

  /// When the next batch is to be written: a time that may have passed. nullopt: there is none, or one is being written.
  [[nodiscard]] std::optional<std::int64_t> due_us() const;
  /// Whether the disk does not have the newest version, due or not.
  [[nodiscard]] bool unsaved() const { return newest_->version() != stored_version_; }
  /// A batch is being written, or one was not and put_back() has yet to come.
  [[nodiscard]] bool writing() const { return writing_; }
  /// All that is not on disk; after a failure what was acknowledged first, alone. Then done(), or failed() and put_back().
  Batch begin();
  /// Those that may be acknowledged now. `beyond_limit`: it was written where there was no room for it.
  std::vector<Answered> done(bool beyond_limit = false);
  Refused failed(std::int64_t now_us);
  /// The world has become what it was, in the version that `now` shows.
  void put_back(Snapshot now);

  [[nodiscard]] std::uint64_t stored_version() const { return stored_version_; }
  [[nodiscard]] bool failing() const { return failing_; }
  [[nodiscard]] std::size_t sections_waiting() const {
    return ahead_.size() + ahead_in_batch_.size() + sections_of_waiting_;
  }

 private:
  struct Waiting {
    std::uint64_t version;
    std::vector<world::SectionPos> touched;
    Reply reply;
  };

  const Durability durability_;
  const std::int64_t interval_us_;
  Snapshot newest_;
  Snapshot accepted_;  // the newest with acknowledged edits only
  std::uint64_t stored_version_;
  std::set<world::SectionPos> ahead_;              // changed by acknowledged edits since the last batch began
  std::vector<world::SectionPos> ahead_in_batch_;  // before
  std::deque<Waiting> waiting_;
  std::size_t sections_of_waiting_ = 0;
  Snapshot batch_;
  std::optional<std::int64_t> due_us_;
  bool writing_ = false;
  bool failing_ = false;
};

}  // namespace voxpath::server
