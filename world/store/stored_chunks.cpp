#include "world/store/stored_chunks.hpp"

#include <fmt/format.h>

namespace voxpath::world {

namespace {

constexpr std::uint32_t kNumbersMax = 2 * kStateCountMax;  // more than any store has: a key beyond it is damaged

/// Puts the two tables together that make a chunk. Both are in the order of x and z.
class Reading {
 public:
  Reading(const LmdbEnvironment& store, const Transaction& transaction, Heights heights, const EntryOfNumber& entry)
      : chunks_(transaction, store.chunks),
        sections_(transaction, store.sections),
        heights_(heights),
        low_(floor_div16(heights.min_y)),
        entry_(entry) {}

  void run(const std::function<void(StoredChunk)>& visit) {
    while (chunks_.valid() || sections_.valid()) {
      StoredChunk chunk;
      const std::string_view column = sections_.valid() ? sections_.key().substr(0, 8) : std::string_view();
      if (chunks_.valid() && (!sections_.valid() || chunks_.key() <= column)) {
        read_chunk(chunk);
      } else {
        chunk.pos = chunk_of_key(column).value_or(ChunkPos{});
        chunk.problems.push_back(fmt::format("chunk {}, {}: sections without their chunk", chunk.pos.x, chunk.pos.z));
        read_sections(std::string(column), nullptr, chunk);
      }
      visit(std::move(chunk));
    }
  }
  [[nodiscard]] int code() const { return chunks_.code() != 0 ? chunks_.code() : sections_.code(); }

 private:
  void read_chunk(StoredChunk& chunk) {
    const std::string key(chunks_.key());
    const auto pos = chunk_of_key(key);
    if (pos) chunk.pos = *pos;
    const auto payload = unseal(key, chunks_.value());
    chunk.bytes = key.size() + chunks_.value().size();
    auto listed = payload ? decode_chunk(*payload, heights_) : Result<std::vector<bool>>(payload.error());
    if (!pos) listed = Error{ErrorCode::data_loss, fmt::format("its key has {} bytes, not 8", key.size())};
    if (!listed) {
      chunk.problems.push_back(fmt::format("chunk {}, {}: {}", chunk.pos.x, chunk.pos.z, listed.error().message));
    }
    chunks_.next();
    read_sections(key, listed ? &*listed : nullptr, chunk);
  }

  /// `listed`: those that must be there; nullptr: not known.
  void read_sections(const std::string& column, const std::vector<bool>* listed, StoredChunk& chunk) {
    std::vector<bool> missing = listed != nullptr ? *listed : std::vector<bool>();
    for (; sections_.valid() && sections_.key().substr(0, 8) == column; sections_.next()) {
      const auto pos = section_of_key(sections_.key());
      chunk.bytes += sections_.key().size() + sections_.value().size();
      const auto i = pos ? static_cast<std::size_t>(pos->y - low_) : missing.size();
      if (listed != nullptr && (i >= listed->size() || !(*listed)[i])) {
        note(chunk, pos ? pos->y : 0, "its chunk does not list it");
        continue;
      }
      if (i < missing.size()) missing[i] = false;
      const auto payload = unseal(sections_.key(), sections_.value());
      auto section = payload ? decode_section(*payload, entry_) : Result<Ref<Section>>(payload.error());
      if (section && pos) {
        chunk.sections.emplace_back(pos->y, *std::move(section));
      } else {
        note(chunk, pos ? pos->y : 0, section ? "its key is none" : section.error().message);
      }
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
      if (missing[i]) note(chunk, low_ + static_cast<int>(i), "it is gone");
    }
  }

  static void note(StoredChunk& chunk, int y, std::string_view what) {
    chunk.problems.push_back(fmt::format("section {}, {}, {}: {}", chunk.pos.x, y, chunk.pos.z, what));
  }

  Cursor chunks_, sections_;
  const Heights heights_;
  const int low_;
  const EntryOfNumber& entry_;
};

}  // namespace

Result<StoredStates> read_states(const LmdbEnvironment& store, const Transaction& transaction) {
  StoredStates found;
  Cursor cursor(transaction, store.states);
  for (; cursor.valid(); cursor.next()) {
    const auto number = state_of_key(cursor.key());
    if (!number || *number >= kNumbersMax) {
      found.problems.emplace_back("block states: a key that is none");
      continue;
    }
    if (found.states.size() <= *number) found.states.resize(*number + 1);
    const auto payload = unseal(cursor.key(), cursor.value());
    auto state = payload ? decode_state(*payload) : Result<RegisteredState>(payload.error());
    if (state) {
      found.states[*number] = *std::move(state);
    } else {
      found.problems.push_back(fmt::format("block state {}: {}", *number, state.error().message));
    }
  }
  if (cursor.code() != 0) return store.error(cursor.code(), "cannot read");
  return found;
}

Ref<Chunk> StoredChunk::chunk(Heights heights) const {
  auto made = make_ref<Chunk>(heights.min_y, heights.height);
  for (const auto& [y, section] : sections) made->set_section(y, section);
  return made;
}

Status read_chunks(const LmdbEnvironment& store, const Transaction& transaction, Heights heights,
                   const EntryOfNumber& entry, const std::function<void(StoredChunk)>& visit) {
  Reading reading(store, transaction, heights, entry);
  reading.run(visit);
  if (reading.code() != 0) return store.error(reading.code(), "cannot read");
  return ok_status();
}

}  // namespace voxpath::world
