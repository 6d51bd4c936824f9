#include "world/anvil/nbt.hpp"

#include "world/anvil/big_endian.hpp"

#include <array>
#include <type_traits>

#include <fmt/format.h>

namespace voxpath::world::nbt {

namespace {

constexpr std::size_t kTags = 13;
/// Bytes of a value, or of an array's element; 0 where it depends on the value.
constexpr std::array<std::size_t, kTags> kSize = {0, 1, 2, 4, 8, 4, 8, 1, 0, 0, 0, 4, 8};
/// The fewest bytes that an element of a list can take: bounds a list's count by what is left of the document.
constexpr std::array<std::size_t, kTags> kSizeMin = {0, 1, 2, 4, 8, 4, 8, 4, 2, 5, 1, 4, 4};

constexpr std::size_t ordinal(Tag tag) { return static_cast<std::size_t>(tag); }

}  // namespace

void Reader::fail(const char* why) {
  if (why_ == nullptr) why_ = why;
  bytes_ = bytes_.first(at_);
}

std::string Reader::error() const { return fmt::format("offset {} of the NBT: {}", at_, why_); }

Bytes Reader::take(std::size_t count) {
  if (count > bytes_.size() - at_) {
    fail("the data ends inside a value");
    return {};
  }
  const Bytes taken = bytes_.subspan(at_, count);
  at_ += count;
  return taken;
}

template <class T>
T Reader::number() {
  const Bytes b = take(sizeof(T));
  return b.empty() ? T{0} : static_cast<T>(load_big_endian<std::make_unsigned_t<T>>(b.data()));
}

bool Reader::enter_root() {
  if (number<std::uint8_t>() != ordinal(Tag::compound)) {
    fail("the document does not begin with a compound");
    return false;
  }
  string();
  return ok();
}

bool Reader::next(Field& field) {
  const auto tag = number<std::uint8_t>();
  if (tag == 0) return false;
  if (tag >= kTags) {
    fail("an unknown tag");
    return false;
  }
  field.tag = Tag{tag};
  field.name = string();
  return ok();
}

std::int64_t Reader::integer(Tag tag, std::int64_t otherwise) {
  switch (tag) {
    case Tag::int8:
      return number<std::int8_t>();
    case Tag::int16:
      return number<std::int16_t>();
    case Tag::int32:
      return number<std::int32_t>();
    case Tag::int64:
      return number<std::int64_t>();
    default:
      skip(tag);
      return otherwise;
  }
}

std::string_view Reader::string() {
  const Bytes b = take(number<std::uint16_t>());
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

ListHeader Reader::list() {
  const auto tag = number<std::uint8_t>();
  const auto count = number<std::int32_t>();
  if (tag >= kTags) {
    fail("a list of an unknown tag");
  } else if (count < 0) {
    fail("a list of negative length");
  } else if (count > 0 && tag == 0) {
    fail("a list of nothing that is not empty");
  } else if (static_cast<std::size_t>(count) * kSizeMin[tag] > bytes_.size() - at_) {
    fail("a list longer than the data");
  }
  return ok() ? ListHeader{Tag{tag}, count} : ListHeader{};
}

Bytes Reader::array(Tag tag) {
  const auto count = number<std::int32_t>();
  if (count < 0) {
    fail("an array of negative length");
    return {};
  }
  return take(static_cast<std::size_t>(count) * kSize[ordinal(tag)]);
}

Bytes Reader::skip(Tag tag) {
  const std::size_t from = at_;
  skip_value(tag, 0);
  return bytes_.subspan(from, at_ - from);
}

void Reader::skip_value(Tag tag, int depth) {
  if (depth > kDepthMax) return fail("compounds and lists nested more than 512 deep");
  switch (tag) {
    case Tag::int8_array:
    case Tag::int32_array:
    case Tag::int64_array:
      array(tag);
      return;
    case Tag::string:
      string();
      return;
    case Tag::list: {
      const ListHeader header = list();
      if (const std::size_t size = kSize[ordinal(header.tag)]; size != 0 && header.tag < Tag::int8_array) {
        take(static_cast<std::size_t>(header.count) * size);
      } else {
        for (std::int32_t i = 0; i < header.count && ok(); ++i) skip_value(header.tag, depth + 1);
      }
      return;
    }
    case Tag::compound:
      for (Field field; next(field);) skip_value(field.tag, depth + 1);
      return;
    default:
      take(kSize[ordinal(tag)]);
  }
}

}  // namespace voxpath::world::nbt
