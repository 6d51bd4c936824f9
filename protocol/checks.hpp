// Checks that the validators are made of: one field each, with the refusal's words.
// Thread-safety: pure functions.
// Usage: if (auto refused = check_text("open_world.world", request.world(), kWorldNameMaxBytes)) return refused;
#pragma once

#include "protocol/errors.hpp"
#include "protocol/limits.hpp"
#include "protocol/voxpath.pb.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace voxpath::protocol {

using Verdict = std::optional<Failure>;

inline Failure missing(std::string_view field) {
  return {ErrorKind::field_missing, fmt::format("{} is missing", field), std::string(field), "nothing", "set"};
}

inline Failure invalid(std::string_view field, std::string_view value, std::string_view allowed) {
  return {ErrorKind::field_invalid, fmt::format("{} is '{}', but must be {}", field, value, allowed),
          std::string(field), std::string(value), std::string(allowed)};
}

inline Failure out_of_range(std::string_view field, std::string_view value, std::string_view allowed) {
  return {ErrorKind::field_out_of_range, fmt::format("{} is {}, the limit is {}", field, value, allowed),
          std::string(field), std::string(value), std::string(allowed)};
}

/// Integers from low to high.
inline Verdict check_range(std::string_view field, std::int64_t value, std::int64_t low, std::int64_t high,
                           std::string_view unit = "") {
  if (value >= low && value <= high) return std::nullopt;
  return out_of_range(field, fmt::format("{}", value),
                      fmt::format("{}..{}{}{}", low, high, unit.empty() ? "" : " ", unit));
}

/// How many entries a repeated field has.
inline Verdict check_count(std::string_view field, std::size_t count, std::size_t max) {
  if (count <= max) return std::nullopt;
  return out_of_range(field, fmt::format("{} entries long", count), fmt::format("{} entries", max));
}

/// Finite numbers from low to high.
inline Verdict check_number(std::string_view field, double value, double low, double high, std::string_view unit) {
  if (!std::isfinite(value)) return invalid(field, fmt::format("{}", value), "a finite number");
  if (value >= low && value <= high) return std::nullopt;
  return out_of_range(field, fmt::format("{}", value), fmt::format("{}..{} {}", low, high, unit));
}

/// Text of at most `bytes_max`; empty only where allowed.
inline Verdict check_text(std::string_view field, std::string_view text, std::size_t bytes_max,
                          bool may_be_empty = false) {
  if (text.empty() && !may_be_empty) return missing(field);
  if (text.size() <= bytes_max) return std::nullopt;
  return out_of_range(field, fmt::format("{} bytes long", text.size()), fmt::format("{} bytes", bytes_max));
}

/// Names that may stand in paths, logs and metrics: letters, digits, and . _ - not first.
inline Verdict check_name(std::string_view field, std::string_view name, std::size_t bytes_max,
                          bool may_be_empty = false) {
  if (auto refused = check_text(field, name, bytes_max, may_be_empty)) return refused;
  bool first = true;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool mark = c == '.' || c == '_' || c == '-' || c == ':';
    if (!plain && (first || !mark))
      return invalid(field, printable(name), "letters and digits, and after the first also . _ - :");
    first = false;
  }
  return std::nullopt;
}

/// Enumerations are open on the wire: a value that this version does not name is refused.
inline Verdict check_enum(std::string_view field, int value, bool known) {
  if (known) return std::nullopt;
  return invalid(field, fmt::format("{}", value), "a value that voxpath.proto names");
}

inline Verdict check_position(const std::string& field, bool present, const v1::Position& p) {
  if (!present) return missing(field);
  constexpr double kMax = kCoordinateMaxBlocks;
  if (auto refused = check_number(field + ".x", p.x(), -kMax, kMax, "blocks")) return refused;
  if (auto refused = check_number(field + ".y", p.y(), -kMax, kMax, "blocks")) return refused;
  return check_number(field + ".z", p.z(), -kMax, kMax, "blocks");
}

inline bool is_block(const v1::BlockPos& p) {
  const auto fits = [](std::int32_t v) { return v >= -kCoordinateMaxBlocks && v <= kCoordinateMaxBlocks; };
  return fits(p.x()) && fits(p.y()) && fits(p.z());
}

inline Verdict check_block(const std::string& field, bool present, const v1::BlockPos& p) {
  if (!present) return missing(field);
  if (is_block(p)) return std::nullopt;  // the words below are costly to make, and there may be thousands of blocks
  if (auto refused = check_range(field + ".x", p.x(), -kCoordinateMaxBlocks, kCoordinateMaxBlocks, "blocks"))
    return refused;
  if (auto refused = check_range(field + ".y", p.y(), -kCoordinateMaxBlocks, kCoordinateMaxBlocks, "blocks"))
    return refused;
  return check_range(field + ".z", p.z(), -kCoordinateMaxBlocks, kCoordinateMaxBlocks, "blocks");
}

/// Precondition: both corners passed check_block().
inline double volume(const v1::Box& box) {
  const auto side = [](std::int32_t low, std::int32_t high) { return static_cast<double>(high) - low + 1; };
  return side(box.min().x(), box.max().x()) * side(box.min().y(), box.max().y()) * side(box.min().z(), box.max().z());
}

inline Verdict check_box(const std::string& field, const v1::Box& box, std::int64_t volume_max_blocks) {
  if (auto refused = check_block(field + ".min", box.has_min(), box.min())) return refused;
  if (auto refused = check_block(field + ".max", box.has_max(), box.max())) return refused;
  const auto ordered = [&](const char* axis, std::int32_t low, std::int32_t high) -> Verdict {
    if (low <= high) return std::nullopt;
    return invalid(fmt::format("{}.min.{}", field, axis), fmt::format("{}", low),
                   fmt::format("at most max.{} = {}", axis, high));
  };
  if (auto refused = ordered("x", box.min().x(), box.max().x())) return refused;
  if (auto refused = ordered("y", box.min().y(), box.max().y())) return refused;
  if (auto refused = ordered("z", box.min().z(), box.max().z())) return refused;
  if (volume(box) > static_cast<double>(volume_max_blocks)) {
    return out_of_range(field, fmt::format("{} blocks large", volume(box)),
                        fmt::format("{} blocks", volume_max_blocks));
  }
  return std::nullopt;
}

}  // namespace voxpath::protocol
