#include "server/saving/world_saver.hpp"

#include "server/jobs/worker_pool.hpp"
#include "server/worlds.hpp"

#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;

namespace {

void acknowledge(SaveQueue::Answered& edit) {
  v1::ServerFrame frame;
  frame.mutable_committed()->set_version(edit.version);
  edit.reply.answer(std::move(frame));
}

Failure failure_of_store(const std::string& world, const world::Error& why) {
  const bool full = why.code == world::ErrorCode::resource_exhausted;
  return {full ? ErrorKind::store_full : ErrorKind::store_failed,
          fmt::format("world '{}' cannot be saved, so this edit was taken back: {}", world, why.message), "world",
          world};
}

}  // namespace

WorldSaver::WorldSaver(std::string world, std::unique_ptr<world::WorldStore> store, Durability durability,
                       std::int64_t interval_ms, world::Ref<const world::Snapshot> stored)
    : world_(std::move(world)),
      durability_(durability),
      queue_(durability, interval_ms * 1'000, std::move(stored)),
      store_(std::move(store)) {
  counts_.used_bytes = store_->used_bytes();
}

WorldSaver::~WorldSaver() { finish(); }

void WorldSaver::start(const std::shared_ptr<WorldHost>& host, TakenBack taken_back) {
  strand_ = host->strand;
  host_ = host;
  taken_back_ = std::move(taken_back);
  thread_ = std::thread([this] { run(); });
}

std::optional<Failure> WorldSaver::full() const {
  const std::lock_guard lock(mutex_);
  if (!queue_.full()) return std::nullopt;
  return Failure{
      ErrorKind::store_behind,
      fmt::format("edits of {} sections of world '{}' wait for its store", queue_.sections_waiting(), world_),
      "world",
      fmt::format("{} sections", queue_.sections_waiting()),
      fmt::format("{} sections", kWaitingMaxSections),
      kBehindRetryMs};
}

void WorldSaver::save(const world::Commit& commit, world::Ref<const world::Snapshot> now, Reply reply) {
  std::optional<SaveQueue::Answered> at_once;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) {
      return reply.refuse({ErrorKind::world_unknown, fmt::format("world '{}' was closed", world_), "world", world_});
    }
    at_once = queue_.add(commit, std::move(now), std::move(reply), steady_now_us());
  }
  woken_.notify_one();
  if (at_once) acknowledge(*at_once);
}

void WorldSaver::close(bool forget, Closed closed) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = std::move(closed);
    forget_ = forget;
  }
  woken_.notify_one();
}

void WorldSaver::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  woken_.notify_one();
  if (thread_.joinable()) thread_.join();
}

WorldSaver::Counts WorldSaver::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts = counts_;
  counts.stored_version = queue_.stored_version();
  counts.sections_waiting = queue_.sections_waiting();
  return counts;
}

void WorldSaver::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    const bool last = ending_ || closed_;
    const auto due = queue_.due_us();
    const std::int64_t now = steady_now_us();
    if (queue_.writing()) {  // a batch that failed is yet to be taken back
      if (ending_) break;
      woken_.wait(lock);
    } else if (!(closed_ && forget_) && (last ? queue_.unsaved() : due && *due <= now)) {
      write(lock);
    } else if (last) {
      if (let_go(lock)) break;
    } else if (due) {
      woken_.wait_for(lock, std::chrono::microseconds(*due - now));
    } else {
      woken_.wait(lock);
    }
  }
  ended_ = true;
}

void WorldSaver::write(std::unique_lock<std::mutex>& lock) {
  SaveQueue::Batch batch = queue_.begin();
  lock.unlock();
  const auto status = store_->commit(*batch.snapshot, std::move(batch.touched), batch.promised);
  const std::uint64_t used_bytes = store_->used_bytes();
  const bool beyond_limit = batch.promised && store_->beyond_limit();
  batch.snapshot.reset();
  lock.lock();
  if (!status) return not_written(lock, status.error());
  counts_.used_bytes = used_bytes;
  ++counts_.batches;
  if (beyond_limit && !queue_.failing()) spdlog::error("event=store_full world={} used_bytes={}", world_, used_bytes);
  if (!beyond_limit && queue_.failing()) spdlog::info("event=store_recovered world={}", world_);
  auto answered = queue_.done(beyond_limit);
  lock.unlock();
  for (SaveQueue::Answered& edit : answered) acknowledge(edit);
  lock.lock();
}

void WorldSaver::not_written(std::unique_lock<std::mutex>& lock, const world::Error& why) {
  ++counts_.failures;
  if (!queue_.failing()) {  // or each edit would make a line
    spdlog::error("event=store_failed world={} why=\"{}\"", world_, protocol::printable(why.message, 300));
  }
  const Failure failure = failure_of_store(world_, why);
  if (ending_) {
    SaveQueue::Refused refused = queue_.failed(steady_now_us());
    if (!refused.replies.empty() || queue_.sections_waiting() > 0) {
      spdlog::error("event=edits_lost world={} stored_version={} refused={} sections={}", world_,
                    queue_.stored_version(), refused.replies.size(), queue_.sections_waiting());
    }
    lock.unlock();
    for (Reply& reply : refused.replies) reply.refuse(failure);
    lock.lock();
    return;  // writing() stays, which ends the thread
  }
  // Only on the strand: edits that it has had meanwhile are built on those that are refused.
  boost::asio::post(*strand_, [weak = host_, failure] {
    if (const auto host = weak.lock()) host->saver->take_back(host, failure);
  });
}

void WorldSaver::take_back(const std::shared_ptr<WorldHost>& host, const Failure& why) {
  SaveQueue::Refused refused;
  Closed closed;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    refused = queue_.failed(steady_now_us());
    if (!forget_) closed = std::exchange(closed_, nullptr);
  }
  std::optional<world::Commit> undone;
  if (!refused.touched.empty()) undone = host->world.put_back(*refused.then, refused.touched);
  {
    const std::lock_guard lock(mutex_);
    queue_.put_back(host->world.snapshot());
  }
  woken_.notify_one();
  for (Reply& reply : refused.replies) reply.refuse(why);
  if (undone) taken_back_(host, *undone);
  if (closed) closed(why);
}

bool WorldSaver::let_go(std::unique_lock<std::mutex>& lock) {
  const bool forget = forget_;
  const bool close = closed_ != nullptr;
  ended_ = true;  // before the lock goes: an edit that came now would be acknowledged and not written
  lock.unlock();
  world::Status status = world::ok_status();
  if (close && !forget) {
    world::StoredWorld about = *store_->stored();
    about.open = false;
    status = store_->update(std::move(about));
  }
  std::error_code code;
  if (status) {
    const auto folder = store_->folder();
    store_.reset();
    if (close && forget) std::filesystem::remove_all(folder, code);
  }
  lock.lock();
  ended_ = static_cast<bool>(status);
  Closed closed = std::exchange(closed_, nullptr);
  SaveQueue::Refused refused;
  if (status && forget) refused = queue_.failed(0);
  lock.unlock();
  for (Reply& reply : refused.replies)
    reply.refuse({ErrorKind::world_unknown, fmt::format("world '{}' was closed", world_), "world", world_});
  if (code) spdlog::error("event=store_not_deleted world={} why=\"{}\"", world_, code.message());
  if (closed) {
    // Moved there: it may hold the last reference to the world, whose end waits for this thread.
    const auto failed = status ? std::nullopt : std::optional<Failure>(failure_of_store(world_, status.error()));
    boost::asio::post(*strand_, [closed = std::move(closed), failed] { closed(failed); });
  }
  lock.lock();
  return static_cast<bool>(status) || ending_;
}

}  // namespace voxpath::server
