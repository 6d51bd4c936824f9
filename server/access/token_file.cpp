#include "server/access/token_file.hpp"

#include "protocol/checks.hpp"
#include "protocol/limits.hpp"
#include "world/blocks/error_text.hpp"
#include "world/number.hpp"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::server {

using world::Error;
using world::ErrorCode;
using world::Result;

namespace {

constexpr std::array<std::string_view, 7> kKeys{"name",        "role",    "weight", "jobs_queued",
                                                "connections", "watches", "token"};
constexpr std::size_t kTokenNameMaxBytes = 64;

Error wrong(std::string message, ErrorCode code = ErrorCode::invalid_argument) { return {code, std::move(message)}; }

template <class T>
std::optional<Error> set_number(std::string_view key, std::string_view value, T& out, std::size_t high) {
  const auto n = world::number<std::size_t>(value);
  if (!n || *n < 1 || *n > high) {
    return wrong(fmt::format("{} is '{}', the limit is 1..{}", key, protocol::printable(value), high),
                 ErrorCode::out_of_range);
  }
  out = static_cast<T>(*n);
  return std::nullopt;
}

std::optional<Error> set(std::string_view key, std::string_view value, Grant& grant) {
  if (key == "name") {
    if (const auto refused = protocol::check_name("name", value, kTokenNameMaxBytes)) return wrong(refused->message);
    grant.name = value;
    return std::nullopt;
  }
  if (key == "role") {
    const auto role = role_named(value);
    if (!role) {
      return wrong(
          fmt::format("role is '{}', and must be one of {}", protocol::printable(value), fmt::join(kRoleNames, ", ")));
    }
    grant.role = *role;
    return std::nullopt;
  }
  if (key == "weight") return set_number(key, value, grant.share.weight, kShareWeightMax);
  if (key == "jobs_queued") return set_number(key, value, grant.share.jobs_waiting, protocol::kInFlightMax);
  if (key == "connections") return set_number(key, value, grant.connections_max, protocol::kConnectionsMax);
  if (key == "watches") return set_number(key, value, grant.watches_max, protocol::kWatchesMax);
  const std::string_view nearest = world::nearest_name(key, kKeys);
  return wrong(fmt::format("there is no key '{}'{}", protocol::printable(key),
                           nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

/// "key=value key=value token=SECRET": the secret is the rest of the line, whatever is in it.
std::optional<Error> read_words(std::string_view line, AccessToken& token) {
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return wrong("token= is missing; it stands last");
    const std::size_t equals = line.find_first_of("= \t");
    if (equals == std::string_view::npos || line[equals] != '=')
      return wrong("a line is KEY=VALUE KEY=VALUE token=..., or a token alone");
    const std::string_view key = line.substr(0, equals);
    line.remove_prefix(equals + 1);
    if (key == "token") {
      token.secret = line;
      return std::nullopt;
    }
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    if (auto error = set(key, line.substr(0, end), token.grant)) return error;
    line.remove_prefix(end);
  }
}

Result<AccessToken> parse_line(std::string_view line, const Grant& defaults) {
  AccessToken token{{}, defaults};
  if (line.starts_with("name=")) {
    if (auto error = read_words(line, token)) return *error;
  } else {
    token.secret = line;
  }
  if (token.secret.empty()) return wrong("the token is empty");
  if (token.secret.size() > protocol::kTokenMaxBytes) {
    return wrong(fmt::format("the token is longer than {} bytes", protocol::kTokenMaxBytes), ErrorCode::out_of_range);
  }
  return token;
}

}  // namespace

Result<std::vector<AccessToken>> parse_tokens(std::string_view text, const std::string& file, const Grant& defaults) {
  std::vector<AccessToken> tokens;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    Grant granted = defaults;
    granted.name = fmt::format("{}:{}", file, number);
    auto token = parse_line(line, granted);
    if (!token) return wrong(fmt::format("'{}', line {}: {}", file, number, token.error().message), token.error().code);
    if (tokens.size() == kTokensMax)
      return wrong(fmt::format("'{}' has more than {} tokens", file, kTokensMax), ErrorCode::out_of_range);
    tokens.push_back(*std::move(token));
  }
  if (tokens.empty()) return wrong(fmt::format("there is no token in '{}'", file));
  return tokens;
}

std::string repeated_token(const std::vector<AccessToken>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (tokens[i].secret == tokens[j].secret) {
        return fmt::format("the tokens '{}' and '{}' are the same: one is there twice", tokens[j].grant.name,
                           tokens[i].grant.name);
      }
      if (tokens[i].grant.name == tokens[j].grant.name)
        return fmt::format("two tokens are called '{}'", tokens[i].grant.name);
    }
  }
  return {};
}

}  // namespace voxpath::server
