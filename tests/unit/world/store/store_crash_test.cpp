// A scripted session of a store, run again and again: it crashes at its first write, at its second, and so on to the last.
#include "tests/support/scratch_folder.hpp"
#include "tests/unit/world/store/disk_faults.hpp"
#include "tests/unit/world/store/stored_world_model.hpp"
#include "world/store/world_store.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace voxpath::world {
namespace {

using test::disk_faults;
using test::Fault;

constexpr std::uint32_t kScript = 11;
constexpr int kGroups = 14;
constexpr std::uint64_t kSize = 16u << 20;

/// Edits in groups, each of one to three, and what is said of the world changed in between.
template <class Acknowledge>
Status session(const std::filesystem::path& folder, const Acknowledge& acknowledge) {
  auto store = WorldStore::open(folder, kSize);
  if (!store) return store.error();
  ScriptedWorld script(kScript);
  if (auto status = (*store)->begin({}, *script.world().snapshot()); !status) return status;
  acknowledge(script.world().snapshot()->version());
  for (int group = 0; group < kGroups; ++group) {
    std::vector<SectionPos> touched;
    for (int edit = 0; edit <= group % 3; ++edit) {
      const Commit commit = script.step();
      touched.insert(touched.end(), commit.touched.begin(), commit.touched.end());
    }
    if (auto status = (*store)->commit(*script.world().snapshot(), touched); !status) return status;
    acknowledge(script.world().snapshot()->version());
  }
  return ok_status();
}

/// Every version at which a group ended; 0: before the first.
std::map<std::uint64_t, Ref<const Snapshot>> versions() {
  std::map<std::uint64_t, Ref<const Snapshot>> all;
  ScriptedWorld script(kScript);
  all[1] = script.world().snapshot();
  for (int group = 0; group < kGroups; ++group) {
    for (int edit = 0; edit <= group % 3; ++edit) script.step();
    all[script.world().snapshot()->version()] = script.world().snapshot();
  }
  return all;
}

struct Ended {
  int code = -1;
  std::uint64_t acknowledged = 0;  // the newest version
};

Ended run_in_child(const std::filesystem::path& folder, test::DiskFaults::Plan plan) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child == 0) {
    disk_faults().arm("data.mdb", plan);
    const auto status = session(folder, [&](std::uint64_t version) {
      if (write(ends[1], &version, sizeof version) != sizeof version) _exit(2);
    });
    _exit(status ? 0 : 1);
  }
  close(ends[1]);
  Ended ended;
  for (std::uint64_t version = 0; read(ends[0], &version, sizeof version) == sizeof version;)
    ended.acknowledged = version;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return ended;
}

std::size_t writes_of_a_session() {
  const test::ScratchFolder scratch(test::memory_folder());
  disk_faults().arm("data.mdb", {});
  const auto status = session(scratch / "store", [](std::uint64_t) {});
  const std::size_t seen = disk_faults().seen();
  disk_faults().disarm();
  if (!status) throw std::runtime_error(status.error().message);
  return seen;
}

/// Crashes at each write in turn, and finds a group's end each time: the last acknowledged one or the one after.
void crash_everywhere(Fault fault, std::uint32_t seed) {
  const auto all = versions();
  const std::size_t writes = writes_of_a_session();
  ASSERT_GT(writes, 3u * kGroups) << "each group has pages, a synchronisation and a root to write";
  std::size_t ahead = 0, begun = 0;
  for (std::size_t at = 1; at <= writes; ++at) {
    SCOPED_TRACE(fmt::format("write {} of {}", at, writes));
    const test::ScratchFolder scratch(test::memory_folder());
    const Ended ended = run_in_child(scratch / "store", {at, fault, seed + static_cast<std::uint32_t>(at)});
    ASSERT_EQ(ended.code, test::kCrashedExit);
    auto store = WorldStore::open(scratch / "store", kSize);
    ASSERT_TRUE(store) << store.error().message;
    if (!(*store)->stored()) {
      ASSERT_EQ(ended.acknowledged, 0u) << "what was acknowledged is gone";
      continue;
    }
    ++begun;
    const std::uint64_t version = (*store)->stored()->version;
    ASSERT_GE(version, ended.acknowledged) << "what was acknowledged is gone";
    const auto found = all.find(version);
    ASSERT_NE(found, all.end()) << "version " << version << " is half a group";
    ASSERT_TRUE(ended.acknowledged == 0 || version == ended.acknowledged ||
                version == all.upper_bound(ended.acknowledged)->first);
    ahead += version > ended.acknowledged ? 1 : 0;
    const auto restored = (*store)->load();
    ASSERT_TRUE(restored) << restored.error().message;
    ASSERT_EQ(restored->problems, std::vector<std::string>());
    ASSERT_EQ(restored->world->snapshot()->version(), version);
    ASSERT_EQ(difference(*found->second, *restored->world->snapshot()), "");
    // And it goes on from there.
    const Commit next = must(*restored->world, {PutChunk{{7, 7}, air_chunk()}});
    ASSERT_TRUE((*store)->commit(*restored->world->snapshot(), next.touched));
  }
  EXPECT_GT(begun, writes / 2);
  if (fault == Fault::crash) {
    EXPECT_EQ(ahead, 0u) << "a root that was not written is not there";
  }
}

TEST(StoreCrash, AtEachWriteLeavesAWholeVersion) { crash_everywhere(Fault::crash, 0); }
TEST(StoreCrash, InTheMiddleOfEachWriteLeavesAWholeVersion) { crash_everywhere(Fault::torn, 0); }
TEST(StoreCrash, WithThePowerLeavesAWholeVersion) {
  for (const std::uint32_t seed : {1'000u, 2'000u}) crash_everywhere(Fault::power_cut, seed);
}

/// The write fails, the program goes on and tries again: then everything is there.
TEST(StoreCrash, AWriteThatFailsChangesNothingAndTheNextOneTakes) {
  const std::size_t writes = writes_of_a_session();
  for (const Fault fault : {Fault::no_space, Fault::io_error}) {
    std::size_t failures = 0;
    for (std::size_t at = 1; at <= writes; ++at) {
      SCOPED_TRACE(fmt::format("write {} of {}", at, writes));
      const test::ScratchFolder scratch(test::memory_folder());
      disk_faults().arm("data.mdb", {at, fault, 0});
      auto store = WorldStore::open(scratch / "store", kSize);
      if (!store) store = WorldStore::open(scratch / "store", kSize);
      ASSERT_TRUE(store) << store.error().message;
      ScriptedWorld script(kScript);
      const auto begun = (*store)->begin({}, *script.world().snapshot());
      if (!begun) {
        ASSERT_TRUE((*store)->begin({}, *script.world().snapshot()));
      }
      std::vector<SectionPos> touched;
      for (int edit = 0; edit < 2 * kGroups; ++edit) {
        const Commit commit = script.step();
        touched.insert(touched.end(), commit.touched.begin(), commit.touched.end());
        const std::uint64_t before = (*store)->stored()->version;
        const auto status = (*store)->commit(*script.world().snapshot(), touched);
        if (status) {
          touched.clear();
          continue;
        }
        ++failures;
        EXPECT_EQ((*store)->stored()->version, before);
        if (fault == Fault::no_space) {
          EXPECT_EQ(status.error().code, ErrorCode::resource_exhausted) << status.error().message;
        }
      }
      disk_faults().disarm();
      ASSERT_TRUE((*store)->commit(*script.world().snapshot(), touched));
      const auto restored = (*store)->load();
      ASSERT_TRUE(restored) << restored.error().message;
      ASSERT_EQ(restored->problems, std::vector<std::string>());
      ASSERT_EQ(difference(*script.world().snapshot(), *restored->world->snapshot()), "");
    }
    EXPECT_GT(failures, writes / 2);
  }
}

}  // namespace
}  // namespace voxpath::world
