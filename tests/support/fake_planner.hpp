// FakePlanner: a planner whose searches are as long as the request says, on a clock that its work moves.
// Thread-safety: one test thread. Lifetime: the clock outlives it.
// Usage: request.set_expansions_max(n) makes a search of n expansions, each of them a microsecond. The answer repeats
// that number (expanded), the start (cost) and the world's version. A horde's starts are searched for one after the other;
// of an odd number, the second half is better searched for alone.
#pragma once

#include "server/planner.hpp"

#include <algorithm>
#include <cstdint>

namespace voxpath::test {

class FakePlanner : public server::Planner {
 public:
  explicit FakePlanner(std::int64_t& now_us) : now_us_(now_us) {}

  std::optional<protocol::Failure> begin(world::Ref<const world::Snapshot> snapshot,
                                         const v1::FindPath& request) override {
    snapshot_ = std::move(snapshot);
    left_ = request.expansions_max();
    answer_.Clear();
    answer_.set_status(v1::PathAnswer::FOUND);
    answer_.set_version(snapshot_->version());
    answer_.set_expanded(request.expansions_max());
    answer_.set_cost(request.start().cell().x());
    ++begun;
    return std::nullopt;
  }
  bool advance(std::uint32_t expansions) override {
    const std::uint32_t done = std::min(expansions, left_);
    left_ -= done;
    now_us_ += done;
    return left_ == 0;
  }
  void stop(Stop why) override {
    answer_.set_status(why == Stop::cancelled ? v1::PathAnswer::CANCELLED : v1::PathAnswer::PARTIAL);
    if (why == Stop::deadline) answer_.set_reason(v1::PathAnswer::DEADLINE);
  }
  void write(v1::PathAnswer* answer, server::FoundPath*) override {
    *answer = answer_;
    reset();
  }
  void reset() override { snapshot_.reset(); }
  std::optional<protocol::Failure> begin_check(world::Ref<const world::Snapshot> snapshot,
                                               const v1::ValidatePath& request) override {
    snapshot_ = std::move(snapshot);
    left_ = static_cast<std::uint32_t>(request.waypoints_size());
    return std::nullopt;
  }
  bool advance_check(std::uint32_t moves) override { return advance(moves); }
  void end_check(v1::PathVerdict* verdict) override {
    verdict->set_version(snapshot_->version());
    if (left_ == 0) verdict->set_status(v1::PathVerdict::VALID);
    reset();
  }
  std::optional<protocol::Failure> begin_horde(world::Ref<const world::Snapshot> snapshot,
                                               const server::HordeRequest& request, HordeOptions) override {
    snapshot_ = std::move(snapshot);
    each_ = request.question.expansions_max();
    starts_ = request.starts;
    at_ = taken_ = 0;
    left_ = each_;
    ++hordes_begun;
    return std::nullopt;
  }
  bool advance_horde(std::uint32_t expansions) override {
    while (at_ < starts_.size() && expansions > 0) {
      const std::uint32_t done = std::min(expansions, left_);
      left_ -= done;
      expansions -= done;
      now_us_ += done;
      if (left_ > 0) break;
      ++at_;
      left_ = each_;
    }
    return at_ == starts_.size();
  }
  void stop_horde(Stop why) override {
    stop(why);
    stopped_ = true;
    at_ = starts_.size();
  }
  std::vector<HordeAnswer> take_answers() override {
    std::vector<HordeAnswer> answers;
    for (; taken_ < at_; ++taken_) {
      v1::PathAnswer answer;
      answer.set_status(v1::PathAnswer::FOUND);
      answer.set_version(snapshot_->version());
      answer.set_expanded(each_);
      answer.set_cost(starts_[taken_].cell().x());
      if (stopped_) {
        answer.set_status(answer_.status());
        answer.set_reason(answer_.reason());
      }
      answers.push_back({static_cast<std::size_t>(taken_), std::move(answer), {}});
    }
    stopped_ = false;
    return answers;
  }
  [[nodiscard]] bool one_by_one() const override { return starts_.size() % 2 == 1 && at_ > starts_.size() / 2; }
  [[nodiscard]] std::size_t shared() const override { return static_cast<std::size_t>(starts_.size()); }
  [[nodiscard]] std::uint64_t expanded() const override { return static_cast<std::uint64_t>(at_); }
  /// Whether it holds on to a world.
  [[nodiscard]] bool idle() const { return !snapshot_; }

  int begun = 0;
  int hordes_begun = 0;

 private:
  std::int64_t& now_us_;
  world::Ref<const world::Snapshot> snapshot_;
  std::uint32_t left_ = 0;
  v1::PathAnswer answer_;
  google::protobuf::RepeatedPtrField<v1::Place> starts_;  // of a horde
  std::uint32_t each_ = 0;
  int at_ = 0, taken_ = 0;  // starts that are done, and whose answers were taken
  bool stopped_ = false;
};

}  // namespace voxpath::test
