#include "server/lab/grid_search.hpp"

#include "pathfinding/keyed_heap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace voxpath::server::lab {

namespace {

constexpr std::array<Cell, 8> kEight = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};
constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct Open {
  double f, h;
  std::uint32_t key;  // the cell's number
  /// Of equal totals the one nearer to the goal by estimate, then the one with the lower number: a total order.
  friend bool operator<(const Open& a, const Open& b) {
    if (a.f != b.f) return a.f < b.f;
    if (a.h != b.h) return a.h < b.h;
    return a.key < b.key;
  }
};

/// An open list puts fresh entries, lowers those that it has, and takes the least.
class UnsortedList {
 public:
  explicit UnsortedList(std::size_t) {}
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  void put(const Open& entry, bool fresh) {
    if (!fresh) std::erase_if(entries_, [&](const Open& e) { return e.key == entry.key; });
    entries_.push_back(entry);
  }
  Open take() {
    const auto least = std::min_element(entries_.begin(), entries_.end());
    const Open entry = *least;
    entries_.erase(least);
    return entry;
  }

 private:
  std::vector<Open> entries_;
};

class HeapSortedList {
 public:
  explicit HeapSortedList(std::size_t) {}
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  void put(const Open& entry, bool fresh) {
    if (!fresh) std::erase_if(entries_, [&](const Open& e) { return e.key == entry.key; });
    entries_.push_back(entry);
  }
  Open take() {
    const auto later = [](const Open& a, const Open& b) { return b < a; };
    std::make_heap(entries_.begin(), entries_.end(), later);
    std::sort_heap(entries_.begin(), entries_.end(), later);  // the least at the end
    const Open entry = entries_.back();
    entries_.pop_back();
    return entry;
  }

 private:
  std::vector<Open> entries_;
};

class KeyedHeapList {
 public:
  explicit KeyedHeapList(std::size_t) {}
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  void put(const Open& entry, bool) { heap_.put(entry); }
  Open take() { return heap_.take(); }

 private:
  pathfinding::KeyedHeap<Open> heap_;
};

double manhattan(Cell a, Cell b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }
double chebyshev(Cell a, Cell b) { return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)); }
double nothing(Cell, Cell) { return 0; }

template <class OpenList>
GridPath run(const Grid& grid, double (*estimate)(Cell, Cell)) {
  const auto size = static_cast<std::uint32_t>(grid.size());
  const std::size_t cells = static_cast<std::size_t>(size) * size;
  const auto cell_at = [&](std::uint32_t i) { return Cell{static_cast<int>(i % size), static_cast<int>(i / size)}; };
  const auto number = [&](Cell c) { return static_cast<std::uint32_t>(grid.index(c)); };
  std::vector<double> cost(cells, std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> parent(cells, kNone);
  std::vector<bool> closed(cells, false);
  OpenList open(cells);
  GridPath path;
  const auto meet = [&](Cell c, double g, std::uint32_t from) {
    const std::uint32_t i = number(c);
    if (closed[i] || g >= cost[i]) return;
    const bool fresh = std::isinf(cost[i]);
    cost[i] = g;
    parent[i] = from;
    const double h = estimate(c, grid.goal());
    open.put({g + h, h, i}, fresh);
  };
  meet(grid.start(), 0, kNone);
  while (!open.empty()) {
    const std::uint32_t i = open.take().key;
    closed[i] = true;
    ++path.visited;
    const Cell c = cell_at(i);
    if (c == grid.goal()) break;
    for (const Cell s : kEight) {
      const Cell to = c + s;
      if (!grid.free(to) || !grid.free({c.x + s.x, c.y}) || !grid.free({c.x, c.y + s.y})) continue;
      meet(to, cost[i] + (s.x != 0 && s.y != 0 ? std::numbers::sqrt2 : 1.0), i);
    }
  }
  if (!closed[number(grid.goal())]) return path;
  for (std::uint32_t i = number(grid.goal()); i != kNone; i = parent[i]) path.cells.push_back(cell_at(i));
  std::reverse(path.cells.begin(), path.cells.end());
  return path;
}

}  // namespace

Grid::Grid(int size, int percent, RandomStream& random)
    : size_(size), blocked_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {
  for (std::size_t i = 0; i < blocked_.size(); ++i) blocked_[i] = random.next() * 100 < percent;
  blocked_[index(start())] = blocked_[index(goal())] = false;
}

Grid Grid::connected(int size, int percent, RandomStream& random) {
  while (true) {
    Grid grid(size, percent, random);
    if (!search_grid(grid, GridVariant::chebyshev_heap).cells.empty()) return grid;
  }
}

std::string_view name(GridVariant variant) {
  switch (variant) {
    case GridVariant::manhattan_list:
      return "Manhattan, list";
    case GridVariant::manhattan_heap_sort:
      return "Manhattan, heap sort";
    case GridVariant::chebyshev_list:
      return "Chebyshev, list";
    case GridVariant::chebyshev_heap:
      return "Chebyshev, heap";
    case GridVariant::dijkstra:
      return "Dijkstra";
  }
  return "?";
}

double GridPath::cost() const {
  double sum = 0;
  for (std::size_t i = 1; i < cells.size(); ++i)
    sum += cells[i].x != cells[i - 1].x && cells[i].y != cells[i - 1].y ? std::numbers::sqrt2 : 1.0;
  return sum;
}

int GridPath::turns() const {
  int count = 0;
  for (std::size_t i = 2; i < cells.size(); ++i) {
    count += cells[i].x - cells[i - 1].x != cells[i - 1].x - cells[i - 2].x ||
             cells[i].y - cells[i - 1].y != cells[i - 1].y - cells[i - 2].y;
  }
  return count;
}

GridPath search_grid(const Grid& grid, GridVariant variant) {
  switch (variant) {
    case GridVariant::manhattan_list:
      return run<UnsortedList>(grid, manhattan);
    case GridVariant::manhattan_heap_sort:
      return run<HeapSortedList>(grid, manhattan);
    case GridVariant::chebyshev_list:
      return run<UnsortedList>(grid, chebyshev);
    case GridVariant::chebyshev_heap:
      return run<KeyedHeapList>(grid, chebyshev);
    case GridVariant::dijkstra:
      break;
  }
  return run<KeyedHeapList>(grid, nothing);
}

}  // namespace voxpath::server::lab
