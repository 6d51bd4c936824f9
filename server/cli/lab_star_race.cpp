// `voxpath lab star-race`: the race, with the tables that the game's debug view showed.
#include "server/cli/lab_command.hpp"
#include "server/lab/star_race.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

using lab::Cell;
using lab::kStageSize;

struct StarOptions {
  std::int64_t seed = 7;
  int blocked = 20;
};

constexpr std::array<char, 2> kRunners = {'A', 'B'};

char sign(const lab::StarRace& race, const lab::StarSearch& search, Cell c) {
  for (std::size_t i = 0; i < kRunners.size(); ++i) {
    if (race.runners().at(i) == c) return kRunners.at(i);
  }
  if (race.star() == c) return '*';
  if (!race.stage().free(c)) return '#';
  const bool on_path = std::find(search.path.begin(), search.path.end(), c) != search.path.end();
  return on_path ? 'o' : '.';
}

std::string number(const std::vector<int>& costs, Cell c) {
  const int cost = costs[lab::Stage::index(c)];
  return cost == lab::kUnvisited ? "  ." : fmt::format("{:>3}", cost);
}

/// The stage with the path, and beside it the three tables.
std::string tables(const lab::StarRace& race, const lab::StarSearch& search) {
  std::string text =
      fmt::format("  {:<12}  {:<32}  {:<32}  {}\n", "path", "estimated, to the star", "actual, from here", "total");
  for (int y = 0; y < kStageSize; ++y) {
    std::string stage, estimated, actual, total;
    for (int x = 0; x < kStageSize; ++x) {
      stage += sign(race, search, {x, y});
      estimated += number(search.estimated, {x, y});
      actual += number(search.actual, {x, y});
      total += number(search.total, {x, y});
    }
    text += fmt::format("  {:<12}  {:<32}  {:<32}  {}\n", stage, estimated, actual, total);
  }
  return text;
}

void show_searches(const lab::StarRace& race, const Console& console) {
  for (std::size_t i = 0; i < kRunners.size(); ++i) {
    const lab::StarSearch search = search_star(race.stage(), race.runners().at(i), race.star());
    fmt::print(console.out, "turn {}: {} is {} steps from the star, {} squares looked at\n{}\n", race.turns(),
               kRunners.at(i), search.path.size() - 1, search.looked_at, tables(race, search));
  }
}

ExitCode run(const StarOptions& options, const Console& console) {
  if (options.seed < 0 || options.seed > UINT32_MAX) {
    return fail(console, ExitCode::usage, fmt::format("--seed = {}: 0 to {} is allowed", options.seed, UINT32_MAX));
  }
  if (options.blocked < 0 || options.blocked > lab::kStageBlockedMax) {
    return fail(console, ExitCode::usage,
                fmt::format("--blocked = {}: 0 to {} is allowed", options.blocked, lab::kStageBlockedMax));
  }
  lab::StarRace race({.seed = static_cast<std::uint32_t>(options.seed), .blocked = options.blocked});
  std::array<int, 2> stars{};
  show_searches(race, console);
  for (std::size_t told = 0; !race.over();) {
    race.turn();
    const bool news = told < race.collected().size();
    for (; told < race.collected().size(); ++told) {
      const lab::StarCollected& star = race.collected()[told];
      const auto runner = static_cast<std::size_t>(star.runner);
      ++stars.at(runner);
      fmt::print(console.out, "turn {}: {} takes the star at {},{}\n\n", star.turn, kRunners.at(runner), star.at.x,
                 star.at.y);
    }
    if (news && !race.over()) show_searches(race, console);
  }
  fmt::print(console.out, "{} wins, {} to {} stars, in {} turns.\n", kRunners.at(stars[0] > stars[1] ? 0 : 1),
             std::max(stars[0], stars[1]), std::min(stars[0], stars[1]), race.turns());
  return ExitCode::ok;
}

}  // namespace

void add_lab_star_race(CLI::App& lab, Chosen& chosen) {
  auto options = std::make_shared<StarOptions>();
  CLI::App* command = lab.add_subcommand("star-race", "Two runners race for three stars on a small stage");
  command->add_option("--seed", options->seed, "Of the stage and the stars, 0 to 4294967295")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  command->add_option("--blocked", options->blocked, "Blocked squares of the 100, 0 to 30")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  command->footer(
      "Four directions; estimates are Euclid's distance, rounded; of equal totals the lower actual cost is looked at "
      "first.\n"
      "Each turn both search anew and make a step, whoever has fewer stars first. Each star shows both searches: the "
      "path and what every\n"
      "square was estimated at, cost, and came to together, as the game's debug view did.\n"
      "\n"
      "Example:\n"
      "  voxpath lab star-race --seed 3");
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
