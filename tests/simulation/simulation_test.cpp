#include "tests/simulation/simulation.hpp"

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

constexpr std::uint64_t kSeeds = 500;
constexpr std::uint64_t kLongSeeds = 10'000;

std::uint64_t seed_count() {
  const char* all = std::getenv("VOXPATH_LONG");
  return all != nullptr && std::string(all) != "0" ? kLongSeeds : kSeeds;
}

/// What is broken, with what to do next; empty: nothing.
std::string fault_of(Simulation& simulation, std::uint64_t seed) {
  try {
    simulation.run();
    return {};
  } catch (const Violation& violation) {
    return fmt::format("seed {}, event {}: {}\nVOXPATH_SEED={} tells what happened before", seed,
                       simulation.counts().events, violation.what(), seed);
  }
}

TEST(ServerSimulation, SeedsThatFailedBefore) {
  std::ifstream file(VOXPATH_FAILED_SEEDS);
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; file >> seed;) seeds.insert(seed);
  for (const std::uint64_t seed : seeds) {
    Simulation simulation(seed);
    EXPECT_EQ(fault_of(simulation, seed), "");
  }
}

TEST(ServerSimulation, TheSeedThatIsAskedFor) {
  const char* text = std::getenv("VOXPATH_SEED");
  const std::uint64_t seed = text == nullptr ? 1 : std::stoull(text);
  Simulation simulation(seed, text != nullptr);
  EXPECT_EQ(fault_of(simulation, seed), "");
}

class ServerSimulationParts : public testing::TestWithParam<std::uint64_t> {};
constexpr std::uint64_t kParts = 10;  // so that they run on all cores

TEST_P(ServerSimulationParts, KeepsItsPromisesInAnyOrderOfEvents) {
  Simulation::Counts sum;
  for (std::uint64_t seed = 1 + GetParam(); seed <= seed_count(); seed += kParts) {
    Simulation simulation(seed);
    if (const std::string fault = fault_of(simulation, seed); !fault.empty()) {
      std::ofstream(VOXPATH_FAILED_SEEDS, std::ios::app) << seed << "\n";
      FAIL() << fault;
    }
    const Simulation::Counts& counts = simulation.counts();
    sum.jobs += counts.jobs;
    sum.superseded += counts.superseded;
    sum.refused += counts.refused;
    sum.dropped += counts.dropped;
    sum.set_back += counts.set_back;
    sum.kept += counts.kept;
    sum.slices += counts.slices;
    sum.held += counts.held;
    sum.too_slow += counts.too_slow;
    sum.landed += counts.landed;
    sum.fairness_checks += counts.fairness_checks;
  }
  // It looks at nothing where nothing happens.
  EXPECT_GT(sum.jobs, 1'000u);
  EXPECT_GT(sum.slices, sum.jobs / 2);
  EXPECT_GT(sum.superseded, 50u);
  EXPECT_GT(sum.refused, 50u);
  EXPECT_GT(sum.dropped, 10u);
  EXPECT_GT(sum.set_back, 10u);
  EXPECT_GT(sum.kept, 10u);
  EXPECT_GT(sum.held, 10u);
  EXPECT_GT(sum.too_slow, 3u);
  EXPECT_GT(sum.landed, 100u);
  EXPECT_GT(sum.fairness_checks, 1'000u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ServerSimulationParts, testing::Range(std::uint64_t{0}, kParts));

}  // namespace
}  // namespace voxpath::test
