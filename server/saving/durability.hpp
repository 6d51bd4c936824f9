// Durability: what the acknowledgement of an edit promises; and what the configuration says of stores.
// Thread-safety: plain values.
// Invariant: where any world is durable, StoreConfig.folder is set.
#pragma once

#include <cstdint>
#include <filesystem>

namespace voxpath::server {

enum class Durability : std::uint8_t {
  none,   // the world ends with the process
  async,  // an edit is acknowledged at once and on disk soon after
  sync,   // an edit is acknowledged when it is on disk
};

/// [store]: where durable worlds are kept, and which are.
struct StoreConfig {
  std::filesystem::path folder;              // a folder for each world below
  Durability durability = Durability::none;  // of worlds that do not say otherwise
  std::uint64_t map_size_mib = 4'096;        // what the store of one world may grow to
  std::int64_t async_interval_ms = 200;      // from an acknowledgement to the write
  friend bool operator==(const StoreConfig&, const StoreConfig&) = default;
};

inline constexpr std::uint64_t kMapSizeMaxMib = std::uint64_t{1} << 20;
inline constexpr std::int64_t kAsyncIntervalMaxMs = 60'000;

}  // namespace voxpath::server
