#include "world/world.hpp"

#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

namespace voxpath::world {

namespace {

Error fail(ErrorCode code, std::string message) { return {code, std::move(message)}; }

std::string text(BlockPos p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); }
std::string text(ChunkPos p) { return fmt::format("({}, {})", p.x, p.z); }

Status check_chunk_pos(ChunkPos pos) {
  for (const auto& [axis, value] : {std::pair{"x", pos.x}, std::pair{"z", pos.z}}) {
    if (value < -kChunkCoordinateMax || value >= kChunkCoordinateMax) {
      return fail(ErrorCode::out_of_range, fmt::format("chunk {} = {}: allowed are {} to {}", axis, value,
                                                       -kChunkCoordinateMax, kChunkCoordinateMax - 1));
    }
  }
  return ok_status();
}

/// Carries out changes that were checked, on a writer's own map, and notes the sections that came out different.
struct Applier {
  ChunkIndexWriter& chunks;
  const StateRegistry& states;
  Heights heights;
  std::vector<SectionPos>& touched;

  [[nodiscard]] PaletteEntry entry(StateId state) const { return {state, states.at(state).traits}; }

  void whole_column(ChunkPos pos) const {
    for (int y = floor_div16(heights.min_y); y <= floor_div16(heights.max_y()); ++y)
      touched.push_back({pos.x, y, pos.z});
  }

  void operator()(const SetBlock& c) const {
    const Chunk* seen = chunks.index().find(chunk_of(c.pos));
    if (seen->at(c.pos.x, c.pos.y, c.pos.z).state == c.state) return;  // nothing to copy
    Section& section = chunks.find_mutable(chunk_of(c.pos))->mutable_section(floor_div16(c.pos.y));
    section.set(Section::index(c.pos.x, c.pos.y, c.pos.z), entry(c.state));
    touched.push_back(section_of(c.pos));
  }

  void operator()(const FillBox& c) const {
    const PaletteEntry value = entry(c.state);
    const SectionPos from = section_of(c.box.min);
    const SectionPos to = section_of(c.box.max);
    for (int cx = from.x; cx <= to.x; ++cx) {
      for (int cz = from.z; cz <= to.z; ++cz) {
        Chunk& chunk = *chunks.find_mutable({cx, cz});
        for (int cy = from.y; cy <= to.y; ++cy) fill_section(chunk, {cx, cy, cz}, c.box, value);
      }
    }
  }

  void fill_section(Chunk& chunk, SectionPos at, const Box& box, const PaletteEntry& value) const {
    const Section* seen = chunk.section(at.y);
    if (seen == nullptr ? value == PaletteEntry{} : seen->uniform() && seen->at(0) == value) return;  // nothing to copy
    const BlockPos low{std::max(box.min.x, at.x * 16), std::max(box.min.y, at.y * 16), std::max(box.min.z, at.z * 16)};
    const BlockPos high{std::min(box.max.x, at.x * 16 + 15), std::min(box.max.y, at.y * 16 + 15),
                        std::min(box.max.z, at.z * 16 + 15)};
    if (Box{low, high}.volume() == kSectionVolume) {
      chunk.set_section(at.y, make_ref<Section>(value));
      touched.push_back(at);
      return;
    }
    Section& section = chunk.mutable_section(at.y);
    bool changed = false;
    for (int y = low.y; y <= high.y; ++y) {
      for (int z = low.z; z <= high.z; ++z) {
        for (int x = low.x; x <= high.x; ++x) changed |= section.set(Section::index(x, y, z), value);
      }
    }
    if (changed) touched.push_back(at);
  }

  void operator()(const SetSection& c) const {
    static const Section air;
    const Section* seen = chunks.index().find({c.pos.x, c.pos.z})->section(c.pos.y);
    if ((seen ? *seen : air).same_blocks(c.section ? *c.section : air)) return;
    chunks.find_mutable({c.pos.x, c.pos.z})->set_section(c.pos.y, c.section ? make_ref<Section>(*c.section) : nullptr);
    touched.push_back(c.pos);
  }
  void operator()(const PutChunk& c) const {
    chunks.put(c.pos, c.chunk);
    whole_column(c.pos);
  }
  void operator()(const DropChunk& c) const {
    if (chunks.erase(c.pos)) whole_column(c.pos);
  }
};

/// Checks changes one after the other, remembering which chunks earlier ones put or dropped.
class Checker {
 public:
  Checker(const ChunkIndex& chunks, const StateRegistry& states, Heights heights)
      : chunks_(chunks), states_(states), heights_(heights) {}

  Status operator()(const SetBlock& c) const {
    if (auto s = height("y", c.pos.y); !s) return s;
    if (auto s = state(c.state); !s) return s;
    return known(chunk_of(c.pos), [&] { return fmt::format("block {}", text(c.pos)); });
  }
  Status operator()(const FillBox& c) const {
    if (!c.box.valid()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("box {} to {}: the first corner must not exceed the second on any axis", text(c.box.min),
                              text(c.box.max)));
    }
    if (auto s = height("box min y", c.box.min.y); !s) return s;
    if (auto s = height("box max y", c.box.max.y); !s) return s;
    if (c.box.exceeds(kFillVolumeMax)) {
      return fail(ErrorCode::out_of_range, fmt::format("box {} to {}: more than the {} blocks that are allowed",
                                                       text(c.box.min), text(c.box.max), kFillVolumeMax));
    }
    if (auto s = state(c.state); !s) return s;
    for (int x = floor_div16(c.box.min.x); x <= floor_div16(c.box.max.x); ++x) {
      for (int z = floor_div16(c.box.min.z); z <= floor_div16(c.box.max.z); ++z) {
        const auto what = [&] { return fmt::format("box {} to {}", text(c.box.min), text(c.box.max)); };
        if (auto s = known({x, z}, what); !s) return s;
      }
    }
    return ok_status();
  }
  Status operator()(const SetSection& c) const {
    const int low = floor_div16(heights_.min_y);
    const int high = floor_div16(heights_.max_y());
    if (c.pos.y < low || c.pos.y > high) {
      return fail(ErrorCode::out_of_range, fmt::format("section y = {}: the world has {} to {}", c.pos.y, low, high));
    }
    const std::string what = fmt::format("section ({}, {}, {})", c.pos.x, c.pos.y, c.pos.z);
    if (auto s = known({c.pos.x, c.pos.z}, [&] { return what; }); !s) return s;
    return c.section ? palette(*c.section, what) : ok_status();
  }
  Status operator()(const PutChunk& c) {
    if (auto s = check_chunk_pos(c.pos); !s) return s;
    if (!c.chunk) return fail(ErrorCode::invalid_argument, fmt::format("chunk {}: no content", text(c.pos)));
    if (c.chunk->min_y() != heights_.min_y || c.chunk->height() != heights_.height) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("chunk {}: min_y {} and height {}, the world has {} and {}", text(c.pos),
                              c.chunk->min_y(), c.chunk->height(), heights_.min_y, heights_.height));
    }
    for (int y = floor_div16(heights_.min_y); y <= floor_div16(heights_.max_y()); ++y) {
      const Section* section = c.chunk->section(y);
      if (section == nullptr) continue;
      if (auto s = palette(*section, fmt::format("chunk {}, section {}", text(c.pos), y)); !s) return s;
    }
    put_or_dropped_[c.pos] = true;
    return ok_status();
  }
  Status operator()(const DropChunk& c) {
    if (auto s = check_chunk_pos(c.pos); !s) return s;
    put_or_dropped_[c.pos] = false;
    return ok_status();
  }

 private:
  [[nodiscard]] Status height(const char* field, int y) const {
    if (heights_.contains(y)) return ok_status();
    return fail(ErrorCode::out_of_range,
                fmt::format("{} = {}: the world has {} to {}", field, y, heights_.min_y, heights_.max_y()));
  }
  [[nodiscard]] Status state(StateId id) const {
    if (id < states_.size()) return ok_status();
    return fail(ErrorCode::out_of_range,
                fmt::format("block state number {}: the world knows 0 to {}", id, states_.size() - 1));
  }
  /// Readers look names up by these numbers without a check, and an edit compares numbers only.
  [[nodiscard]] Status palette(const Section& section, const std::string& what) const {
    for (const PaletteEntry& entry : section.palette()) {
      if (auto s = state(entry.state); !s) return fail(s.error().code, fmt::format("{}: {}", what, s.error().message));
      if (states_.at(entry.state).traits == entry.traits) continue;
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: block state number {} ({}) has other traits than in this world", what, entry.state,
                              states_.at(entry.state).text));
    }
    return ok_status();
  }
  /// `what` names the change, for the error only: most edits have none.
  template <class What>
  [[nodiscard]] Status known(ChunkPos pos, const What& what) const {
    if (auto s = check_chunk_pos(pos); !s)
      return fail(s.error().code, fmt::format("{}: {}", what(), s.error().message));
    const auto earlier = put_or_dropped_.find(pos);
    const bool there = earlier != put_or_dropped_.end() ? earlier->second : chunks_.find(pos) != nullptr;
    if (there) return ok_status();
    return fail(ErrorCode::failed_precondition, fmt::format("{}: chunk {} is missing", what(), text(pos)));
  }

  const ChunkIndex& chunks_;
  const StateRegistry& states_;
  Heights heights_;
  boost::unordered_flat_map<ChunkPos, bool> put_or_dropped_;  // by an earlier change: put (true) or dropped (false)
};

}  // namespace

Status World::validate(Heights heights) {
  if (mod16(heights.min_y) != 0 || heights.min_y < kWorldMinYMin || heights.min_y > -kWorldMinYMin) {
    return fail(ErrorCode::out_of_range, fmt::format("min_y = {}: a multiple of 16 from {} to {} is allowed",
                                                     heights.min_y, kWorldMinYMin, -kWorldMinYMin));
  }
  if (mod16(heights.height) != 0 || heights.height <= 0 || heights.height > kWorldHeightMax) {
    return fail(ErrorCode::out_of_range,
                fmt::format("height = {}: a multiple of 16 from 16 to {} is allowed", heights.height, kWorldHeightMax));
  }
  return ok_status();
}

World::World(Heights heights) : World(heights, std::make_shared<StateRegistry>()) {}

World::World(Heights heights, std::shared_ptr<StateRegistry> states, std::uint64_t version)
    : heights_(heights),
      states_(std::move(states)),
      history_(make_ref<History>()),
      version_(version),
      current_(make_ref<const Snapshot>(heights, version, ChunkIndex(), states_)) {
  history_->publish(*current_.load(), {});
}

World::~World() { history_->close(chunks_.retire_everything()); }

Result<Commit> World::apply(std::span<const Change> changes) {
  Checker check(chunks_.index(), *states_, heights_);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (auto s = std::visit(check, changes[i]); !s) {
      return fail(s.error().code, fmt::format("change {}: {}", i, s.error().message));
    }
  }
  Commit commit;
  commit.version = version_ + 1;
  Ref<const Snapshot> next;
  chunks_.begin(commit.version);
  try {
    const Applier apply{chunks_, *states_, heights_, commit.touched};
    for (const Change& c : changes) std::visit(apply, c);
    std::sort(commit.touched.begin(), commit.touched.end());
    commit.touched.erase(std::unique(commit.touched.begin(), commit.touched.end()), commit.touched.end());
    next = make_ref<const Snapshot>(heights_, commit.version, chunks_.index(), states_);
  } catch (...) {  // memory ran out
    chunks_.rollback();
    throw;
  }
  history_->publish(*next, chunks_.commit());
  current_.store(next);
  version_ = commit.version;
  return commit;
}

}  // namespace voxpath::world
