// DurableDaemon: a voxpathd as a process, with a store of its own; and what tests of durable worlds ask of it.
// Thread-safety: one test thread. It is killed when it was not waited for.
// Usage: DurableDaemon daemon(folder, "sync"); client::BlockingClient client(daemon.options());
#pragma once

#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::test {

/// A voxpathd of its own with a store in `folder`; `more` is added to its configuration.
class DurableDaemon {
 public:
  DurableDaemon(const ScratchFolder& folder, const std::string& durability, const std::string& more = "",
                int map_size_mib = 64) {
    const auto file = folder / "voxpathd.toml";
    std::ofstream(file) << fmt::format(
        "[server]\nport = 0\nworkers = 1\n[store]\nfolder = \"store\"\ndurability = \"{}\"\nmap_size_mib = {}\n{}",
        durability, map_size_mib, more);
    process_ = std::make_unique<Process>(VOXPATHD, std::vector<std::string>{"--config", file.string()});
    port_ = static_cast<std::uint16_t>(std::stoi(process_->line("event=listening .*port=(\\d+)")));
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] client::ClientOptions options() const { return {.port = port_, .reconnect = false}; }
  Process* operator->() { return process_.get(); }

 private:
  std::unique_ptr<Process> process_;
  std::uint16_t port_ = 0;
};

inline v1::OpenWorld open_request(const std::string& name, std::int32_t min_y = 0, std::uint32_t height = 64) {
  v1::OpenWorld request;
  request.set_world(name);
  request.set_min_y(min_y);
  request.set_height(height);
  return request;
}

inline v1::PutChunk chunk_of(const std::string& world, int x, int z, const std::string& block) {
  v1::PutChunk request;
  request.set_world(world);
  request.set_x(x);
  request.set_z(z);
  request.add_palette(block);
  v1::ChunkSection& section = *request.add_sections();
  section.set_y(0);
  section.add_blocks(0);
  return request;
}

inline void add_block(v1::SetBlocks& request, int x, int y, int z, const std::string& block) {
  v1::BlockChange& change = *request.add_changes();
  change.mutable_at()->set_x(x);
  change.mutable_at()->set_y(y);
  change.mutable_at()->set_z(z);
  change.set_block(block);
}

/// The names of the blocks of a box, from low to high.
inline std::vector<std::string> names_in(client::BlockingClient& client, const std::string& world, int x0, int y0,
                                         int z0, int x1, int y1, int z1) {
  v1::QueryBlocks request;
  request.set_world(world);
  request.set_detail(v1::QueryBlocks::NAMES);
  v1::BlockPos& low = *request.mutable_box()->mutable_min();
  low.set_x(x0), low.set_y(y0), low.set_z(z0);
  v1::BlockPos& high = *request.mutable_box()->mutable_max();
  high.set_x(x1), high.set_y(y1), high.set_z(z1);
  std::vector<std::string> names;
  const auto answer = client.query_blocks(request);
  EXPECT_TRUE(answer) << answer.error().message();
  if (!answer) return names;
  for (const std::uint32_t number : answer->blocks()) {
    const v1::BlockInfo& block = answer->palette(static_cast<int>(number));
    names.push_back(block.solidity() == v1::BlockInfo::MISSING ? "missing" : block.name());
  }
  return names;
}

/// What a client is told of a world, once it is there.
inline v1::WorldInfo info_of(client::BlockingClient& client, const std::string& name) {
  v1::WorldInfo found;
  EXPECT_TRUE(eventually([&] {
    const auto list = client.list_worlds();
    if (!list) return true;
    for (const v1::WorldInfo& info : list->worlds()) {
      if (info.world() == name) found = info;
    }
    return !found.world().empty();
  }));
  return found;
}

}  // namespace voxpath::test
