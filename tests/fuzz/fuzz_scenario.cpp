// Fuzz target: a scenario file's text. Every text is either a scenario or an error that says something.
#include "server/scenario/scenario_file.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto table = voxpath::world::BlockTable::for_version("1.20.1");
  if (!table) std::abort();
  const auto scenario = voxpath::server::read_scenario({reinterpret_cast<const char*>(data), size}, *table);
  if (scenario ? scenario->world == nullptr : scenario.error().message.empty()) std::abort();
  return 0;
}
