// Fuzz target: a token file's text. Every text is either tokens within the limits or an error that says something.
#include "server/access/token_file.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace voxpath::server;
  const auto tokens = parse_tokens({reinterpret_cast<const char*>(data), size}, "tokens", {});
  if (!tokens) {
    if (tokens.error().message.empty()) std::abort();
    return 0;
  }
  if (tokens->size() > kTokensMax) std::abort();
  (void)repeated_token(*tokens);
  return 0;
}
