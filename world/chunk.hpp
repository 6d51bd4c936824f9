// Chunk: one column of sections; a section that was never given is air. Immutable once it is part of a snapshot.
// Thread-safety: const members from any thread; mutable_section() only by a writer that holds the only reference.
// Invariant: sections cover [min_y, min_y + height), both multiples of 16.
#pragma once

#include "world/section.hpp"

#include <vector>

namespace voxpath::world {

class Chunk : public SharedCount {
 public:
  /// A column of air. Precondition: min_y and height are multiples of 16, height > 0.
  Chunk(int min_y, int height);

  [[nodiscard]] int min_y() const { return min_y_; }
  [[nodiscard]] int height() const { return static_cast<int>(sections_.size()) * kSectionSize; }

  /// The section with blocks 16 * section_y ..., or nullptr where it is all air or outside the column.
  [[nodiscard]] const Section* section(int section_y) const {
    const auto i = static_cast<unsigned>(section_y - floor_div16(min_y_));
    return i < sections_.size() ? sections_[i].get() : nullptr;
  }
  /// Outside the column: air.
  [[nodiscard]] const PaletteEntry& at(int x, int y, int z) const {
    const Section* s = section(floor_div16(y));
    return s ? s->at(Section::index(x, y, z)) : air_;
  }

  /// nullptr makes it air. Precondition: section_y lies in the column.
  void set_section(int section_y, Ref<Section> section);
  /// The section for writing: copied first when a snapshot shares it. Precondition: section_y lies in the column.
  Section& mutable_section(int section_y);
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static const PaletteEntry air_;
  int min_y_;
  std::vector<Ref<Section>> sections_;
};

}  // namespace voxpath::world
