#include "world/anvil/decompressor.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string_view>

#include <fmt/format.h>
#include <libdeflate.h>
#include <lz4.h>
#include <xxhash.h>

namespace voxpath::world {

namespace {

constexpr std::size_t kBufferBytesMin = 256u << 10;  // a usual chunk of today fits

// The frame of lz4-java's LZ4BlockOutputStream, which Minecraft writes: blocks of magic, token, two lengths and a
// checksum, all little-endian, until a block of length 0. It is not the LZ4 frame format that the lz4 library reads.
constexpr std::string_view kLz4Magic = "LZ4Block";
constexpr std::size_t kLz4HeaderBytes = 21;
constexpr std::uint8_t kLz4MethodRaw = 0x10;
constexpr std::uint8_t kLz4MethodLz4 = 0x20;
constexpr std::uint32_t kLz4Seed = 0x9747b28c;
constexpr std::uint32_t kLz4ChecksumMask = 0x0fffffff;

std::uint32_t load_little_endian(const std::uint8_t* p) {
  return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
}

Error too_large() {
  return {ErrorCode::resource_exhausted, fmt::format("it decompresses to more than {} bytes", kChunkNbtBytesMax)};
}
Error damage(std::string why) { return {ErrorCode::data_loss, std::move(why)}; }

}  // namespace

Decompressor::Decompressor() : deflate_(libdeflate_alloc_decompressor()) {
  if (deflate_ == nullptr) throw std::bad_alloc();
}
Decompressor::~Decompressor() { libdeflate_free_decompressor(deflate_); }

bool Decompressor::reserve(std::size_t bytes, std::size_t kept) {
  if (bytes <= capacity_) return true;
  if (bytes > kChunkNbtBytesMax) return false;
  const std::size_t grown = std::max(std::bit_ceil(bytes), kBufferBytesMin);
  auto buffer = std::make_unique_for_overwrite<std::uint8_t[]>(grown);
  if (kept > 0) std::memcpy(buffer.get(), buffer_.get(), kept);
  buffer_ = std::move(buffer);
  capacity_ = grown;
  return true;
}

Result<std::span<const std::uint8_t>> Decompressor::decompress(Compression compression,
                                                               std::span<const std::uint8_t> data) {
  switch (compression) {
    case Compression::gzip:
      return inflate(true, data);
    case Compression::zlib:
      return inflate(false, data);
    case Compression::none:
      if (data.size() > kChunkNbtBytesMax) return too_large();
      return data;
    case Compression::lz4:
      return lz4_stream(data);
  }
  return Error{ErrorCode::internal, "unknown compression"};
}

Result<std::span<const std::uint8_t>> Decompressor::inflate(bool gzip, std::span<const std::uint8_t> data) {
  const auto call = gzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  if (!reserve(kBufferBytesMin, 0)) return too_large();
  for (;;) {
    std::size_t used = 0;
    std::size_t written = 0;
    switch (call(deflate_, data.data(), data.size(), buffer_.get(), capacity_, &used, &written)) {
      case LIBDEFLATE_SUCCESS:
        return std::span<const std::uint8_t>(buffer_.get(), written);
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        if (!reserve(capacity_ * 2, 0)) return too_large();
        break;
      default:
        return damage(
            fmt::format("its {} bytes of {} data are damaged or cut short", data.size(), gzip ? "gzip" : "zlib"));
    }
  }
}

Result<std::span<const std::uint8_t>> Decompressor::lz4_stream(std::span<const std::uint8_t> data) {
  std::size_t written = 0;
  for (std::size_t at = 0;;) {
    const auto block = data.subspan(at);
    if (block.size() < kLz4HeaderBytes || std::memcmp(block.data(), kLz4Magic.data(), kLz4Magic.size()) != 0) {
      return damage(fmt::format("no LZ4 block begins at byte {} of its {} bytes of LZ4 data", at, data.size()));
    }
    const auto method = static_cast<std::uint8_t>(block[8] & 0xf0);
    const std::uint32_t packed = load_little_endian(&block[9]);
    const std::uint32_t unpacked = load_little_endian(&block[13]);
    const std::uint32_t checksum = load_little_endian(&block[17]);
    if (unpacked == 0) return std::span<const std::uint8_t>(buffer_.get(), written);
    if (packed > block.size() - kLz4HeaderBytes) {
      return damage(fmt::format("the LZ4 block at byte {} has {} bytes, and {} follow", at, packed,
                                block.size() - kLz4HeaderBytes));
    }
    if (unpacked > kChunkNbtBytesMax || !reserve(written + unpacked, written)) return too_large();
    const std::uint8_t* const source = block.data() + kLz4HeaderBytes;
    std::uint8_t* const target = buffer_.get() + written;
    bool good = false;
    if (method == kLz4MethodRaw) {
      good = packed == unpacked;
      if (good) std::memcpy(target, source, unpacked);
    } else if (method == kLz4MethodLz4) {
      good = LZ4_decompress_safe(reinterpret_cast<const char*>(source), reinterpret_cast<char*>(target),
                                 static_cast<int>(packed), static_cast<int>(unpacked)) == static_cast<int>(unpacked);
    }
    if (!good || (XXH32(target, unpacked, kLz4Seed) & kLz4ChecksumMask) != checksum) {
      return damage(fmt::format("the LZ4 block at byte {} is damaged", at));
    }
    written += unpacked;
    at += kLz4HeaderBytes + packed;
  }
}

}  // namespace voxpath::world
