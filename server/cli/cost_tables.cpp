#include "server/cli/cost_tables.hpp"

#include "pathfinding/basic_search.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

using pathfinding::MetNode;
using Place = std::pair<int, int>;  // x, z

constexpr int kMargin = 2;  // cells around the path

struct Layer {
  std::map<Place, MetNode> met;
  std::set<Place> path;
};

struct Window {
  int x0, z0, x1, z1;
  bool clipped = false;
};

/// Around the path's cells on the layer, or around what was met where the path has none there.
Window window_of(const Layer& layer) {
  Window w{INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
  const auto take = [&](Place p) {
    w.x0 = std::min(w.x0, p.first);
    w.x1 = std::max(w.x1, p.first);
    w.z0 = std::min(w.z0, p.second);
    w.z1 = std::max(w.z1, p.second);
  };
  for (const Place& p : layer.path) take(p);
  if (layer.path.empty()) {
    for (const auto& [p, node] : layer.met) take(p);
  }
  w.x0 -= kMargin, w.z0 -= kMargin, w.x1 += kMargin, w.z1 += kMargin;
  w.clipped = w.x1 - w.x0 >= kCostTableSideMax || w.z1 - w.z0 >= kCostTableSideMax;
  w.x1 = std::min(w.x1, w.x0 + kCostTableSideMax - 1);
  w.z1 = std::min(w.z1, w.z0 + kCostTableSideMax - 1);
  return w;
}

std::string table(const char* title, const Layer& layer, const Window& w, std::int64_t (*value)(const MetNode&)) {
  std::size_t width = 1;
  for (const auto& [p, node] : layer.met) width = std::max(width, fmt::formatted_size("{}", value(node)));
  std::string text = fmt::format("{}\n{:>8}", title, "z \\ x");
  for (int x = w.x0; x <= w.x1; ++x) text += fmt::format(" {:>{}} ", x, std::max<std::size_t>(width, 3));
  text += '\n';
  for (int z = w.z0; z <= w.z1; ++z) {
    text += fmt::format("{:>8}", z);
    for (int x = w.x0; x <= w.x1; ++x) {
      const auto found = layer.met.find({x, z});
      const bool met = found != layer.met.end();
      const char mark = layer.path.contains({x, z}) ? '*' : met && !found->second.expanded ? '?' : ' ';
      text += fmt::format(" {:>{}}{}", met ? fmt::format("{}", value(found->second)) : ".",
                          std::max<std::size_t>(width, 3), mark);
    }
    text += '\n';
  }
  return text + '\n';
}

}  // namespace

world::Result<std::string> cost_tables(world::Ref<const world::Snapshot> snapshot, const pathfinding::Query& query,
                                       const pathfinding::Limits& limits, std::optional<int> layer) {
  pathfinding::Query whole = query;
  whole.simplify = pathfinding::Simplify::none;
  pathfinding::BasicSearch<pathfinding::BoxPricing> search;
  if (auto s = search.begin(std::move(snapshot), whole, limits, pathfinding::BoxPricing{query.priced_boxes}); !s)
    return s.error();
  while (!search.advance(limits.expansions)) {
  }
  const std::vector<MetNode> met = search.met();
  const pathfinding::Answer answer = search.answer();
  if (answer.path.empty()) return std::string();
  const int y = layer.value_or(answer.path.front().cell.y);
  Layer shown;
  for (const MetNode& node : met) {
    if (node.cell.y == y) shown.met[{node.cell.x, node.cell.z}] = node;
  }
  for (const pathfinding::Waypoint& w : answer.path) {
    if (w.cell.y == y) shown.path.insert({w.cell.x, w.cell.z});
  }
  if (shown.met.empty()) {
    return world::Error{world::ErrorCode::invalid_argument,
                        fmt::format("--layer = {}: the search met nothing there; the path begins at y = {}", y,
                                    answer.path.front().cell.y)};
  }
  const Window w = window_of(shown);
  std::string text = fmt::format(
      "Costs at y = {}, {} of {} cells that the search met; 10 is a block of level walking.\n"
      "* on the path   ? met, not looked at   . not met{}\n\n",
      y, shown.met.size(), met.size(), w.clipped ? "   (a part: the layer is larger)" : "");
  text += table("estimated, to the goal", shown, w, [](const MetNode& n) { return n.estimated; });
  text += table("actual, from the start", shown, w, [](const MetNode& n) { return n.actual; });
  text += table("total", shown, w, [](const MetNode& n) { return n.estimated + n.actual; });
  return text;
}

}  // namespace voxpath::server
