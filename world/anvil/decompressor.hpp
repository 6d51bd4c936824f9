// Decompressor: a chunk's bytes in any of the four compressions of region files, to NBT.
// Thread-safety: none; one for each worker. A result lives until the next call or the decompressor's end.
// Invariant: never gives more than kChunkNbtBytesMax, however the input was made. Checksums are checked.
#pragma once

#include "world/anvil/region.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <memory>
#include <span>

struct libdeflate_decompressor;

namespace voxpath::world {

inline constexpr std::size_t kChunkNbtBytesMax = 64u << 20;  // bytes of one chunk

class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Bytes after the end of the compressed data are left alone. Errors: data_loss, resource_exhausted
  /// (kChunkNbtBytesMax).
  Result<std::span<const std::uint8_t>> decompress(Compression compression, std::span<const std::uint8_t> data);

 private:
  Result<std::span<const std::uint8_t>> inflate(bool gzip, std::span<const std::uint8_t> data);
  Result<std::span<const std::uint8_t>> lz4_stream(std::span<const std::uint8_t> data);
  /// Makes room for `bytes`, keeping the first `kept`. False: too many.
  bool reserve(std::size_t bytes, std::size_t kept);

  libdeflate_decompressor* deflate_;
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t capacity_ = 0;
};

}  // namespace voxpath::world
