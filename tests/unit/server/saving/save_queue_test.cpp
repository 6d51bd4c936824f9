#include "server/saving/save_queue.hpp"

#include "tests/support/world_builder.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A world with a queue, and what its edits were answered: their numbers from 1 on.
class Queue {
 public:
  explicit Queue(Durability durability) : queue(durability, 1'000, world_.known({0, 0}, {9, 9}).snapshot()) {}

  /// One that touches these sections' y, at a time.
  void edit(const std::vector<int>& touched, std::int64_t now_us = 0) {
    world_.set({0, 0, 0}, ++edits_ % 2 == 0 ? world_.stone() : world::kAirState);
    const auto now = world_.snapshot();
    world::Commit commit{.version = now->version(), .touched = {}};
    for (const int y : touched) commit.touched.push_back({0, y, 0});
    Reply reply(edits_, [this](const v1::ServerFrame& frame) {
      (frame.has_error() ? refused : acknowledged).push_back(static_cast<int>(frame.id()));
    });
    answer(queue.add(commit, now, std::move(reply), now_us));
  }
  void answer(std::optional<SaveQueue::Answered> edit) {
    if (!edit) return;
    v1::ServerFrame frame;
    frame.mutable_committed()->set_version(edit->version);
    edit->reply.answer(std::move(frame));
  }
  std::vector<int> begin() {
    const SaveQueue::Batch batch = queue.begin();
    begun_ = batch.snapshot->version();
    std::vector<int> touched;
    for (const world::SectionPos& pos : batch.touched) touched.push_back(pos.y);
    return touched;
  }
  void done() {
    for (SaveQueue::Answered& edit : queue.done()) {
      EXPECT_LE(edit.version, begun_) << "acknowledged before it was on disk";
      answer(std::move(edit));
    }
    EXPECT_EQ(queue.stored_version(), begun_);
  }
  /// The version of the snapshot that the world is put back to.
  std::uint64_t fail(std::int64_t now_us) {
    SaveQueue::Refused failed = queue.failed(now_us);
    for (Reply& reply : failed.replies) reply.refuse({});
    world_.set({0, 1, 0}, world_.stone());  // in place of taking back: a version later
    queue.put_back(world_.snapshot());
    return failed.then->version();
  }
  [[nodiscard]] SaveQueue::Snapshot snapshot() const { return world_.snapshot(); }
  [[nodiscard]] std::uint64_t version() const { return world_.snapshot()->version(); }

 private:
  test::WorldBuilder world_;

 public:
  SaveQueue queue;
  std::vector<int> acknowledged, refused;

 private:
  std::uint32_t edits_ = 0;
  std::uint64_t begun_ = 0;
};

TEST(SaveQueue, SyncAcknowledgesWithTheBatchThatHoldsTheEdit) {
  Queue q(Durability::sync);
  EXPECT_FALSE(q.queue.due_us());
  EXPECT_FALSE(q.queue.unsaved());
  q.edit({1}, 5);
  EXPECT_EQ(q.queue.due_us(), 5);
  EXPECT_THAT(q.begin(), ElementsAre(1));
  EXPECT_FALSE(q.queue.due_us()) << "one batch at a time";
  q.edit({2});
  q.edit({3});
  EXPECT_THAT(q.acknowledged, IsEmpty());
  q.done();
  EXPECT_THAT(q.acknowledged, ElementsAre(1));
  ASSERT_TRUE(q.queue.due_us());
  EXPECT_THAT(q.begin(), ElementsAre(2, 3)) << "all that waits goes together";
  q.done();
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2, 3));
  EXPECT_FALSE(q.queue.due_us());
  EXPECT_FALSE(q.queue.unsaved());
  EXPECT_EQ(q.queue.sections_waiting(), 0u);
}

TEST(SaveQueue, AsyncAcknowledgesAtOnceAndWritesAfterTheInterval) {
  Queue q(Durability::async);
  q.edit({1}, 10);
  q.edit({1, 2}, 500);
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2));
  EXPECT_EQ(q.queue.due_us(), 1'010) << "counted from the first";
  EXPECT_THAT(q.begin(), ElementsAre(1, 2));
  q.edit({4}, 1'200);
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2, 3));
  q.done();
  EXPECT_EQ(q.queue.due_us(), 2'200);
  EXPECT_TRUE(q.queue.unsaved());
}

TEST(SaveQueue, AsyncWaitsWhereTooMuchIsAheadOfTheDisk) {
  Queue q(Durability::async);
  std::vector<int> many;
  for (std::size_t i = 0; i < kAheadMaxSections; ++i) many.push_back(static_cast<int>(i));
  q.edit(many, 0);
  q.edit({-1}, 1);
  q.edit({}, 2);
  EXPECT_THAT(q.acknowledged, ElementsAre(1)) << "the third stays behind the second";
  EXPECT_EQ(q.queue.due_us(), 2);
  EXPECT_EQ(q.begin().size(), kAheadMaxSections + 1);
  q.done();
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2, 3));
  q.edit({5}, 3);
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2, 3, 4));
}

TEST(SaveQueue, IsFullBeyondItsLimitOnly) {
  Queue q(Durability::sync);
  std::vector<int> many;
  for (std::size_t i = 0; i < kWaitingMaxSections - 1; ++i) many.push_back(static_cast<int>(i));
  q.edit(many);
  EXPECT_FALSE(q.queue.full());
  q.edit({0});
  EXPECT_FALSE(q.queue.full()) << "at the limit";
  q.edit({0});
  EXPECT_TRUE(q.queue.full());
  q.begin();
  EXPECT_TRUE(q.queue.full()) << "until it is on disk";
  q.done();
  EXPECT_FALSE(q.queue.full());
}

TEST(SaveQueue, AFailedBatchRefusesAllThatWaitsAndGoesBackToTheLastAcknowledgedVersion) {
  Queue q(Durability::sync);
  const std::uint64_t before = q.version();
  q.edit({1});
  q.begin();
  q.edit({2});
  EXPECT_EQ(q.fail(100), before);
  EXPECT_THAT(q.refused, ElementsAre(1, 2));
  EXPECT_THAT(q.acknowledged, IsEmpty());
  EXPECT_TRUE(q.queue.failing());
  EXPECT_FALSE(q.queue.due_us()) << "there is nothing that the disk must have";
  EXPECT_EQ(q.queue.sections_waiting(), 0u);
  q.edit({3});
  EXPECT_THAT(q.begin(), ElementsAre(3));
  q.done();
  EXPECT_FALSE(q.queue.failing());
  EXPECT_THAT(q.acknowledged, ElementsAre(3));
}

TEST(SaveQueue, AFailedBatchLosesNoAcknowledgedEditAndLaterOnesWait) {
  Queue q(Durability::async);
  q.edit({1}, 0);
  q.begin();
  q.edit({2}, 0);
  const std::uint64_t accepted = q.version();
  EXPECT_EQ(q.fail(100), accepted) << "nothing to take back: all were acknowledged";
  EXPECT_THAT(q.refused, IsEmpty());
  EXPECT_EQ(q.queue.due_us(), 100 + kSaveRetryUs);
  q.edit({3}, 200);
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2));
  EXPECT_EQ(q.queue.due_us(), 200);
  EXPECT_THAT(q.begin(), UnorderedElementsAre(1, 2)) << "what was promised goes first, alone";
  EXPECT_EQ(q.fail(300), accepted + 1) << "as it was put back, without the third";
  EXPECT_THAT(q.refused, ElementsAre(3));
  EXPECT_THAT(q.begin(), UnorderedElementsAre(1, 2));
  q.done();
  q.edit({4}, 400);
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2, 4));
}

TEST(SaveQueue, WhatWasPromisedMayOutgrowTheLimitAndThenEditsWait) {
  Queue q(Durability::async);
  q.edit({1}, 0);
  EXPECT_TRUE(q.queue.begin().promised);
  (void)q.queue.done(true);
  EXPECT_TRUE(q.queue.failing());
  q.edit({2}, 10);
  EXPECT_THAT(q.acknowledged, ElementsAre(1)) << "not at once: there may be no room for it";
  EXPECT_FALSE(q.queue.begin().promised);
  for (SaveQueue::Answered& edit : q.queue.done()) q.answer(std::move(edit));
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2));
  q.edit({3}, 20);
  EXPECT_THAT(q.acknowledged, ElementsAre(1, 2, 3));
}

TEST(SaveQueue, AnEditWithoutChangesIsAnsweredWhenItsVersionIsOnDisk) {
  Queue q(Durability::sync);
  EXPECT_TRUE(q.queue.add({.version = q.version(), .touched = {}}, q.snapshot(), Reply(), 0));
  q.edit({1});
  EXPECT_FALSE(q.queue.add({.version = q.version(), .touched = {}}, q.snapshot(), Reply(), 0))
      << "the edit may be lost";
  q.begin();
  q.done();
  EXPECT_TRUE(q.queue.add({.version = q.version(), .touched = {}}, q.snapshot(), Reply(), 0));
}

}  // namespace
}  // namespace voxpath::server
