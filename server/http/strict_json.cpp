#include "server/http/strict_json.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace json = boost::json;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

/// deadline_ms and deadlineMs name the same field.
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

/// What the parser tells of a text, level by level.
class Handler {
 public:
  // The parser asks for these by their names; what they would bound is bounded by the text itself.
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_key_size = kJsonNameMaxBytes;
  static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();

  using Code = json::error_code;
  using Text = json::string_view;

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code& code) {
    if (depth_ > 0 && !value(code)) return false;
    return open(false);
  }
  bool on_object_end(std::size_t, Code&) { return close(); }
  bool on_array_begin(Code& code) {
    if (!value(code)) return false;
    if (level().array) return fail(code, "there is an array in an array");
    return open(true);
  }
  bool on_array_end(std::size_t, Code&) { return close(); }
  bool on_key_part(Text part, std::size_t, Code&) {
    key_.append(part.data(), part.size());
    return true;
  }
  bool on_key(Text part, std::size_t, Code& code) {
    key_.append(part.data(), part.size());
    Level& at = level();
    at.name.swap(key_);
    key_.clear();
    if (at.count == kJsonNamesMax) return fail(code, "there are more fields than any message has");
    const std::string name = folded(at.name);
    const auto end = at.names.begin() + static_cast<std::ptrdiff_t>(at.count);
    if (std::find(at.names.begin(), end, name) != end) return fail(code, "the field is there twice");
    if (at.names.size() == at.count) at.names.emplace_back();
    at.names[at.count++] = name;
    return true;
  }
  bool on_string_part(Text, std::size_t, Code&) { return true; }
  bool on_string(Text, std::size_t, Code& code) { return value(code); }
  bool on_number_part(Text, Code&) { return true; }
  bool on_int64(std::int64_t, Text, Code& code) { return value(code); }
  bool on_uint64(std::uint64_t, Text, Code& code) { return value(code); }
  bool on_double(double number, Text, Code& code) {
    if (!value(code)) return false;
    return std::isfinite(number) || fail(code, "the number is beyond the range of a double");
  }
  bool on_bool(bool, Code& code) { return value(code); }
  bool on_null(Code& code) { return value(code); }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }

  /// What was found wrong; empty: the parser itself did.
  [[nodiscard]] const std::string& said() const { return said_; }
  /// Where the parser is.
  [[nodiscard]] std::string path() const {
    std::string path;
    for (std::size_t i = 0; i < depth_; ++i) {
      const Level& at = levels_[i];
      if (at.array) {
        if (at.count > 0) path += fmt::format("[{}]", at.count - 1);
      } else if (!at.name.empty()) {
        path += fmt::format("{}{}", path.empty() ? "" : ".", protocol::printable(at.name, kJsonNameMaxBytes));
      }
    }
    return path;
  }

 private:
  struct Level {
    bool array = false;
    std::size_t count = 0;           // names of the object, or values of the array
    std::string name;                // the newest
    std::vector<std::string> names;  // the first `count`; the others are kept for their memory
  };

  [[nodiscard]] Level& level() { return levels_[depth_ - 1]; }
  bool value(Code& code) {
    if (depth_ == 0) return fail(code, "the text must be an object");
    if (level().array) ++level().count;
    return true;
  }
  bool open(bool array) {
    if (levels_.size() == depth_) levels_.emplace_back();
    Level& at = levels_[depth_++];
    at.array = array;
    at.count = 0;
    at.name.clear();
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }
  bool fail(Code& code, const char* why) {
    said_ = why;
    code = json::error::syntax;
    return false;
  }

  std::vector<Level> levels_;  // the first depth_ are open
  std::size_t depth_ = 0;
  std::string key_;
  std::string said_;
};

}  // namespace

std::optional<Failure> check_json(std::string_view text) {
  json::parse_options options;
  options.max_depth = protocol::kJsonDepthMax;
  json::basic_parser<Handler> parser(options);
  json::error_code code;
  const std::size_t at = parser.write_some(false, text.data(), text.size(), code);
  if (!code && at == text.size()) return std::nullopt;
  const Handler& handler = parser.handler();
  Failure failure{ErrorKind::json_malformed, {}, handler.path()};
  if (!handler.said().empty()) {
    failure.message = failure.field.empty() ? handler.said() : fmt::format("{}: {}", failure.field, handler.said());
  } else if (code == json::error::too_deep) {
    failure.message = "the text is nested too deep";
    failure.limit = fmt::format("{} levels", protocol::kJsonDepthMax);
  } else {
    failure.message = fmt::format("no JSON at byte {}: {}", at, code ? code.message() : "something follows its end");
    failure.value = protocol::printable(text.substr(std::min(at, text.size()), 16), 32);
  }
  return failure;
}

}  // namespace voxpath::server
