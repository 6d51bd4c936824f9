// Fuzz target: a scenario file's text. Every text is either a scenario or an error that says something.
#include "server/scenario/scenario_file.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using voxpath::world::BlockTable;
  static const auto table = BlockTable::for_version(BlockTable::versions().back());
  if (!table) std::abort();
  const auto scenario = voxpath::server::read_scenario({reinterpret_cast<const char*>(data), size}, *table);
  if (scenario ? scenario->world == nullptr : scenario.error().message.empty()) std::abort();
  return 0;
}
