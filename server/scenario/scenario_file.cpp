#include "server/scenario/scenario_file.hpp"

#include "server/scenario/canvas.hpp"
#include "server/scenario/scenario_goal.hpp"
#include "server/scenario/scenario_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {
namespace {

using world::BlockPos;
using world::Error;
using world::ErrorCode;
using world::ok_status;
using world::Result;
using world::Status;

struct Letter {
  char letter;
  std::string_view block;
};
constexpr std::array<Letter, 22> kLetters{{{'#', "minecraft:stone"},
                                           {'.', "minecraft:air"},
                                           {'_', "minecraft:stone_slab[type=bottom]"},
                                           {'-', "minecraft:stone_slab[type=top]"},
                                           {'=', "minecraft:white_carpet"},
                                           {'f', "minecraft:farmland"},
                                           {'s', "minecraft:soul_sand"},
                                           {'F', "minecraft:oak_fence"},
                                           {'W', "minecraft:cobblestone_wall"},
                                           {'D', "minecraft:oak_door[facing=east,half=lower,open=false]"},
                                           {'d', "minecraft:oak_door[facing=east,half=lower,open=true]"},
                                           {'I', "minecraft:iron_door[facing=east,half=lower,open=false]"},
                                           {'T', "minecraft:oak_trapdoor[facing=north,half=bottom,open=false]"},
                                           {'t', "minecraft:oak_trapdoor[facing=north,half=bottom,open=true]"},
                                           {'L', "minecraft:ladder"},
                                           {'w', "minecraft:water"},
                                           {'l', "minecraft:lava"},
                                           {'!', "minecraft:magma_block"},
                                           {'C', "minecraft:cactus"},
                                           {'^', "minecraft:fire"},
                                           {'*', "minecraft:sweet_berry_bush"},
                                           {',', "minecraft:short_grass"}}};
constexpr std::string_view kNamesOfCells = "SG123456789";
constexpr char kMissingLetter = '?';
constexpr char kLeaveLetter = ' ';

class Reader {
 public:
  Reader(std::string_view text, const world::BlockTable& table) : text_(text), table_(table) {}

  Result<Scenario> read() {
    if (text_.size() > kScenarioTextMax) {
      return Error{ErrorCode::resource_exhausted,
                   fmt::format("a scenario of {} bytes; at most {} are allowed", text_.size(), kScenarioTextMax)};
    }
    while (next_line()) {
      if (line_.empty() || line_.front() == '#') continue;
      if (const Status status = read_line(); !status) return status.error();
    }
    if (open_query_) return fail(fmt::format("the query of line {} has no expect line", scenario_.queries.back().line));
    if (const Status status = start_canvas(); !status) return status.error();
    const Result<world::StateId> stone = state_of("minecraft:stone");
    if (!stone) return stone.error();
    Result<std::unique_ptr<world::World>> world = canvas_->finish(*stone);
    if (!world) return world.error();
    scenario_.world = std::move(*world);
    return std::move(scenario_);
  }

 private:
  [[nodiscard]] Error fail(const std::string& what) const {
    return {ErrorCode::invalid_argument, fmt::format("line {}: {}", line_number_, what)};
  }
  /// The error with its line, unless it says it already.
  [[nodiscard]] Error located(const Error& error) const {
    return error.message.starts_with("line ") ? error : fail(error.message);
  }
  [[nodiscard]] Status checked(const std::optional<std::string>& wrong) const {
    if (wrong) return fail(*wrong);
    return ok_status();
  }

  bool next_line() {
    if (position_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    line_ = text_.substr(position_, end - position_);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    position_ = end + 1;
    ++line_number_;
    return true;
  }

  Status read_line() {
    const std::size_t colon = line_.find(':');
    if (colon == std::string_view::npos) return fail(fmt::format("'{}' has no 'key:'", line_));
    const std::string_view key = line_.substr(0, colon);
    const std::string_view value = trimmed(line_.substr(colon + 1));
    if (open_query_ && key != "expect")
      return fail(fmt::format("'{}' where the expect line of a query must come", key));
    struct Key {
      std::string_view name;
      Status (Reader::*read)(std::string_view);
    };
    static constexpr std::array<Key, 11> kKeys{{{"name", &Reader::read_name},
                                                {"about", &Reader::read_about},
                                                {"world", &Reader::read_world},
                                                {"block", &Reader::read_block},
                                                {"agent", &Reader::read_agent},
                                                {"side", &Reader::read_side},
                                                {"layer", &Reader::read_layer},
                                                {"walls", &Reader::read_walls},
                                                {"fill", &Reader::read_fill},
                                                {"query", &Reader::read_query},
                                                {"expect", &Reader::read_expect}}};
    for (const Key& k : kKeys) {
      if (k.name == key) return (this->*k.read)(value);
    }
    return fail(fmt::format("unknown key '{}'", key));
  }

  Status read_name(std::string_view value) {
    scenario_.name = value;
    return ok_status();
  }
  Status read_about(std::string_view value) {
    scenario_.about = value;
    return ok_status();
  }

  Status read_world(std::string_view value) {
    if (canvas_) return fail("the world line must come before anything is drawn, and once");
    for (const std::string_view word : words(value)) {
      const auto [key, v] = split(word, '=');
      if (key == "outside") {
        constexpr std::array<std::string_view, 3> kOutsides{"air", "stone", "missing"};
        const auto* const found = std::find(kOutsides.begin(), kOutsides.end(), v);
        if (found == kOutsides.end()) return fail(fmt::format("outside '{}' is none of air, stone, missing", v));
        outside_ = static_cast<Outside>(found - kOutsides.begin());
        continue;
      }
      const std::optional<int> number = whole(v);
      if (!number) return fail(fmt::format("'{}' is no whole number", word));
      if (key == "min_y") {
        heights_.min_y = *number;
      } else if (key == "height") {
        heights_.height = *number;
      } else {
        return fail(fmt::format("unknown '{}' of a world; there are min_y, height, outside", key));
      }
    }
    return start_canvas();
  }

  Status start_canvas() {
    if (canvas_) return ok_status();
    if (const Status valid = world::World::validate(heights_); !valid) return fail(valid.error().message);
    canvas_.emplace(heights_, outside_);
    return ok_status();
  }

  Status read_block(std::string_view value) {
    const auto [letter, block] = split(value, ' ');
    if (letter.size() != 1) return fail(fmt::format("'{}' is not one letter and a block", value));
    if (letter.front() == kMissingLetter) return fail("'?' always means a missing chunk");
    letters_[letter.front()] = trimmed(block);
    return state_of_letter(letter.front()).ok() ? ok_status() : Status(state_of_letter(letter.front()).error());
  }

  Result<world::StateId> state_of(std::string_view text) {
    if (const Status status = start_canvas(); !status) return status.error();
    const Result<world::BlockState> state = world::BlockState::parse(text);
    if (!state) return fail(state.error().message);
    if (!table_.knows(state->name)) return fail(fmt::format("unknown block '{}'", state->name));
    return canvas_->world().states().intern(state->text(), table_.traits(*state));
  }

  Result<world::StateId> state_of_letter(char letter) {
    if (const auto found = letters_.find(letter); found != letters_.end()) return state_of(found->second);
    for (const Letter& known : kLetters) {
      if (known.letter == letter) return state_of(known.block);
    }
    if (kNamesOfCells.find(letter) != std::string_view::npos) return world::kAirState;
    return fail(fmt::format("unknown letter '{}'; give it a meaning by 'block: {} minecraft:...'", letter, letter));
  }

  Status read_agent(std::string_view value) {
    const auto [agent, fields] = split(value, ' ');
    if (agent.empty()) return fail("an agent needs a name");
    std::vector<ScenarioField> list;
    for (const std::string_view word : words(fields)) {
      const auto [key, v] = split(word, '=');
      if (key.empty() || v.empty()) return fail(fmt::format("'{}' is not field=value", word));
      list.push_back({std::string(key), std::string(v)});
    }
    agents_[std::string(agent)] = std::move(list);
    return ok_status();
  }

  /// The numbers of a drawing's head, "z=0 top=1 x=4": those of `required`, and x, which may be left out.
  Result<std::map<std::string_view, int>> read_head(std::string_view value, std::array<std::string_view, 2> required) {
    std::map<std::string_view, int> numbers{{"x", 0}};
    for (const std::string_view word : words(value)) {
      const auto [key, v] = split(word, '=');
      const std::optional<int> number = whole(v);
      if (!number || std::abs(*number) > kScenarioCoordinateMax)
        return fail(fmt::format("'{}' is no whole number within +-{}", word, kScenarioCoordinateMax));
      if (key != "x" && key != required[0] && key != required[1])
        return fail(fmt::format("unknown '{}' of a drawing", key));
      numbers[key] = *number;
    }
    for (const std::string_view key : required) {
      if (!numbers.contains(key)) return fail(fmt::format("a drawing of this kind needs {}=", key));
    }
    return numbers;
  }

  Status read_side(std::string_view value) {
    const auto head = read_head(value, {"z", "top"});
    if (!head) return head.error();
    return read_drawing({head->at("x"), head->at("top"), head->at("z")}, {0, -1, 0});
  }
  Status read_layer(std::string_view value) {
    const auto head = read_head(value, {"y", "z"});
    if (!head) return head.error();
    return read_drawing({head->at("x"), head->at("y"), head->at("z")}, {0, 0, 1});
  }

  Status read_drawing(BlockPos first, BlockPos row_step) {
    if (const Status status = start_canvas(); !status) return status;
    const int began = line_number_;
    while (next_line()) {
      if (line_ == "end") return ok_status();
      for (std::size_t column = 0; column < line_.size(); ++column) {
        const BlockPos pos{first.x + static_cast<int>(column), first.y, first.z};
        if (const Status status = draw(line_[column], pos); !status) return status;
      }
      first = {first.x, first.y + row_step.y, first.z + row_step.z};
    }
    return fail(fmt::format("the drawing of line {} has no 'end'", began));
  }

  Status draw(char letter, BlockPos pos) {
    if (letter == kLeaveLetter) return ok_status();
    if (letter == kMissingLetter) {
      canvas_->make_missing(pos);
      return ok_status();
    }
    const Result<world::StateId> state = state_of_letter(letter);
    if (!state) return state.error();
    if (!letters_.contains(letter) && kNamesOfCells.find(letter) != std::string_view::npos) {
      if (!cells_.try_emplace(letter, pos).second) return fail(fmt::format("cell '{}' is drawn twice", letter));
    }
    return checked(canvas_->draw(pos, *state));
  }

  Status read_walls(std::string_view value) {
    const Result<world::StateId> stone = state_of("minecraft:stone");
    if (!stone) return stone.error();
    std::vector<int> planes;
    std::optional<std::pair<int, int>> heights;
    for (const std::string_view word : words(value)) {
      const auto [key, v] = split(word, '=');
      if (key == "z") {
        for (const std::string_view part : parts(v, ',')) {
          const std::optional<int> z = whole(part);
          if (!z) return fail(fmt::format("'{}' is no list of whole numbers", word));
          planes.push_back(*z);
        }
      } else if (key == "y" && v.find("..") != std::string_view::npos) {
        const std::optional<int> low = whole(v.substr(0, v.find("..")));
        const std::optional<int> high = whole(v.substr(v.find("..") + 2));
        if (low && high) heights = {*low, *high};
      }
    }
    if (planes.empty() || !heights) return fail(fmt::format("'{}' is not z=1,2 y=0..4", value));
    for (const int z : planes) {
      if (const Status status = checked(canvas_->wall(z, heights->first, heights->second, *stone)); !status)
        return status;
    }
    return ok_status();
  }

  Status read_fill(std::string_view value) {
    const std::vector<std::string_view> list = words(value);
    const std::optional<BlockPos> from = list.size() == 3 ? cell(list[0]) : std::nullopt;
    const std::optional<BlockPos> to = list.size() == 3 ? cell(list[1]) : std::nullopt;
    if (!from || !to) return fail(fmt::format("'{}' is not x,y,z x,y,z block", value));
    if (list[2].size() == 1 && list[2].front() == kMissingLetter)
      return fail("a fill cannot make chunks missing; draw '?'");
    const Result<world::StateId> state = list[2].size() == 1 ? state_of_letter(list[2].front()) : state_of(list[2]);
    if (!state) return state.error();
    return checked(canvas_->fill({.min = *from, .max = *to}, *state));
  }

  Result<ScenarioPlace> read_place(std::string_view word) const {
    if (word.size() == 1) {
      const auto found = cells_.find(word.front());
      if (found == cells_.end()) return fail(fmt::format("no cell '{}' is drawn", word));
      const BlockPos c = found->second;
      return ScenarioPlace{.exact = false,
                           .at = {static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)}};
    }
    const std::vector<std::string_view> numbers = parts(word, ',');
    if (numbers.size() != 3) return fail(fmt::format("'{}' is no place: a drawn name or x,y,z", word));
    std::array<double, 3> at{};
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::optional<double> v = real(numbers[i]);
      if (!v) return fail(fmt::format("'{}' is no number", numbers[i]));
      at.at(i) = *v;
    }
    const bool exact = word.find_first_not_of("-0123456789,") != std::string_view::npos;
    return ScenarioPlace{.exact = exact, .at = {at[0], at[1], at[2]}};
  }

  Status read_query(std::string_view value) {
    const std::vector<std::string_view> list = words(value);
    if (list.size() < 4 || list[2] != "->") return fail(fmt::format("'{}' is not AGENT PLACE -> PLACE", value));
    const auto agent = agents_.find(list[0]);
    if (agent == agents_.end()) return fail(fmt::format("unknown agent '{}'", list[0]));
    ScenarioQuery query;
    query.line = line_number_;
    query.text = value;
    query.fields = agent->second;
    const Result<ScenarioPlace> start = read_place(list[1]);
    if (!start) return start.error();
    Result<ScenarioGoal> goal = read_goal(list[3], [this](std::string_view word) { return read_place(word); });
    if (!goal) return located(goal.error());
    query.start = *start;
    query.goal = std::move(*goal);
    for (std::size_t i = 4; i < list.size(); ++i) {
      const auto [key, v] = split(list[i], '=');
      if (key.empty() || v.empty()) return fail(fmt::format("'{}' is not field=value", list[i]));
      if (key == "limit") {
        query.limit = whole(v);
        if (!query.limit || *query.limit < 0) return fail(fmt::format("limit '{}' is no count", v));
        continue;
      }
      if (key == "box") {
        const Result<ScenarioBox> box = read_box(v);
        if (!box) return fail(box.error().message);
        query.boxes.push_back(*box);
        continue;
      }
      query.fields.push_back({std::string(key), std::string(v)});
    }
    scenario_.queries.push_back(std::move(query));
    open_query_ = true;
    return ok_status();
  }

  Status read_expect(std::string_view value) {
    if (!open_query_) return fail("an expect line without a query before it");
    Result<ScenarioExpectation> expectation = read_expectation(value);
    if (!expectation) return fail(expectation.error().message);
    expectation->line = line_number_;
    scenario_.queries.back().expect = std::move(*expectation);
    open_query_ = false;
    return ok_status();
  }

  std::string_view text_;
  const world::BlockTable& table_;
  std::size_t position_ = 0;
  std::string_view line_;
  int line_number_ = 0;
  world::Heights heights_;
  Outside outside_ = Outside::air;
  std::optional<Canvas> canvas_;
  std::map<char, std::string> letters_;  // given by block lines
  std::map<char, BlockPos> cells_;       // drawn names
  std::map<std::string, std::vector<ScenarioField>, std::less<>> agents_;
  bool open_query_ = false;
  Scenario scenario_;
};

}  // namespace

Result<Scenario> read_scenario(std::string_view text, const world::BlockTable& table) {
  return Reader(text, table).read();
}

}  // namespace voxpath::server
