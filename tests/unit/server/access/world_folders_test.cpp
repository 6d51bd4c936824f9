#include "server/access/world_folders.hpp"

#include "tests/support/scratch_folder.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

namespace fs = std::filesystem;

class WorldFolders : public ::testing::Test {
 protected:
  WorldFolders() {
    fs::create_directories(root_ / "lobby" / "region");
    std::ofstream(root_ / "lobby" / "region" / "r.0.0.mca") << "x";
    fs::create_directories(scratch_ / "secret");
    std::ofstream(scratch_ / "secret" / "key") << "x";
  }
  [[nodiscard]] world::Status check(const std::string& name) const { return check_confined(root_ / name, root_); }
  void expect_refused(const std::string& name, const std::string& word) const {
    const auto status = check(name);
    ASSERT_FALSE(status) << name;
    EXPECT_NE(status.error().message.find(word), std::string::npos) << status.error().message;
    EXPECT_EQ(status.error().message.find(scratch_.path().string()), std::string::npos) << "tells of no path";
  }

  const test::ScratchFolder scratch_;
  const fs::path root_ = scratch_ / "worlds";
};

TEST_F(WorldFolders, AFolderInTheRootPasses) { EXPECT_TRUE(check("lobby")); }

TEST_F(WorldFolders, LinksThatStayInTheRootPass) {
  fs::create_directory_symlink("lobby", root_ / "same");
  fs::create_directories(root_ / "other");
  fs::create_symlink("../lobby/region/r.0.0.mca", root_ / "other" / "r.0.0.mca");
  EXPECT_TRUE(check("same"));
  EXPECT_TRUE(check("other"));
}

TEST_F(WorldFolders, LinksOutOfTheRootAreRefused) {
  fs::create_directory_symlink(scratch_ / "secret", root_ / "absolute");
  expect_refused("absolute", "leads out");
  fs::create_directory_symlink("../secret", root_ / "relative");
  expect_refused("relative", "leads out");
  fs::create_symlink(scratch_ / "secret" / "key", root_ / "lobby" / "region" / "r.1.0.mca");
  expect_refused("lobby", "r.1.0.mca");
}

TEST_F(WorldFolders, ALinkedFolderDeepInsideIsFoundToo) {
  fs::create_directories(root_ / "deep" / "a" / "b");
  fs::create_directory_symlink(scratch_ / "secret", root_ / "deep" / "a" / "b" / "region");
  expect_refused("deep", "leads out");
}

TEST_F(WorldFolders, DotsAreRefused) {
  expect_refused("..", "leads out");
  expect_refused("../secret/..", "leads out");
  expect_refused("lobby/../../secret/../worlds/../secret", "leads out");
}

TEST_F(WorldFolders, ARootsNeighbourWithALongerNameIsOutside) {
  fs::create_directories(scratch_ / "worlds2" / "x");
  fs::create_directory_symlink(scratch_ / "worlds2" / "x", root_ / "x");
  expect_refused("x", "leads out");
}

TEST_F(WorldFolders, WhatIsNoFolderIsRefused) {
  std::ofstream(root_ / "file") << "x";
  fs::create_directory_symlink("nowhere", root_ / "dangling");
  fs::create_directory_symlink("loop", root_ / "loop");
  for (const char* name : {"file", "nothing", "dangling", "loop"}) expect_refused(name, "there is no world folder");
  fs::create_symlink("nowhere", root_ / "lobby" / "region" / "r.9.9.mca");
  expect_refused("lobby", "r.9.9.mca");
}

TEST_F(WorldFolders, TheRootItselfMayBeALink) {
  fs::create_directory_symlink("worlds", scratch_ / "link");
  EXPECT_TRUE(check_confined(scratch_ / "link" / "lobby", scratch_ / "link"));
}

}  // namespace
}  // namespace voxpath::server
