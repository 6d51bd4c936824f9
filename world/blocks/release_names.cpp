#include "world/blocks/release_names.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

struct Release {
  std::int32_t data_version;
  std::string_view name;
};
constexpr std::array kReleases{
    Release{169, "1.9"},     Release{175, "1.9.1"},   Release{176, "1.9.2"},    Release{183, "1.9.3"},
    Release{184, "1.9.4"},   Release{510, "1.10"},    Release{511, "1.10.1"},   Release{512, "1.10.2"},
    Release{819, "1.11"},    Release{921, "1.11.1"},  Release{922, "1.11.2"},   Release{1139, "1.12"},
    Release{1241, "1.12.1"}, Release{1343, "1.12.2"}, Release{1519, "1.13"},    Release{1628, "1.13.1"},
    Release{1631, "1.13.2"}, Release{1952, "1.14"},   Release{1957, "1.14.1"},  Release{1963, "1.14.2"},
    Release{1968, "1.14.3"}, Release{1976, "1.14.4"}, Release{2225, "1.15"},    Release{2227, "1.15.1"},
    Release{2230, "1.15.2"}, Release{2566, "1.16"},   Release{2567, "1.16.1"},  Release{2578, "1.16.2"},
    Release{2580, "1.16.3"}, Release{2584, "1.16.4"}, Release{2586, "1.16.5"},  Release{2724, "1.17"},
    Release{2730, "1.17.1"}, Release{2860, "1.18"},   Release{2865, "1.18.1"},  Release{2975, "1.18.2"},
    Release{3105, "1.19"},   Release{3117, "1.19.1"}, Release{3120, "1.19.2"},  Release{3218, "1.19.3"},
    Release{3337, "1.19.4"}, Release{3463, "1.20"},   Release{3465, "1.20.1"},  Release{3578, "1.20.2"},
    Release{3698, "1.20.3"}, Release{3700, "1.20.4"}, Release{3837, "1.20.5"},  Release{3839, "1.20.6"},
    Release{3953, "1.21"},   Release{3955, "1.21.1"}, Release{4080, "1.21.2"},  Release{4082, "1.21.3"},
    Release{4189, "1.21.4"}, Release{4325, "1.21.5"}, Release{4435, "1.21.6"},  Release{4438, "1.21.7"},
    Release{4440, "1.21.8"}, Release{4554, "1.21.9"}, Release{4556, "1.21.10"}, Release{4671, "1.21.11"},
    Release{4786, "26.1"}};
static_assert(std::is_sorted(kReleases.begin(), kReleases.end(),
                             [](const Release& a, const Release& b) { return a.data_version < b.data_version; }));

}  // namespace

std::string release_name(std::int32_t data_version) {
  if (data_version <= 0) return "1.8 or older";
  const auto* const next = std::find_if(kReleases.begin(), kReleases.end(),
                                        [&](const Release& r) { return r.data_version >= data_version; });
  if (next == kReleases.end()) return fmt::format("after {}", kReleases.back().name);
  if (next->data_version == data_version) return std::string(next->name);
  if (next == kReleases.begin()) return fmt::format("1.8..{}", next->name);
  return fmt::format("{}..{}", std::prev(next)->name, next->name);
}

}  // namespace voxpath::world
