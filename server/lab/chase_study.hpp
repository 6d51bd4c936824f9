// The maze chase as it was published, measured again, and the questions that it left open.
// Thread-safety: free functions. Reproducible: the same numbers on every machine, but for the times.
// Usage: for (const ChaseRow& row : published_chases(kChasesPublished)) ...
#pragma once

#include "server/lab/chase.hpp"

#include <functional>
#include <string>
#include <vector>

namespace voxpath::server::lab {

inline constexpr int kMazeSizePublished = 21;
inline constexpr int kOpeningsPublished = 25;
inline constexpr int kMazesPublished = 1000;  // whose connection was counted
inline constexpr int kChasesPublished = 300;  // for each pursuer and speed

struct ConnectedRow {
  Openings where;
  int mazes, connected, published;
};
/// Both from one stream: first those with openings anywhere, then those between corridors.
std::vector<ConnectedRow> connected_mazes();

struct ChaseRow {
  Pursuit pursuit;
  int speed;
  int chases = 0, caught = 0;
  int turns = 0;  // of those that caught, together
  double published_percent = 0, published_turns = 0;
  [[nodiscard]] double percent() const { return chases == 0 ? 0 : 100.0 * caught / chases; }
  [[nodiscard]] double turns_mean() const { return caught == 0 ? 0 : static_cast<double>(turns) / caught; }
  /// Whether both figures are the published ones in the digits that were published.
  [[nodiscard]] bool as_published() const;
};
/// One row for each pursuer and speed; "BFS" is walked by the maze's own search and, as "planner", by voxpath's in a voxel world.
std::vector<ChaseRow> published_chases(PlannerTally& tally);

/// A cell of a table for people, and a sentence that says what the table shows.
struct Finding {
  std::string question;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::string answer;
};
using Progress = std::function<void(const std::string& question)>;

/// What the article left open. `effort` 1 .. 10: about how much of the full number of chases (10).
std::vector<Finding> open_questions(int effort, const Progress& progress);

}  // namespace voxpath::server::lab
