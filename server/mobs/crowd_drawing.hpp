// CrowdDrawing: mobs and players on a piece of ground seen from above, as letters.
// Thread-safety: plain value.
// Invariant: a player is never hidden by mobs.
// Usage: CrowdDrawing d(area, 80, 30, heights); puts(d.frame(mobs, players).c_str());
#pragma once

#include "protocol/clients/cpp/mob/point.hpp"
#include "server/mobs/crowd.hpp"

#include <optional>
#include <string>
#include <vector>

namespace voxpath::server {

class CrowdDrawing {
 public:
  /// At most so many letters; each stands for as many columns as it takes.
  CrowdDrawing(const Area& area, int columns_max, int rows_max);
  /// The column in the middle of each letter, row by row: whose heights shade() wants.
  [[nodiscard]] std::vector<Column> middles() const;
  /// The ground: higher pieces are drawn denser.
  void shade(const std::vector<std::optional<mob::Point>>& heights);
  /// Rows, each ended: P a player, z a mob, 2 to 9 as many, * more.
  [[nodiscard]] std::string frame(const std::vector<mob::Point>& mobs, const std::vector<mob::Point>& players) const;

 private:
  [[nodiscard]] std::optional<std::size_t> letter_of(mob::Point p) const;

  Area area_;
  std::int32_t per_letter_x_, per_letter_z_;
  std::size_t columns_, rows_;
  std::string ground_;
};

}  // namespace voxpath::server
