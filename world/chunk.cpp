#include "world/chunk.hpp"

#include <cassert>
#include <utility>

namespace voxpath::world {

const PaletteEntry Chunk::air_{};

Chunk::Chunk(int min_y, int height) : min_y_(min_y), sections_(static_cast<std::size_t>(height / kSectionSize)) {
  assert(mod16(min_y) == 0 && mod16(height) == 0 && height > 0);
}

void Chunk::set_section(int section_y, Ref<Section> section) {
  if (section && section->uniform() && section->at(0) == air_) section.reset();
  sections_[static_cast<std::size_t>(section_y - floor_div16(min_y_))] = std::move(section);
}

Section& Chunk::mutable_section(int section_y) {
  auto& slot = sections_[static_cast<std::size_t>(section_y - floor_div16(min_y_))];
  if (!slot) {
    slot = make_ref<Section>();
  } else if (!slot->unique()) {
    slot = make_ref<Section>(*slot);
  }
  return *slot;
}

std::size_t Chunk::memory_bytes() const {
  std::size_t bytes = sizeof(Chunk) + sections_.capacity() * sizeof(Ref<Section>);
  for (const auto& s : sections_) bytes += s ? s->memory_bytes() : 0;
  return bytes;
}

}  // namespace voxpath::world
