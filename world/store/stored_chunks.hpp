// Reading a store from its first value to its last: what is there, and what is wrong with each value.
// Thread-safety: free functions on a transaction of the caller's.
// Invariant: damage is told, by the place that it is at, and never read as air or as something else; what stands beside it
// is read all the same.
#pragma once

#include "world/store/lmdb_environment.hpp"
#include "world/store/store_format.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace voxpath::world {

/// The block states of a store, by its numbers; nullopt: lost.
struct StoredStates {
  std::vector<std::optional<RegisteredState>> states;
  std::vector<std::string> problems;
};
/// Errors: data_loss where LMDB cannot go on.
Result<StoredStates> read_states(const LmdbEnvironment& store, const Transaction& transaction);

struct StoredChunk {
  ChunkPos pos;
  std::vector<std::pair<int, Ref<Section>>> sections;  // that could be read, from the lowest up
  std::vector<std::string> problems;                   // empty: the chunk is whole
  std::size_t bytes = 0;                               // of all its values
  /// The column. Precondition: it is whole.
  [[nodiscard]] Ref<Chunk> chunk(Heights heights) const;
};
/// In the order of x, then z. Errors: data_loss where LMDB cannot go on.
Status read_chunks(const LmdbEnvironment& store, const Transaction& transaction, Heights heights,
                   const EntryOfNumber& entry, const std::function<void(StoredChunk)>& visit);

}  // namespace voxpath::world
