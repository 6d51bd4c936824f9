#include "server/mobs/crowd.hpp"

#include "server/server_error.hpp"

#include <condition_variable>
#include <mutex>

#include <fmt/format.h>

namespace voxpath::server {

using mob::Point;
using world::Error;
using world::ErrorCode;

namespace {

constexpr int kDrawsMax = 32;     // how often a column is drawn anew before there is taken to be no ground
constexpr std::size_t kLegs = 6;  // of a player's route
constexpr std::size_t kEditPlacesMax = 4'096;
constexpr std::size_t kSurfacesAtOnce = 4'096;
constexpr double kLegMaxBlocks = 60;  // along x and z: players keep to their quarter

Column draw(const Area& area, mob::Random& random) {
  const auto x = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(area.width())));
  const auto z = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(area.depth())));
  return {area.x0 + x, area.z0 + z};
}

/// Places on the ground, each from a stream of its own, so that one more changes none of the others.
world::Result<std::vector<Point>> places(client::BlockingClient& client, const v1::WorldInfo& world, const Area& area,
                                         std::size_t count, std::uint64_t seed) {
  std::vector<mob::Random> streams;
  for (std::size_t i = 0; i < count; ++i) streams.emplace_back(seed * 0x1000003 + i);
  std::vector<Point> found(count);
  std::vector<std::size_t> open(count);
  for (std::size_t i = 0; i < count; ++i) open[i] = i;
  for (int round = 0; round < kDrawsMax && !open.empty(); ++round) {
    std::vector<Column> columns;
    columns.reserve(open.size());
    for (const std::size_t i : open) columns.push_back(draw(area, streams[i]));
    const auto below = surfaces(client, world, columns);
    if (!below) return below.error();
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < open.size(); ++k) {
      if ((*below)[k]) {
        found[open[k]] = *(*below)[k];
      } else {
        left.push_back(open[k]);
      }
    }
    open = std::move(left);
  }
  if (open.empty()) return found;
  return Error{ErrorCode::not_found,
               fmt::format("there is no ground to be found in columns {},{} to {},{}; --area takes others", area.x0,
                           area.z0, area.x1, area.z1)};
}

Area around(Point p, const Area& area) {
  const mob::Cell c = mob::cell_of(p);
  constexpr auto far = static_cast<std::int32_t>(kLegMaxBlocks);
  return {std::max(area.x0, c.x - far), std::max(area.z0, c.z - far), std::min(area.x1, c.x + far),
          std::min(area.z1, c.z + far)};
}

world::Result<std::optional<std::vector<Point>>> leg(client::BlockingClient& client, const std::string& world,
                                                     const std::string& agent, Point from, Point to) {
  v1::FindPath question;
  question.set_world(world);
  question.mutable_agent()->set_profile(agent);
  mob::write(from, question.mutable_start()->mutable_position());
  mob::write(to, question.mutable_goal()->mutable_position());
  const auto answer = client.find_path(std::move(question));
  if (!answer) return server_error("the server", answer.error());
  if (answer->status() != v1::PathAnswer::FOUND) return std::optional<std::vector<Point>>();
  std::vector<Point> points;
  for (const v1::Waypoint& w : answer->waypoints()) points.push_back(mob::point_of(w.position()));
  return std::optional(std::move(points));
}

/// From the start over some drawn places and back.
world::Result<std::vector<Point>> round_trip(client::BlockingClient& client, const v1::WorldInfo& world,
                                             const LoadOptions& options, std::uint64_t seed) {
  for (std::uint64_t attempt = 0; attempt < kDrawsMax; ++attempt) {
    const auto start = places(client, world, options.area, 1, seed + attempt * 7919);
    if (!start) return start.error();
    std::vector<Point> route{start->front()};
    for (std::size_t n = 1; n <= kLegs; ++n) {
      for (std::uint64_t again = 0; again < 4; ++again) {
        const auto stop = n == kLegs ? start
                                     : places(client, world, around(start->front(), options.area), 1,
                                              seed + 31 * n + 977 * again + attempt);
        if (!stop) return stop.error();
        const auto points = leg(client, world.world(), options.agent, route.back(), stop->front());
        if (!points) return points.error();
        if (!*points) continue;
        route.insert(route.end(), (*points)->begin(), (*points)->end());
        break;
      }
    }
    const bool closed = mob::flat_distance(route.front(), route.back()) < 2;
    if (closed && WalkedRoute(route).length() > 1) return route;
  }
  return Error{ErrorCode::not_found,
               fmt::format("no round trip for a {} was found in columns {},{} to {},{}; --area takes others",
                           options.agent, options.area.x0, options.area.z0, options.area.x1, options.area.z1)};
}

/// FNV-1a, over the places as whole px.
void mix(std::uint64_t& hash, Point p) {
  for (const double v : {p.x, p.y, p.z}) {
    auto bits = static_cast<std::uint64_t>(std::llround(v * 16));
    for (int i = 0; i < 8; ++i, bits >>= 8) hash = (hash ^ (bits & 0xFF)) * 0x100000001B3ULL;
  }
}

}  // namespace

WalkedRoute::WalkedRoute(std::vector<Point> points) : points_(std::move(points)) {
  until_.push_back(0);
  for (std::size_t i = 1; i < points_.size(); ++i)
    until_.push_back(until_.back() + mob::distance(points_[i - 1], points_[i]));
}

Point WalkedRoute::at(double blocks) const {
  if (length() <= 0) return points_.front();
  blocks = std::fmod(blocks, length());
  const auto next = static_cast<std::size_t>(std::upper_bound(until_.begin(), until_.end(), blocks) - until_.begin());
  if (next >= points_.size()) return points_.back();
  const double part = (blocks - until_[next - 1]) / (until_[next] - until_[next - 1]);
  return points_[next - 1] + (points_[next] - points_[next - 1]) * part;
}

world::Result<std::vector<std::optional<Point>>> surfaces(client::BlockingClient& client, const v1::WorldInfo& world,
                                                          const std::vector<Column>& columns) {
  std::vector<std::optional<Point>> all(columns.size());
  std::optional<v1::Error> failed;
  std::mutex mutex;
  std::condition_variable changed;
  for (std::size_t first = 0; first < columns.size() && !failed; first += kSurfacesAtOnce) {
    const std::size_t end = std::min(columns.size(), first + kSurfacesAtOnce);
    std::size_t open = end - first;
    for (std::size_t i = first; i < end; ++i) {
      v1::SurfaceBelow request;
      request.set_world(world.world());
      mob::write(Point{columns[i].x + 0.5, static_cast<double>(world.min_y()) + world.height(), columns[i].z + 0.5},
                 request.mutable_from());
      client.async().surface_below(std::move(request), [&, i](client::Reply<v1::SurfaceAnswer> reply) {
        const std::lock_guard lock(mutex);
        if (!reply) {
          failed = reply.error();
        } else if (reply->result() == v1::SurfaceAnswer::SURFACE) {
          all[i] = Point{columns[i].x + 0.5, reply->floor_px() / 16.0, columns[i].z + 0.5};
        }
        if (--open == 0) changed.notify_one();
      });
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return open == 0; });
  }
  if (failed) return server_error("the server", *failed);
  return all;
}

world::Result<Crowd> make_crowd(client::BlockingClient& client, const v1::WorldInfo& world,
                                const LoadOptions& options) {
  Crowd crowd;
  const auto seed = static_cast<std::uint64_t>(options.seed);
  auto mobs = places(client, world, options.area, static_cast<std::size_t>(options.mobs), seed * 4 + 1);
  if (!mobs) return mobs.error();
  crowd.mobs = *std::move(mobs);
  for (std::int64_t i = 0; i < options.players; ++i) {
    auto route = round_trip(client, world, options, (seed * 4 + 2) * 100'003 + static_cast<std::uint64_t>(i));
    if (!route) return route.error();
    crowd.players.emplace_back(*std::move(route));
  }
  if (options.edits_per_second > 0) {
    const auto ground = places(client, world, options.area, kEditPlacesMax, seed * 4 + 3);
    if (!ground) return ground.error();
    for (const Point p : *ground) {
      // On the cell in which a mob would stand; on a slab that is the slab's own, which is left alone.
      if (p.y == std::floor(p.y) && p.y < world.min_y() + static_cast<double>(world.height()))
        crowd.edits.push_back(mob::cell_of(p));
    }
    std::sort(crowd.edits.begin(), crowd.edits.end(),
              [](const mob::Cell& a, const mob::Cell& b) { return std::tie(a.x, a.z) < std::tie(b.x, b.z); });
    crowd.edits.erase(std::unique(crowd.edits.begin(), crowd.edits.end()), crowd.edits.end());
    mob::Random random(seed);
    for (std::size_t i = crowd.edits.size(); i > 1; --i) std::swap(crowd.edits[i - 1], crowd.edits[random.below(i)]);
  }
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const Point p : crowd.mobs) mix(hash, p);
  for (const WalkedRoute& route : crowd.players) {
    for (double walked = 0; walked < route.length(); walked += 1) mix(hash, route.at(walked));
  }
  for (const mob::Cell& c : crowd.edits)
    mix(hash, {static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)});
  crowd.fingerprint = hash;
  return crowd;
}

}  // namespace voxpath::server
