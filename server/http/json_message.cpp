#include "server/http/json_message.hpp"

#include "server/http/strict_json.hpp"

#include <fmt/format.h>
#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;
using protocol::printable;

namespace {

constexpr std::size_t kValueMaxBytes = 64;

std::string joined(std::string_view prefix, std::string_view field) {
  if (prefix.empty() || field.empty()) return std::string(prefix.empty() ? field : prefix);
  return fmt::format("{}.{}", prefix, field);
}

/// What protobuf says of a field: "(start.cell) yy: Cannot find field." or "(start.cell.y): invalid value 1.5 for type ...".
Failure field_failure(std::string_view said, std::string_view prefix) {
  constexpr std::string_view kUnknown = ": Cannot find field.";
  constexpr std::string_view kInvalid = "invalid value ";
  constexpr std::string_view kType = " for type ";
  std::string_view place;
  std::string_view rest = said;
  if (const std::size_t end = said.find(')'); said.starts_with('(') && end != std::string_view::npos) {
    place = said.substr(1, end - 1);
    rest = said.substr(end + 1);
  }
  while (rest.starts_with(' ') || rest.starts_with(':')) rest.remove_prefix(1);
  Failure failure{ErrorKind::json_malformed, {}, joined(prefix, printable(place, 256))};
  if (rest.ends_with(kUnknown)) {
    const std::string name = printable(rest.substr(0, rest.size() - kUnknown.size()), kValueMaxBytes);
    failure.field = joined(failure.field, name);
    failure.message = fmt::format("there is no field '{}'", failure.field);
    return failure;
  }
  const std::size_t type = rest.rfind(kType);
  if (rest.starts_with(kInvalid) && type != std::string_view::npos && type >= kInvalid.size()) {
    std::string_view value = rest.substr(kInvalid.size(), type - kInvalid.size());
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    std::string_view wanted = rest.substr(type + kType.size());
    if (const std::size_t name = wanted.rfind('/'); name != std::string_view::npos) wanted.remove_prefix(name + 1);
    failure.value = printable(value, kValueMaxBytes);
    failure.limit = printable(wanted, kValueMaxBytes);
    failure.message = fmt::format("{} is '{}', which is none of {}", failure.field.empty() ? "the body" : failure.field,
                                  failure.value, failure.limit);
    return failure;
  }
  failure.message = printable(rest, 200);
  return failure;
}

}  // namespace

std::optional<Failure> read_json(std::string_view text, std::string_view prefix, google::protobuf::Message* out) {
  if (auto refused = check_json(text)) {
    refused->field = joined(prefix, refused->field);
    return refused;
  }
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = false;
  options.case_insensitive_enum_parsing = false;
  const auto status = google::protobuf::util::JsonStringToMessage({text.data(), text.size()}, out, options);
  if (status.ok()) return std::nullopt;
  const auto said = status.message();
  return field_failure({said.data(), said.size()}, prefix);
}

std::string write_json(const google::protobuf::Message& message) {
  std::string out;
  const auto status = google::protobuf::util::MessageToJsonString(message, &out);
  return status.ok() ? out : "{}";
}

}  // namespace voxpath::server
