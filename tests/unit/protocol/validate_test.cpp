// Each row changes one thing in a request that is fine, and says which field is refused and why.
#include "protocol/validate.hpp"

#include "protocol/limits.hpp"
#include "protocol/voxpath.pb.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace voxpath::protocol {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

v1::ClientFrame fine_path() {
  v1::ClientFrame frame;
  v1::FindPath& path = *frame.mutable_find_path();
  path.set_world("overworld");
  path.mutable_start()->mutable_position()->set_x(0.5);
  path.mutable_goal()->mutable_cell()->set_x(4);
  return frame;
}
v1::ClientFrame fine_open() {
  v1::ClientFrame frame;
  frame.mutable_open_world()->set_world("overworld");
  return frame;
}
v1::ClientFrame fine_palette() {
  v1::ClientFrame frame;
  frame.mutable_set_palette()->set_world("overworld");
  frame.mutable_set_palette()->add_blocks("air");
  return frame;
}
v1::ClientFrame fine_chunk() {
  v1::ClientFrame frame;
  v1::PutChunk& chunk = *frame.mutable_put_chunk();
  chunk.set_world("overworld");
  chunk.add_palette("air");
  chunk.add_palette("stone");
  chunk.add_sections()->add_blocks(1);
  return frame;
}
v1::ClientFrame fine_blocks() {
  v1::ClientFrame frame;
  frame.mutable_set_blocks()->set_world("overworld");
  v1::BlockChange& change = *frame.mutable_set_blocks()->add_changes();
  change.mutable_at()->set_x(1);
  change.set_block("stone");
  return frame;
}
v1::ClientFrame fine_query() {
  v1::ClientFrame frame;
  frame.mutable_query_blocks()->set_world("overworld");
  frame.mutable_query_blocks()->add_at()->set_y(64);
  return frame;
}
v1::ClientFrame fine_sight() {
  v1::ClientFrame frame;
  frame.mutable_line_of_sight()->set_world("overworld");
  frame.mutable_line_of_sight()->mutable_from();
  frame.mutable_line_of_sight()->mutable_to()->set_x(10);
  return frame;
}
v1::ClientFrame fine_surface() {
  v1::ClientFrame frame;
  frame.mutable_surface_below()->set_world("overworld");
  frame.mutable_surface_below()->mutable_from();
  return frame;
}
v1::Box box(int x1, int y1, int z1, int x2, int y2, int z2) {
  v1::Box b;
  b.mutable_min()->set_x(x1);
  b.mutable_min()->set_y(y1);
  b.mutable_min()->set_z(z1);
  b.mutable_max()->set_x(x2);
  b.mutable_max()->set_y(y2);
  b.mutable_max()->set_z(z2);
  return b;
}

struct Row {
  const char* name;
  v1::ClientFrame (*fine)();
  std::function<void(v1::ClientFrame&)> change;
  const char* field;  // nullptr: still fine
  ErrorKind kind = ErrorKind::field_out_of_range;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    v1::ClientFrame frame = row.fine();
    ASSERT_FALSE(validate(frame)) << "the request that is changed must be fine";
    row.change(frame);
    const auto refused = validate(frame);
    if (!row.field) {
      EXPECT_FALSE(refused) << refused->message;
      continue;
    }
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->field, row.field) << refused->message;
    EXPECT_EQ(refused->kind, row.kind) << refused->message;
    EXPECT_NE(refused->message.find(row.field), std::string::npos) << refused->message;
    EXPECT_FALSE(refused->limit.empty());
  }
}

using F = v1::ClientFrame;
constexpr auto kMissing = ErrorKind::field_missing;
constexpr auto kInvalid = ErrorKind::field_invalid;

TEST(ValidatePath, Places) {
  expect_rows({
      {"a cell", fine_path, [](F& f) { f.mutable_find_path()->mutable_start()->mutable_cell()->set_x(3); }, nullptr},
      {"no start", fine_path, [](F& f) { f.mutable_find_path()->clear_start(); }, "find_path.start.position", kMissing},
      {"no goal", fine_path, [](F& f) { f.mutable_find_path()->clear_goal(); }, "find_path.goal.position", kMissing},
      {"NaN", fine_path, [](F& f) { f.mutable_find_path()->mutable_start()->mutable_position()->set_x(kNaN); },
       "find_path.start.position.x", kInvalid},
      {"infinite", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_start()->mutable_position()->set_y(-kInfinity); },
       "find_path.start.position.y", kInvalid},
      {"huge", fine_path, [](F& f) { f.mutable_find_path()->mutable_start()->mutable_position()->set_z(1e300); },
       "find_path.start.position.z"},
      {"the last place", fine_path, [](F& f) { f.mutable_find_path()->mutable_goal()->mutable_position()->set_x(3e7); },
       nullptr},
      {"just beyond", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_goal()->mutable_position()->set_x(std::nextafter(3e7, 4e7)); },
       "find_path.goal.position.x"},
      {"the last cell", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_goal()->mutable_cell()->set_z(-kCoordinateMaxBlocks); }, nullptr},
      {"the next cell", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_goal()->mutable_cell()->set_z(-kCoordinateMaxBlocks - 1); },
       "find_path.goal.cell.z"},
  });
}

TEST(ValidatePath, AnyOf) {
  const auto add = [](F& f, std::size_t count) {
    while (f.find_path().goal().any_of().places_size() < static_cast<int>(count))
      f.mutable_find_path()->mutable_goal()->mutable_any_of()->add_places()->mutable_cell();
  };
  expect_rows({
      {"none", fine_path, [](F& f) { f.mutable_find_path()->mutable_goal()->mutable_any_of(); },
       "find_path.goal.any_of.places", kMissing},
      {"one", fine_path, [&](F& f) { add(f, 1); }, nullptr},
      {"limit", fine_path, [&](F& f) { add(f, kGoalPlacesMax); }, nullptr},
      {"limit + 1", fine_path, [&](F& f) { add(f, kGoalPlacesMax + 1); }, "find_path.goal.any_of.places"},
      {"an empty one", fine_path,
       [&](F& f) {
         add(f, 1);
         f.mutable_find_path()->mutable_goal()->mutable_any_of()->add_places();
       },
       "find_path.goal.any_of.places[1].position", kMissing},
  });
}

TEST(ValidatePath, AgentAndSearch) {
  expect_rows({
      {"prices at their ends", fine_path,
       [](F& f) {
         f.mutable_find_path()->mutable_agent()->set_cost_jump(kCostMax);
         f.mutable_find_path()->mutable_agent()->set_cost_open(-1);
       },
       nullptr},
      {"price", fine_path, [](F& f) { f.mutable_find_path()->mutable_agent()->set_cost_jump(kCostMax + 1); },
       "find_path.agent.cost_jump"},
      {"price below", fine_path, [](F& f) { f.mutable_find_path()->mutable_agent()->set_cost_open(-2); },
       "find_path.agent.cost_open"},
      {"NaN width", fine_path, [](F& f) { f.mutable_find_path()->mutable_agent()->set_width(kNaN); },
       "find_path.agent.width", kInvalid},
      {"longest drop", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_agent()->set_max_drop(kAgentLengthMaxBlocks); }, nullptr},
      {"too long", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_agent()->set_max_drop(kAgentLengthMaxBlocks + 1); },
       "find_path.agent.max_drop"},
      {"negative height", fine_path, [](F& f) { f.mutable_find_path()->mutable_agent()->set_height(-0.1); },
       "find_path.agent.height"},
      {"corners", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_agent()->set_corners(static_cast<v1::Agent::Corners>(3)); },
       "find_path.agent.corners", kInvalid},
      {"water", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_agent()->set_water(static_cast<v1::Agent::Water>(-1)); },
       "find_path.agent.water", kInvalid},
      {"hazard", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_agent()->add_immune(static_cast<v1::Agent::Hazard>(9)); },
       "find_path.agent.immune", kInvalid},
      {"hazards", fine_path,
       [](F& f) {
         for (std::size_t i = 0; i <= kImmuneMax; ++i)
           f.mutable_find_path()->mutable_agent()->add_immune(v1::Agent::FIRE);
       },
       "find_path.agent.immune"},
      {"profile", fine_path, [](F& f) { f.mutable_find_path()->mutable_agent()->set_profile("../zombie"); },
       "find_path.agent.profile", kInvalid},
      {"long profile", fine_path,
       [](F& f) { f.mutable_find_path()->mutable_agent()->set_profile(std::string(kProfileNameMaxBytes + 1, 'z')); },
       "find_path.agent.profile"},
      {"algorithm", fine_path,
       [](F& f) { f.mutable_find_path()->set_algorithm(static_cast<v1::FindPath::Algorithm>(77)); },
       "find_path.algorithm", kInvalid},
      {"heuristic", fine_path,
       [](F& f) { f.mutable_find_path()->set_heuristic(static_cast<v1::FindPath::Heuristic>(5)); },
       "find_path.heuristic", kInvalid},
      {"metric", fine_path, [](F& f) { f.mutable_find_path()->set_metric(static_cast<v1::FindPath::Metric>(2)); },
       "find_path.metric", kInvalid},
      {"weight", fine_path, [](F& f) { f.mutable_find_path()->set_weight(kWeightMax); }, nullptr},
      {"least weight", fine_path, [](F& f) { f.mutable_find_path()->set_weight(1); }, nullptr},
      {"too light", fine_path, [](F& f) { f.mutable_find_path()->set_weight(0.99); }, "find_path.weight"},
      {"too heavy", fine_path, [](F& f) { f.mutable_find_path()->set_weight(10.01); }, "find_path.weight"},
      {"no weight", fine_path, [](F& f) { f.mutable_find_path()->set_weight(std::nan("")); }, "find_path.weight",
       ErrorKind::field_invalid},
      {"expansions", fine_path, [](F& f) { f.mutable_find_path()->set_expansions_max(kExpansionsMax); }, nullptr},
      {"too many", fine_path, [](F& f) { f.mutable_find_path()->set_expansions_max(kExpansionsMax + 1); },
       "find_path.expansions_max"},
      {"deadline", fine_path, [](F& f) { f.mutable_find_path()->set_deadline_ms(kDeadlineMaxMs); }, nullptr},
      {"far deadline", fine_path, [](F& f) { f.mutable_find_path()->set_deadline_ms(kDeadlineMaxMs + 1); },
       "find_path.deadline_ms"},
      {"priority", fine_path, [](F& f) { f.mutable_find_path()->set_priority(-kPriorityMax); }, nullptr},
      {"low priority", fine_path, [](F& f) { f.mutable_find_path()->set_priority(-kPriorityMax - 1); },
       "find_path.priority"},
      {"world", fine_path, [](F& f) { f.mutable_find_path()->clear_world(); }, "find_path.world", kMissing},
  });
}

TEST(ValidateWorld, Open) {
  expect_rows({
      {"longest name", fine_open, [](F& f) { f.mutable_open_world()->set_world(std::string(kWorldNameMaxBytes, 'w')); },
       nullptr},
      {"longer", fine_open, [](F& f) { f.mutable_open_world()->set_world(std::string(kWorldNameMaxBytes + 1, 'w')); },
       "open_world.world"},
      {"way out", fine_open, [](F& f) { f.mutable_open_world()->set_folder("../../etc"); }, "open_world.folder",
       kInvalid},
      {"slash", fine_open, [](F& f) { f.mutable_open_world()->set_folder("a/b"); }, "open_world.folder", kInvalid},
      {"control", fine_open, [](F& f) { f.mutable_open_world()->set_world("a\nb"); }, "open_world.world", kInvalid},
      {"namespace", fine_open, [](F& f) { f.mutable_open_world()->set_world("minecraft:the_nether"); }, nullptr},
      {"crooked min_y", fine_open, [](F& f) { f.mutable_open_world()->set_min_y(-63); }, "open_world.min_y", kInvalid},
      {"deep", fine_open, [](F& f) { f.mutable_open_world()->set_min_y(kWorldMinYMinBlocks - 16); },
       "open_world.min_y"},
      {"no height", fine_open, [](F& f) { f.mutable_open_world()->set_height(0); }, "open_world.height"},
      {"crooked height", fine_open, [](F& f) { f.mutable_open_world()->set_height(100); }, "open_world.height",
       kInvalid},
      {"highest", fine_open, [](F& f) { f.mutable_open_world()->set_height(kWorldHeightMaxBlocks); }, nullptr},
      {"higher", fine_open, [](F& f) { f.mutable_open_world()->set_height(kWorldHeightMaxBlocks + 16); },
       "open_world.height"},
      {"long version", fine_open,
       [](F& f) { f.mutable_open_world()->set_game_version(std::string(kGameVersionMaxBytes + 1, '1')); },
       "open_world.game_version"},
  });
}

/// Adds sections, each at another height, up to so many.
void fill_sections(F& f, int count) {
  for (int i = f.put_chunk().sections_size(); i < count; ++i) {
    v1::ChunkSection& section = *f.mutable_put_chunk()->add_sections();
    section.set_y(f.put_chunk().sections(0).y() - i);
    section.add_blocks(0);
  }
}

TEST(ValidateWorld, PaletteAndChunk) {
  expect_rows({
      {"no blocks", fine_palette, [](F& f) { f.mutable_set_palette()->clear_blocks(); }, "set_palette.blocks",
       kMissing},
      {"empty block", fine_palette, [](F& f) { f.mutable_set_palette()->add_blocks(""); }, "set_palette.blocks[1]",
       kMissing},
      {"long block", fine_palette,
       [](F& f) { f.mutable_set_palette()->add_blocks(std::string(kBlockTextMaxBytes + 1, 'b')); },
       "set_palette.blocks[1]"},
      {"last number", fine_palette, [](F& f) { f.mutable_set_palette()->set_first(kPaletteMaxBlocks - 1); }, nullptr},
      {"one more", fine_palette, [](F& f) { f.mutable_set_palette()->set_first(kPaletteMaxBlocks); },
       "set_palette.first"},
      {"first wraps", fine_palette, [](F& f) { f.mutable_set_palette()->set_first(0xffffffffu); }, "set_palette.first"},
      {"over the end", fine_palette,
       [](F& f) {
         f.mutable_set_palette()->set_first(kPaletteMaxBlocks - 1);
         f.mutable_set_palette()->add_blocks("stone");
       },
       "set_palette.blocks"},
      {"last chunk", fine_chunk, [](F& f) { f.mutable_put_chunk()->set_x(-kChunkCoordinateMaxChunks); }, nullptr},
      {"beyond", fine_chunk, [](F& f) { f.mutable_put_chunk()->set_z(kChunkCoordinateMaxChunks); }, "put_chunk.z"},
      {"number", fine_chunk, [](F& f) { f.mutable_put_chunk()->mutable_sections(0)->set_blocks(0, 2); },
       "put_chunk.sections[0].blocks[0]", ErrorKind::palette_number_unknown},
      {"own palette", fine_chunk,
       [](F& f) {
         f.mutable_put_chunk()->clear_palette();
         f.mutable_put_chunk()->mutable_sections(0)->set_blocks(0, kPaletteMaxBlocks - 1);
       },
       nullptr},
      {"own palette, too far", fine_chunk,
       [](F& f) {
         f.mutable_put_chunk()->clear_palette();
         f.mutable_put_chunk()->mutable_sections(0)->set_blocks(0, kPaletteMaxBlocks);
       },
       "put_chunk.sections[0].blocks[0]"},
      {"4096 blocks", fine_chunk,
       [](F& f) { f.mutable_put_chunk()->mutable_sections(0)->mutable_blocks()->Resize(kSectionBlocks, 1); }, nullptr},
      {"4095 blocks", fine_chunk,
       [](F& f) { f.mutable_put_chunk()->mutable_sections(0)->mutable_blocks()->Resize(kSectionBlocks - 1, 1); },
       "put_chunk.sections[0].blocks", kInvalid},
      {"4097 blocks", fine_chunk,
       [](F& f) { f.mutable_put_chunk()->mutable_sections(0)->mutable_blocks()->Resize(kSectionBlocks + 1, 1); },
       "put_chunk.sections[0].blocks", kInvalid},
      {"no block", fine_chunk, [](F& f) { f.mutable_put_chunk()->mutable_sections(0)->clear_blocks(); },
       "put_chunk.sections[0].blocks", kInvalid},
      {"section", fine_chunk,
       [](F& f) { f.mutable_put_chunk()->mutable_sections(0)->set_y(kSectionCoordinateMaxSections + 1); },
       "put_chunk.sections[0].y"},
      {"sections", fine_chunk, [](F& f) { fill_sections(f, static_cast<int>(kSectionsMax)); }, nullptr},
      {"one section twice", fine_chunk,
       [](F& f) {
         fill_sections(f, 3);
         f.mutable_put_chunk()->mutable_sections(2)->set_y(f.put_chunk().sections(0).y());
       },
       "put_chunk.sections[2].y", kInvalid},
      {"the lowest and the highest section", fine_chunk,
       [](F& f) {
         fill_sections(f, 3);
         f.mutable_put_chunk()->mutable_sections(1)->set_y(-kSectionCoordinateMaxSections);
         f.mutable_put_chunk()->mutable_sections(2)->set_y(kSectionCoordinateMaxSections);
       },
       nullptr},
      {"a section more", fine_chunk, [](F& f) { fill_sections(f, static_cast<int>(kSectionsMax) + 1); },
       "put_chunk.sections"},
  });
}

TEST(ValidateWorld, SetBlocks) {
  expect_rows({
      {"nothing", fine_blocks, [](F& f) { f.mutable_set_blocks()->clear_changes(); }, "set_blocks.changes", kMissing},
      {"nowhere", fine_blocks, [](F& f) { f.mutable_set_blocks()->mutable_changes(0)->clear_where(); },
       "set_blocks.changes[0].at", kMissing},
      {"no block", fine_blocks, [](F& f) { f.mutable_set_blocks()->mutable_changes(0)->clear_what(); },
       "set_blocks.changes[0].block", kMissing},
      {"empty block", fine_blocks, [](F& f) { f.mutable_set_blocks()->mutable_changes(0)->set_block(""); },
       "set_blocks.changes[0].block", kMissing},
      {"number", fine_blocks,
       [](F& f) { f.mutable_set_blocks()->mutable_changes(0)->set_number(kPaletteMaxBlocks - 1); }, nullptr},
      {"number beyond", fine_blocks,
       [](F& f) { f.mutable_set_blocks()->mutable_changes(0)->set_number(kPaletteMaxBlocks); },
       "set_blocks.changes[0].number"},
      {"far", fine_blocks,
       [](F& f) { f.mutable_set_blocks()->mutable_changes(0)->mutable_at()->set_y(kCoordinateMaxBlocks + 1); },
       "set_blocks.changes[0].at.y"},
      {"largest box", fine_blocks,
       [](F& f) { *f.mutable_set_blocks()->mutable_changes(0)->mutable_box() = box(0, 0, 0, 255, 255, 255); }, nullptr},
      {"larger box", fine_blocks,
       [](F& f) { *f.mutable_set_blocks()->mutable_changes(0)->mutable_box() = box(0, 0, 0, 256, 255, 255); },
       "set_blocks.changes[0].box"},
      {"overflowing box", fine_blocks,
       [](F& f) {
         constexpr int kMax = kCoordinateMaxBlocks;
         *f.mutable_set_blocks()->mutable_changes(0)->mutable_box() = box(-kMax, -kMax, -kMax, kMax, kMax, kMax);
       },
       "set_blocks.changes[0].box"},
      {"inside out", fine_blocks,
       [](F& f) { *f.mutable_set_blocks()->mutable_changes(0)->mutable_box() = box(0, 1, 0, 0, 0, 0); },
       "set_blocks.changes[0].box.min.y", kInvalid},
      {"half a box", fine_blocks,
       [](F& f) {
         *f.mutable_set_blocks()->mutable_changes(0)->mutable_box() = box(0, 0, 0, 0, 0, 0);
         f.mutable_set_blocks()->mutable_changes(0)->mutable_box()->clear_max();
       },
       "set_blocks.changes[0].box.max", kMissing},
      {"many", fine_blocks,
       [](F& f) {
         while (f.set_blocks().changes_size() < static_cast<int>(kChangesMax))
           *f.mutable_set_blocks()->add_changes() = f.set_blocks().changes(0);
       },
       nullptr},
      {"too many", fine_blocks,
       [](F& f) {
         while (f.set_blocks().changes_size() <= static_cast<int>(kChangesMax))
           *f.mutable_set_blocks()->add_changes() = f.set_blocks().changes(0);
       },
       "set_blocks.changes"},
      {"much in all", fine_blocks,
       [](F& f) {
         *f.mutable_set_blocks()->add_changes()->mutable_box() = box(0, 0, 0, 255, 255, 255);
         f.mutable_set_blocks()->mutable_changes(1)->set_block("stone");
       },
       "set_blocks.changes"},
  });
}

TEST(ValidateQueries, Rows) {
  expect_rows({
      {"nothing", fine_query, [](F& f) { f.mutable_query_blocks()->clear_at(); }, "query_blocks.at", kMissing},
      {"both", fine_query, [](F& f) { *f.mutable_query_blocks()->mutable_box() = box(0, 0, 0, 1, 1, 1); },
       "query_blocks.box", kInvalid},
      {"detail", fine_query,
       [](F& f) { f.mutable_query_blocks()->set_detail(static_cast<v1::QueryBlocks::Detail>(3)); },
       "query_blocks.detail", kInvalid},
      {"box", fine_query,
       [](F& f) {
         f.mutable_query_blocks()->clear_at();
         *f.mutable_query_blocks()->mutable_box() = box(0, 0, 0, 63, 63, 63);
       },
       nullptr},
      {"larger box", fine_query,
       [](F& f) {
         f.mutable_query_blocks()->clear_at();
         *f.mutable_query_blocks()->mutable_box() = box(0, 0, 0, 63, 63, 64);
       },
       "query_blocks.box"},
      {"list", fine_query,
       [](F& f) {
         while (f.query_blocks().at_size() < static_cast<int>(kQueryBlocksMax)) f.mutable_query_blocks()->add_at();
       },
       nullptr},
      {"longer list", fine_query,
       [](F& f) {
         while (f.query_blocks().at_size() <= static_cast<int>(kQueryBlocksMax)) f.mutable_query_blocks()->add_at();
       },
       "query_blocks.at"},
      {"far", fine_query, [](F& f) { f.mutable_query_blocks()->add_at()->set_x(kCoordinateMaxBlocks + 1); },
       "query_blocks.at[1].x"},
      {"sight", fine_sight, [](F& f) { f.mutable_line_of_sight()->mutable_to()->set_x(kSightDistanceMaxBlocks); },
       nullptr},
      {"too far to see", fine_sight,
       [](F& f) { f.mutable_line_of_sight()->mutable_to()->set_x(kSightDistanceMaxBlocks + 1e-9); },
       "line_of_sight.to"},
      {"no eye", fine_sight, [](F& f) { f.mutable_line_of_sight()->clear_from(); }, "line_of_sight.from", kMissing},
      {"NaN sight", fine_sight, [](F& f) { f.mutable_line_of_sight()->mutable_to()->set_z(kNaN); },
       "line_of_sight.to.z", kInvalid},
      {"surface", fine_surface, [](F& f) { f.mutable_surface_below()->clear_from(); }, "surface_below.from", kMissing},
      {"NaN surface", fine_surface, [](F& f) { f.mutable_surface_below()->mutable_from()->set_y(kNaN); },
       "surface_below.from.y", kInvalid},
  });
}

TEST(ValidateFrame, NoRequestAndASecondHello) {
  v1::ClientFrame frame;
  EXPECT_EQ(validate(frame)->kind, ErrorKind::request_unknown);
  frame.mutable_hello();
  EXPECT_EQ(validate(frame)->kind, ErrorKind::hello_repeated);
  frame.mutable_cancel();
  EXPECT_EQ(validate(frame)->field, "cancel.request_id");
  frame.mutable_ping();
  EXPECT_FALSE(validate(frame));
}

TEST(ValidateHello, MagicVersionsAndTexts) {
  v1::Hello hello;
  hello.set_magic("voxpath");
  hello.set_min_version(1);
  hello.set_max_version(9);
  EXPECT_FALSE(validate(hello));
  hello.set_client_name(std::string(kClientNameMaxBytes, 'n'));
  hello.set_token(std::string(kTokenMaxBytes, 't'));
  EXPECT_FALSE(validate(hello));
  hello.set_min_version(2);
  EXPECT_EQ(validate(hello)->kind, ErrorKind::version_unsupported);
  EXPECT_EQ(validate(hello)->field, "hello.min_version");
  hello.set_min_version(0);
  hello.set_max_version(0);
  EXPECT_EQ(validate(hello)->field, "hello.max_version");
  hello.set_max_version(1);
  hello.set_token(std::string(kTokenMaxBytes + 1, 't'));
  EXPECT_EQ(validate(hello)->field, "hello.token");
  hello.clear_token();
  hello.set_client_name(std::string(kClientNameMaxBytes + 1, 'n'));
  EXPECT_EQ(validate(hello)->field, "hello.client_name");
  hello.set_magic("voxpath2");
  EXPECT_EQ(validate(hello)->kind, ErrorKind::not_voxpath);
}

}  // namespace
}  // namespace voxpath::protocol
