#include "server/scenario/canvas.hpp"

#include "server/scenario/scenario_file.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {
namespace {

using world::Box;
using world::ChunkPos;
using world::floor_div16;
using world::kSectionSize;

constexpr std::size_t kChunksMax = 4096;  // of one scenario, with the margin

bool within(int v) { return v >= -kScenarioCoordinateMax && v <= kScenarioCoordinateMax; }

}  // namespace

Canvas::Canvas(world::Heights heights, Outside outside)
    : outside_(outside), world_(std::make_unique<world::World>(heights)) {}

std::optional<std::string> Canvas::add(const Stroke& stroke) {
  const Box& b = stroke.box;
  if (!b.valid())
    return fmt::format("the box is empty: x {}..{}, y {}..{}, z {}..{}", b.min.x, b.max.x, b.min.y, b.max.y, b.min.z,
                       b.max.z);
  if (!within(b.min.x) || !within(b.max.x) || !within(b.min.z) || !within(b.max.z)) {
    return fmt::format("x and z of drawn cells must be within +-{}", kScenarioCoordinateMax);
  }
  const world::Heights heights = world_->heights();
  if (!heights.contains(b.min.y) || !heights.contains(b.max.y)) {
    return fmt::format("y {}..{} is outside the world's {}..{}", b.min.y, b.max.y, heights.min_y, heights.max_y());
  }
  cells_ += b.volume();
  if (cells_ > kScenarioCellsMax) return fmt::format("more than {} cells are drawn and filled", kScenarioCellsMax);
  strokes_.push_back(stroke);
  return std::nullopt;
}

std::optional<std::string> Canvas::fill(const Box& box, world::StateId state) {
  return add({.box = box, .state = state});
}

std::optional<std::string> Canvas::draw(world::BlockPos pos, world::StateId state) {
  if (!drawn_x_) drawn_x_ = {pos.x, pos.x};
  drawn_x_ = {std::min(drawn_x_->first, pos.x), std::max(drawn_x_->second, pos.x)};
  return fill({.min = pos, .max = pos}, state);
}

std::optional<std::string> Canvas::wall(int z, int y_first, int y_last, world::StateId state) {
  return add({.box = {.min = {0, y_first, z}, .max = {0, y_last, z}}, .state = state, .over_drawn_x = true});
}

world::Ref<world::Chunk> Canvas::paint(ChunkPos pos, const std::vector<Stroke>& strokes,
                                       world::StateId background) const {
  const world::Heights heights = world_->heights();
  const auto entry = [this](world::StateId state) {
    return world::PaletteEntry{.state = state, .traits = world_->states().at(state).traits};
  };
  auto chunk = world::make_ref<world::Chunk>(heights.min_y, heights.height);
  const int sections = heights.height / kSectionSize;
  std::vector<world::Ref<world::Section>> painted(static_cast<std::size_t>(sections));
  if (background != world::kAirState) {
    for (auto& section : painted) section = world::make_ref<world::Section>(entry(background));
  }
  for (const Stroke& stroke : strokes) {
    const Box& b = stroke.box;
    for (int y = b.min.y; y <= b.max.y; ++y) {
      auto& section = painted[static_cast<std::size_t>((y - heights.min_y) / kSectionSize)];
      if (!section) section = world::make_ref<world::Section>();
      for (int z = std::max(b.min.z, pos.z * kSectionSize); z <= std::min(b.max.z, pos.z * kSectionSize + 15); ++z) {
        for (int x = std::max(b.min.x, pos.x * kSectionSize); x <= std::min(b.max.x, pos.x * kSectionSize + 15); ++x) {
          section->set(world::Section::index(x, y, z), entry(stroke.state));
        }
      }
    }
  }
  for (int i = 0; i < sections; ++i) {
    chunk->set_section(floor_div16(heights.min_y) + i, std::move(painted[static_cast<std::size_t>(i)]));
  }
  return chunk;
}

world::Result<std::unique_ptr<world::World>> Canvas::finish(world::StateId stone) {
  std::map<ChunkPos, std::vector<Stroke>> by_chunk;
  for (Stroke stroke : strokes_) {
    if (stroke.over_drawn_x) {
      if (!drawn_x_) continue;
      std::tie(stroke.box.min.x, stroke.box.max.x) = *drawn_x_;
    }
    for (int cx = floor_div16(stroke.box.min.x); cx <= floor_div16(stroke.box.max.x); ++cx) {
      for (int cz = floor_div16(stroke.box.min.z); cz <= floor_div16(stroke.box.max.z); ++cz) {
        by_chunk[{cx, cz}].push_back(stroke);
      }
    }
  }
  std::set<ChunkPos> known;
  const int margin = outside_ == Outside::missing ? 0 : kScenarioMarginChunks;
  for (const auto& [pos, strokes] : by_chunk) {
    for (int dx = -margin; dx <= margin; ++dx) {
      for (int dz = -margin; dz <= margin; ++dz) known.insert({pos.x + dx, pos.z + dz});
    }
  }
  for (const ChunkPos pos : missing_) known.erase(pos);
  if (known.size() > kChunksMax) {
    return world::Error{world::ErrorCode::resource_exhausted,
                        fmt::format("the drawing covers {} chunks; at most {} are allowed", known.size(), kChunksMax)};
  }
  std::vector<world::Change> changes;
  changes.reserve(known.size());
  const world::StateId background = outside_ == Outside::stone ? stone : world::kAirState;
  for (const ChunkPos pos : known) {
    changes.emplace_back(world::PutChunk{.pos = pos, .chunk = paint(pos, by_chunk[pos], background)});
  }
  if (const auto commit = world_->apply(changes); !commit) return commit.error();
  return std::move(world_);
}

}  // namespace voxpath::server
