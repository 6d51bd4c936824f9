// Big-endian numbers in bytes, as region files and NBT store them.
// Thread-safety: pure functions.
// Usage: load_big_endian<std::uint32_t>(p), with sizeof the type readable bytes at p.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace voxpath::world {

template <std::unsigned_integral T>
T load_big_endian(const std::uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  if constexpr (std::endian::native == std::endian::big || sizeof v == 1) {
    return v;
  } else if constexpr (sizeof v == 2) {
    return __builtin_bswap16(v);
  } else if constexpr (sizeof v == 4) {
    return __builtin_bswap32(v);
  } else {
    return __builtin_bswap64(v);
  }
}

}  // namespace voxpath::world
