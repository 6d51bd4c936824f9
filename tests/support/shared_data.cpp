#include "tests/support/shared_data.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <libdeflate.h>

namespace voxpath::test {

std::filesystem::path shared_dir() {
  const char* set = std::getenv("VOXPATH_SHARED_DIR");
  return set != nullptr ? set : VOXPATH_SHARED_DIR;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string read_gzip(const std::filesystem::path& path) {
  const std::string packed = read_file(path);
  std::uint32_t size = 0;  // gzip's last four bytes: the unpacked size
  if (packed.size() < 18) throw std::runtime_error("not gzip: " + path.string());
  std::memcpy(&size, packed.data() + packed.size() - 4, 4);
  std::string text(size, '\0');
  libdeflate_decompressor* d = libdeflate_alloc_decompressor();
  const auto result = libdeflate_gzip_decompress(d, packed.data(), packed.size(), text.data(), text.size(), nullptr);
  libdeflate_free_decompressor(d);
  if (result != LIBDEFLATE_SUCCESS) throw std::runtime_error("cannot unpack " + path.string());
  return text;
}

}  // namespace voxpath::test
