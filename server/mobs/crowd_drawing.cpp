#include "server/mobs/crowd_drawing.hpp"

#include <algorithm>

namespace voxpath::server {

namespace {

constexpr std::string_view kShades = " .:-";  // from low to high
constexpr char kMissing = '?';

std::int32_t letters(std::int64_t side, int most) { return static_cast<std::int32_t>((side + most - 1) / most); }

}  // namespace

CrowdDrawing::CrowdDrawing(const Area& area, int columns_max, int rows_max)
    : area_(area),
      per_letter_x_(letters(area.width(), columns_max)),
      per_letter_z_(letters(area.depth(), rows_max)),
      columns_(static_cast<std::size_t>((area.width() + per_letter_x_ - 1) / per_letter_x_)),
      rows_(static_cast<std::size_t>((area.depth() + per_letter_z_ - 1) / per_letter_z_)),
      ground_(columns_ * rows_, ' ') {}

std::vector<Column> CrowdDrawing::middles() const {
  std::vector<Column> all;
  for (std::size_t row = 0; row < rows_; ++row) {
    for (std::size_t column = 0; column < columns_; ++column) {
      all.push_back(
          {std::min(area_.x1, area_.x0 + static_cast<std::int32_t>(column) * per_letter_x_ + per_letter_x_ / 2),
           std::min(area_.z1, area_.z0 + static_cast<std::int32_t>(row) * per_letter_z_ + per_letter_z_ / 2)});
    }
  }
  return all;
}

void CrowdDrawing::shade(const std::vector<std::optional<mob::Point>>& heights) {
  std::vector<double> known;
  for (const auto& h : heights) {
    if (h) known.push_back(h->y);
  }
  std::sort(known.begin(), known.end());
  for (std::size_t i = 0; i < ground_.size() && i < heights.size(); ++i) {
    if (!heights[i]) {
      ground_[i] = kMissing;
      continue;
    }
    const auto below =
        static_cast<std::size_t>(std::lower_bound(known.begin(), known.end(), heights[i]->y) - known.begin());
    ground_[i] = kShades[std::min(kShades.size() - 1, below * kShades.size() / known.size())];
  }
}

std::optional<std::size_t> CrowdDrawing::letter_of(mob::Point p) const {
  const mob::Cell c = mob::cell_of(p);
  if (c.x < area_.x0 || c.x > area_.x1 || c.z < area_.z0 || c.z > area_.z1) return std::nullopt;
  return static_cast<std::size_t>((c.z - area_.z0) / per_letter_z_) * columns_ +
         static_cast<std::size_t>((c.x - area_.x0) / per_letter_x_);
}

std::string CrowdDrawing::frame(const std::vector<mob::Point>& mobs, const std::vector<mob::Point>& players) const {
  std::vector<std::size_t> count(ground_.size(), 0);
  for (const mob::Point p : mobs) {
    if (const auto letter = letter_of(p)) ++count[*letter];
  }
  std::string text = ground_;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (count[i] == 1) text[i] = 'z';
    if (count[i] > 1) text[i] = count[i] > 9 ? '*' : static_cast<char>('0' + count[i]);
  }
  for (const mob::Point p : players) {
    if (const auto letter = letter_of(p)) text[*letter] = 'P';
  }
  std::string lines;
  for (std::size_t row = 0; row < rows_; ++row) lines += text.substr(row * columns_, columns_) + "\n";
  return lines;
}

}  // namespace voxpath::server
