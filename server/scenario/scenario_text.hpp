// The words and numbers of a scenario file's lines, and its expectations.
// Thread-safety: pure functions.
// Invariants: views point into the text that was given; a number that has anything after it is no number.
#pragma once

#include "server/scenario/scenario_file.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace voxpath::server {

[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The words between blanks.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);
/// The parts between separators, empty ones too.
[[nodiscard]] std::vector<std::string_view> parts(std::string_view text, char separator);
/// What stands before and after the first separator; all and nothing when there is none.
[[nodiscard]] std::pair<std::string_view, std::string_view> split(std::string_view text, char separator);

[[nodiscard]] std::optional<int> whole(std::string_view text);
/// nan and inf too.
[[nodiscard]] std::optional<double> real(std::string_view text);
/// "1,2,3"
[[nodiscard]] std::optional<world::BlockPos> cell(std::string_view text);

/// What stands behind "expect:"; errors without a line number.
[[nodiscard]] world::Result<ScenarioExpectation> read_expectation(std::string_view text);

}  // namespace voxpath::server
