// BlockCatalog: the embedded block table as data: every block of every version with its properties and traits.
// Thread-safety: immutable; one instance for the life of the program, made at the first use.
// Invariants: blocks are sorted by name, a name's ranges of versions by age; all text points into the embedded tables.
#pragma once

#include "world/blocks/block_state.hpp"
#include "world/blocks/traits.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::world {

inline constexpr std::string_view kVanillaNamespace = "minecraft:";

struct CatalogProperty {
  std::string_view name;
  std::vector<std::string_view> values;
};

/// A block's properties in the game's order; of its states, counted from 0, the last property changes fastest.
struct BlockSchema {
  std::vector<CatalogProperty> properties;
  [[nodiscard]] std::size_t state_count() const;
};

/// A block as it is in the versions first_version..last_version (indices into BlockCatalog::versions()).
struct CatalogBlock {
  std::string_view name;  // without "minecraft:"
  std::uint8_t first_version = 0;
  std::uint8_t last_version = 0;
  const BlockSchema* schema = nullptr;
  std::vector<std::uint8_t> default_values;  // one index for each property
  std::vector<std::uint8_t> mattering;       // the properties that traits depend on, by index
  std::vector<std::uint16_t> trait_ids;      // one for each combination of those, the last fastest

  /// The state's value of property `i`: the one given, or the default where it is left out or not among the values.
  [[nodiscard]] std::uint8_t value_index(const BlockState& state, std::size_t i) const;
  /// State number `index` with all properties. Precondition: index < schema->state_count().
  [[nodiscard]] BlockState state(std::size_t index) const;
  /// The state with left-out properties filled in; others that the block does not have are dropped.
  [[nodiscard]] BlockState completed(const BlockState& state) const;
};

struct CatalogVersion {
  std::string_view name;
  std::int32_t data_version = 0;
  std::uint32_t state_count = 0;  // in minecraft-data; pairs of id and meta where numeric
  bool numeric = false;           // chunks hold ids and metas
};

class BlockCatalog {
 public:
  static const BlockCatalog& instance();

  [[nodiscard]] std::span<const CatalogVersion> versions() const { return versions_; }
  [[nodiscard]] std::span<const CatalogBlock> blocks() const { return blocks_; }
  /// A name's ranges of versions, oldest first; empty for a name that no version has.
  [[nodiscard]] std::span<const CatalogBlock> named(std::string_view name) const;
  [[nodiscard]] const Traits& traits(const CatalogBlock& block, const BlockState& state) const;

 private:
  explicit BlockCatalog(std::string_view tsv);
  void read_block(std::span<const std::string_view> fields);
  [[nodiscard]] std::uint8_t version_index(std::string_view name) const;

  std::vector<CatalogVersion> versions_;
  std::vector<Traits> traits_;
  std::vector<BlockSchema> schemas_;
  std::vector<CatalogBlock> blocks_;
};

/// The parts of a text between separators; one part for a text without any.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Precondition: decimal digits only, as the embedded tables hold.
std::uint32_t table_number(std::string_view digits);

}  // namespace voxpath::world
