// nbt::Reader: pulls values out of an NBT document, the tree format of Minecraft's files, without building a tree.
// Thread-safety: a value over bytes that it does not own; the bytes must outlive the reader and all views it gave.
// Invariants: never reads past the bytes; after the first fault every read gives nothing and next() gives false, so
// that callers need to look at ok() only once, at the end.
// Usage: Reader r(bytes); r.enter_root(); for (Field f; r.next(f);) { ... or r.skip(f.tag); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace voxpath::world::nbt {

using Bytes = std::span<const std::uint8_t>;

/// The values are the format's.
enum class Tag : std::uint8_t {
  end,
  int8,
  int16,
  int32,
  int64,
  float32,
  float64,
  int8_array,
  string,
  list,
  compound,
  int32_array,
  int64_array
};

inline constexpr int kDepthMax = 512;  // compounds and lists in one another; the game's own limit

struct Field {
  Tag tag = Tag::end;
  std::string_view name;
};

struct ListHeader {
  Tag tag = Tag::end;      // of every element; elements have no names
  std::int32_t count = 0;  // not more than the remaining bytes can hold
};

class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}
  Reader() = default;

  /// Enters the document's root compound. False: it has none.
  bool enter_root();
  /// The next field of the compound that the reader is in. False: the compound ended (the reader is behind it), or a
  /// fault. The caller then takes the value: by the member for its tag, or by skip().
  bool next(Field& field);

  /// A value of one of the four integer tags; any other is skipped and gives `otherwise`.
  std::int64_t integer(Tag tag, std::int64_t otherwise = 0);
  std::string_view string();
  ListHeader list();
  /// The elements of an array as they lie in the file: big-endian, 1, 4 or 8 bytes each.
  Bytes array(Tag tag);
  /// Passes over a value of any tag and gives its bytes.
  Bytes skip(Tag tag);

  [[nodiscard]] bool ok() const { return why_ == nullptr; }
  /// "offset 123: why". Precondition: !ok().
  [[nodiscard]] std::string error() const;

 private:
  Bytes take(std::size_t count);
  template <class T>
  T number();
  void fail(const char* why);
  void skip_value(Tag tag, int depth);

  Bytes bytes_;  // cut off at the fault once there is one
  std::size_t at_ = 0;
  const char* why_ = nullptr;
};

}  // namespace voxpath::world::nbt
