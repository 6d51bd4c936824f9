// Fuzz target: a configuration's text. Every text is either a configuration or an error that says something.
#include "server/config.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto config = voxpath::server::parse_config({reinterpret_cast<const char*>(data), size}, "/nonexistent");
  if (!config && config.error().message.empty()) std::abort();
  return 0;
}
