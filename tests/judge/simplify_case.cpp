#include "tests/judge/random_worlds.hpp"

#include <iterator>
#include <utility>

namespace voxpath::judge {
namespace {

using Change = std::function<void(RandomCase&)>;

/// Half of the blocks, a quarter of them ... each single one.
void drop_blocks(const RandomCase& drawn, std::vector<Change>& changes) {
  const std::size_t count = drawn.blocks.size();
  for (std::size_t size = (count + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
    for (std::size_t first = 0; first < count; first += size) {
      changes.emplace_back([first, size](RandomCase& c) {
        const auto from = std::next(c.blocks.begin(), static_cast<std::ptrdiff_t>(first));
        const std::size_t last = std::min(first + size, c.blocks.size());
        c.blocks.erase(from, std::next(c.blocks.begin(), static_cast<std::ptrdiff_t>(last)));
      });
    }
  }
}

template <class T>
void reset_field(const RandomCase& drawn, T JudgeAgent::* field, std::vector<Change>& changes) {
  const JudgeAgent usual;
  if (drawn.agent.*field == usual.*field) return;
  changes.emplace_back([field, value = usual.*field](RandomCase& c) { c.agent.*field = value; });
}

void simplify_agent(const RandomCase& drawn, std::vector<Change>& changes) {
  const auto reset = [&](auto... fields) { (reset_field(drawn, fields, changes), ...); };
  using A = JudgeAgent;
  reset(&A::metric, &A::immune, &A::climb, &A::open_doors, &A::open_gates, &A::pass_doors, &A::water, &A::corners,
        &A::leap, &A::mode, &A::step_px, &A::jump_px, &A::max_drop_px, &A::height_px, &A::width);
  reset(&A::cost_cardinal, &A::cost_diagonal, &A::cost_space_diagonal, &A::cost_climb, &A::cost_jump, &A::cost_drop,
        &A::cost_leap, &A::cost_water, &A::cost_near_hazard, &A::cost_slow, &A::cost_open);
}

void simplify_question(const Question& question, std::size_t i, std::vector<Change>& changes) {
  for (std::size_t box = 0; box < question.boxes.size(); ++box) {
    changes.emplace_back([i, box](RandomCase& c) {
      std::vector<PricedBox>& boxes = c.questions[i].boxes;
      boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(box));
    });
  }
  for (std::size_t place = 0; question.goal.places.size() > 1 && place < question.goal.places.size(); ++place) {
    changes.emplace_back([i, place](RandomCase& c) {
      std::vector<Place>& places = c.questions[i].goal.places;
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(place));
    });
  }
}

}  // namespace

std::vector<Change> simplifications(const RandomCase& drawn) {
  std::vector<Change> changes;
  for (std::size_t i = 0; drawn.questions.size() > 1 && i < drawn.questions.size(); ++i) {
    changes.emplace_back([i](RandomCase& c) { c.questions = {Question(c.questions[i])}; });
  }
  drop_blocks(drawn, changes);
  if (drawn.outside_missing && drawn.agent.mode == Mode::walk) {
    changes.emplace_back([](RandomCase& c) { c.outside_missing = false; });
  }
  for (const world::ChunkPos chunk : drawn.missing) {
    changes.emplace_back([chunk](RandomCase& c) { c.missing.erase(chunk); });
  }
  for (std::size_t i = 0; i < drawn.questions.size(); ++i) simplify_question(drawn.questions[i], i, changes);
  simplify_agent(drawn, changes);
  for (const auto& [pos, block] : drawn.blocks) {
    if (block != "stone") changes.emplace_back([at = pos](RandomCase& c) { c.blocks[at] = "stone"; });
  }
  return changes;
}

}  // namespace voxpath::judge
