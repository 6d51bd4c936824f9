#include "world/anvil/state_resolver.hpp"

#include <utility>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

constexpr std::size_t kPropertiesMax = 64;  // of one state; the most that the game has is 7
constexpr unsigned kMetaBits = 4;
constexpr unsigned kMetaMask = 15;

/// Errors: data_loss. Precondition: `entry` is a compound's fields as Reader::skip() gave them.
Result<BlockState> read_state(nbt::Bytes entry) {
  nbt::Reader reader(entry);
  std::string_view name;
  std::vector<std::pair<std::string, std::string>> properties;
  for (nbt::Field field; reader.next(field);) {
    if (field.tag == nbt::Tag::string && field.name == "Name") {
      name = reader.string();
    } else if (field.tag == nbt::Tag::compound && field.name == "Properties") {
      for (nbt::Field property; reader.next(property);) {
        if (property.tag == nbt::Tag::string) {
          properties.emplace_back(property.name, reader.string());
        } else {
          reader.skip(property.tag);
        }
        if (properties.size() > kPropertiesMax) {
          return Error{ErrorCode::data_loss,
                       fmt::format("a palette entry has more than {} properties", kPropertiesMax)};
        }
      }
    } else {
      reader.skip(field.tag);
    }
  }
  if (name.empty()) return Error{ErrorCode::data_loss, "a palette entry has no Name"};
  BlockState state = BlockState::make(name, std::move(properties));
  if (const std::size_t size = state.text().size(); size > kBlockStateTextMax) {
    return Error{ErrorCode::data_loss,
                 fmt::format("a palette entry's text has {} bytes of at most {}", size, kBlockStateTextMax)};
  }
  return state;
}

void set_property(BlockState& state, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  for (auto& property : state.properties) {
    if (property.first == key) property.second = value;
  }
}

}  // namespace

StateResolver::StateResolver(StateRegistry& states, std::string block_overrides)
    : states_(states), block_overrides_(std::move(block_overrides)) {}

Status StateResolver::use_version(std::int32_t data_version, bool numeric) {
  if (version_ && version_->data_version == data_version && version_->numeric == numeric) return ok_status();
  for (const auto& version : versions_) {
    if (version->data_version == data_version && version->numeric == numeric) {
      version_ = version.get();
      return ok_status();
    }
  }
  BlockTable table = numeric ? BlockTable::for_legacy(data_version) : BlockTable::for_data_version(data_version);
  if (!block_overrides_.empty()) {
    auto changed = table.with_overrides(block_overrides_);
    if (!changed) return changed.error();
    table = *std::move(changed);
  }
  versions_.push_back(std::make_unique<Version>(Version{data_version, numeric, std::move(table), {}, {}}));
  version_ = versions_.back().get();
  return ok_status();
}

Result<PaletteEntry> StateResolver::enter(const BlockState& state) {
  const Traits traits = version_->table.traits(state);
  const auto id = states_.intern(state.text(), traits);
  if (!id) return id.error();
  return PaletteEntry{*id, traits};
}

Result<PaletteEntry> StateResolver::named(nbt::Bytes entry) {
  const std::string_view key(reinterpret_cast<const char*>(entry.data()), entry.size());
  if (const auto found = version_->by_nbt.find(key); found != version_->by_nbt.end()) return found->second;
  const auto state = read_state(entry);
  if (!state) return state.error();
  auto resolved = enter(*state);
  if (resolved) version_->by_nbt.emplace(key, *resolved);
  return resolved;
}

Result<PaletteEntry> StateResolver::numbered(BlockNumber number) {
  if (const auto found = version_->by_number.find(number); found != version_->by_number.end()) return found->second;
  const unsigned id = number >> kMetaBits;
  const auto state = BlockTable::legacy_state(id, number & kMetaMask);
  auto resolved = enter(state ? *state : BlockState::make(fmt::format("numeric:{}", id)));
  if (resolved) version_->by_number.emplace(number, *resolved);
  return resolved;
}

Result<PaletteEntry> StateResolver::door_half(BlockNumber lower, BlockNumber upper, bool is_upper) {
  const std::uint64_t key = std::uint64_t{1} << 40 | std::uint64_t{is_upper} << 32 | std::uint64_t{lower} << 16 | upper;
  if (const auto found = version_->by_number.find(key); found != version_->by_number.end()) return found->second;
  const auto low = BlockTable::legacy_state(lower >> kMetaBits, lower & kMetaMask);
  const auto high = BlockTable::legacy_state(upper >> kMetaBits, upper & kMetaMask);
  if (!low || !high) return numbered(is_upper ? upper : lower);
  BlockState state = is_upper ? *high : *low;
  for (const char* key_of_lower : {"facing", "open"}) set_property(state, key_of_lower, low->property(key_of_lower));
  for (const char* key_of_upper : {"hinge", "powered"}) set_property(state, key_of_upper, high->property(key_of_upper));
  auto resolved = enter(state);
  if (resolved) version_->by_number.emplace(key, *resolved);
  return resolved;
}

}  // namespace voxpath::world
