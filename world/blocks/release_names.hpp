// Release names: what the DataVersion that the game writes into its chunks is called.
// Thread-safety: pure functions.
// Source: PrismarineJS minecraft-data (MIT), pc/common/protocolVersions.json, and the game's own version.json files.
#pragma once

#include <cstdint>
#include <string>

namespace voxpath::world {

/// "1.20.4"; "1.20.4..1.20.5" for what was never released, "1.8 or older" for chunks that have none (0), "after 26.1" for
/// what came later than this list.
std::string release_name(std::int32_t data_version);

}  // namespace voxpath::world
