// Embedded tables: the text of block_table.tsv and legacy_ids.tsv, part of the library since the build.
// Thread-safety: constants for the life of the program.
// Usage: read by BlockCatalog and by BlockTable::legacy_state(); the lines are explained at the head of each file.
#pragma once

#include <string_view>

namespace voxpath::world {

std::string_view block_table_tsv();
std::string_view legacy_ids_tsv();

}  // namespace voxpath::world
