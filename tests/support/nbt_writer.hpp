// NbtWriter and RegionWriter: NBT documents and region files for tests, byte by byte, also such as no program should
// write.
// Thread-safety: one thread.
// Usage: NbtWriter n; n.compound("").int32("xPos", 0).end(); RegionWriter r; r.put(0, 0, 3, n.bytes()); Region
// region({0, 0}, r.bytes());
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace voxpath::test {

using ByteVector = std::vector<std::uint8_t>;

/// Appends the lowest `count` bytes of `value`, the highest first.
inline void append_big_endian(ByteVector& to, std::uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

class NbtWriter {
 public:
  NbtWriter& compound(std::string_view name) { return head(10, name); }
  /// An element of a list of compounds needs no beginning, only this end.
  NbtWriter& end() { return raw({0}); }
  NbtWriter& list(std::string_view name, std::uint8_t tag, std::int32_t count) {
    head(9, name).raw({tag});
    return number(static_cast<std::uint32_t>(count), 4);
  }
  NbtWriter& int8(std::string_view name, int v) { return head(1, name).number(static_cast<std::uint64_t>(v), 1); }
  NbtWriter& int32(std::string_view name, int v) { return head(3, name).number(static_cast<std::uint64_t>(v), 4); }
  NbtWriter& string(std::string_view name, std::string_view v) { return head(8, name).text(v); }
  NbtWriter& byte_array(std::string_view name, std::span<const std::uint8_t> v) {
    head(7, name).number(v.size(), 4);
    bytes_.insert(bytes_.end(), v.begin(), v.end());
    return *this;
  }
  NbtWriter& long_array(std::string_view name, std::span<const std::uint64_t> v) {
    head(12, name).number(v.size(), 4);
    for (const std::uint64_t word : v) number(word, 8);
    return *this;
  }
  NbtWriter& number(std::uint64_t v, int count) {
    append_big_endian(bytes_, v, count);
    return *this;
  }
  NbtWriter& text(std::string_view v) {
    number(v.size(), 2);
    bytes_.insert(bytes_.end(), v.begin(), v.end());
    return *this;
  }
  NbtWriter& raw(std::initializer_list<std::uint8_t> v) {
    bytes_.insert(bytes_.end(), v);
    return *this;
  }
  NbtWriter& head(std::uint8_t tag, std::string_view name) { return raw({tag}).text(name); }

  [[nodiscard]] const ByteVector& bytes() const { return bytes_; }

 private:
  ByteVector bytes_;
};

class RegionWriter {
 public:
  static constexpr std::size_t kSector = 4096;
  RegionWriter() : bytes_(2 * kSector) {}

  /// A record whose stated length is `length_error` off; then padding to a whole sector.
  RegionWriter& put(int local_x, int local_z, std::uint8_t compression, std::span<const std::uint8_t> data,
                    int length_error = 0) {
    const std::size_t at = bytes_.size();
    append_big_endian(bytes_, static_cast<std::uint64_t>(static_cast<std::int64_t>(data.size()) + 1 + length_error), 4);
    bytes_.push_back(compression);
    bytes_.insert(bytes_.end(), data.begin(), data.end());
    bytes_.resize((bytes_.size() + kSector - 1) / kSector * kSector);
    return entry(local_x, local_z, at / kSector, (bytes_.size() - at) / kSector);
  }
  /// Only the table's entry.
  RegionWriter& entry(int local_x, int local_z, std::size_t sector, std::size_t count) {
    ByteVector e;
    append_big_endian(e, sector << 8 | count, 4);
    std::copy(e.begin(), e.end(), bytes_.begin() + 4 * (local_z * 32 + local_x));
    return *this;
  }
  [[nodiscard]] ByteVector& bytes() { return bytes_; }

 private:
  ByteVector bytes_;
};

}  // namespace voxpath::test
