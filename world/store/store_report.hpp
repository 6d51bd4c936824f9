// What a store holds and what is damaged in it, all read from the first value to the last; its blocks as text.
// Thread-safety: free functions; a daemon may write the store meanwhile, they see one version of it.
// Invariant: damage ends nothing that can still be read.
#pragma once

#include "world/result.hpp"
#include "world/store/store_format.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::world {

struct StoreReport {
  std::optional<StoredWorld> about;  // nullopt: no world in it, or what it says of it is damaged
  std::size_t states = 0;
  std::size_t chunks = 0;  // also damaged ones
  std::size_t chunks_damaged = 0;
  std::size_t sections = 0;  // that could be read
  std::uint64_t value_bytes = 0;
  std::uint64_t used_bytes = 0;       // of the file, with what is free in between
  std::vector<std::string> problems;  // each damaged value by its place
};

/// Reads and checks every value. Errors: not_found, and data_loss where LMDB itself cannot go on.
Result<StoreReport> check_store(const std::filesystem::path& folder);

/// As check_store(), and gives what can be read as lines without their end, the same for equal worlds:
///   world version=7 min_y=-64 height=384 game_version=1.20.4
///   chunk -2 3
///   section -2 0 3 minecraft:stone*256 minecraft:air*3840      (runs, by y, then z, then x)
/// In a damaged chunk, `chunk -2 3 damaged`, sections that cannot be read are left out; sections of air always are.
Result<StoreReport> export_store(const std::filesystem::path& folder,
                                 const std::function<void(std::string_view)>& line);

}  // namespace voxpath::world
