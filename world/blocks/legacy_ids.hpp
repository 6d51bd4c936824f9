// Legacy ids: the numeric block ids of the versions before 1.13 as 1.13 states.
// Thread-safety: immutable; one instance for the life of the program, made at the first use.
// Invariant: a known id has a state for each meta from 0 to kLegacyMetaMax.
#pragma once

#include "world/blocks/block_state.hpp"
#include "world/blocks/block_table.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::world {

class LegacyIds {
 public:
  static const LegacyIds& instance();

  /// nullptr: an id that the game never had.
  [[nodiscard]] const BlockState* find(std::uint32_t id, std::uint32_t meta) const;

 private:
  explicit LegacyIds(std::string_view tsv);

  using Metas = std::array<std::uint16_t, kLegacyMetaMax + 1>;  // indices into states_
  std::vector<BlockState> states_;
  boost::unordered_flat_map<std::uint32_t, Metas> ids_;
};

}  // namespace voxpath::world
