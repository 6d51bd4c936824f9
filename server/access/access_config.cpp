#include "server/access/access_config.hpp"

#include "protocol/checks.hpp"
#include "protocol/limits.hpp"
#include "server/access/token_file.hpp"

#include <array>
#include <charconv>

#include <fmt/ranges.h>

namespace voxpath::server {

namespace {

constexpr std::array<std::string_view, 3> kTlsKeys{"certificate", "key", "client_ca"};
constexpr std::array<std::string_view, 7> kTokenKeys{"file",        "name",        "role",   "weight",
                                                     "jobs_queued", "connections", "watches"};
constexpr std::size_t kTokenNameMaxBytes = 64;

void read_role(ConfigReader& table, Role& role) {
  std::string name(name_of(role));
  table.text("role", name);
  if (const auto named = role_named(name)) {
    role = *named;
    return;
  }
  table.fail(table.at("role", fmt::format("{} is '{}', and must be one of {}", table.path("role"),
                                          protocol::printable(name), fmt::join(kRoleNames, ", "))));
}

/// A mode as chmod takes it; it must let the owner in.
void read_mode(ConfigReader& table, ::mode_t& mode) {
  std::string text;
  table.text("unix_socket_mode", text);
  if (text.empty()) return;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
  constexpr unsigned kOwner = 0600, kAll = 0777;
  if (error != std::errc() || end != text.data() + text.size() || value > kAll || (value & kOwner) != kOwner) {
    return table.fail(
        table.at("unix_socket_mode", fmt::format("server.unix_socket_mode is '{}', and must be octal from \"0600\" to "
                                                 "\"0777\", with the owner's 6 or 7 in front",
                                                 protocol::printable(text))));
  }
  mode = value;
}

void read_file(ConfigReader& table, std::string_view key, const std::filesystem::path& folder,
               std::filesystem::path& out) {
  std::string text;
  table.text(key, text);
  if (!text.empty()) out = folder / text;
}

/// Adds the tokens of a file; `label`: what those without a name are called by.
void add_tokens(ConfigReader& table, std::string_view key, const std::filesystem::path& file, const std::string& label,
                const Grant& defaults, std::vector<AccessToken>& tokens) {
  const auto text = read_text(file);
  if (!text) return table.fail(table.at(key, table.path(key) + ": " + text.error().message, text.error().code));
  auto added = parse_tokens(*text, label, defaults);
  if (!added) return table.fail(table.at(key, table.path(key) + ": " + added.error().message, added.error().code));
  tokens.insert(tokens.end(), std::move_iterator(added->begin()), std::move_iterator(added->end()));
  if (tokens.size() > kTokensMax)
    return table.fail(table.at(key, fmt::format("there are {} tokens, the limit is {}", tokens.size(), kTokensMax)));
  if (const std::string twice = repeated_token(tokens); !twice.empty())
    table.fail(table.at(key, table.path(key) + ": " + twice));
}

}  // namespace

void read_access(ConfigReader& table, const std::filesystem::path& folder, AccessConfig& config) {
  read_role(table, config.role);
  read_file(table, "unix_socket", folder, config.unix_socket);
  read_mode(table, config.unix_socket_mode);
  std::string file;
  table.text("token_file", file);
  if (!file.empty()) add_tokens(table, "token_file", folder / file, file, Grant{}, config.tokens);
}

void read_tls(ConfigReader table, const std::filesystem::path& folder, TlsConfig& config) {
  table.allow(kTlsKeys);
  read_file(table, "certificate", folder, config.certificate);
  read_file(table, "key", folder, config.key);
  read_file(table, "client_ca", folder, config.client_ca);
  if (!config.on() || config.key.empty()) {
    const std::string_view missing = config.on() ? "key" : "certificate";
    return table.fail(table.at(missing, fmt::format("tls.{} is missing; certificate and key go together", missing)));
  }
  if (const auto context = make_tls_context(config); !context)
    table.fail(table.at("certificate", context.error().message, context.error().code));
}

void read_token(ConfigReader table, const std::filesystem::path& folder, std::vector<AccessToken>& tokens) {
  table.allow(kTokenKeys);
  std::string file, name;
  table.text("file", file);
  if (file.empty()) return table.fail(table.at("file", "token.file is missing"));
  table.text("name", name);
  if (table.has("name")) {
    if (const auto refused = protocol::check_name("token.name", name, kTokenNameMaxBytes))
      return table.fail(table.at("name", refused->message));
  }
  Grant grant;
  read_role(table, grant.role);
  table.number("weight", grant.share.weight, 1, kShareWeightMax);
  table.number("jobs_queued", grant.share.jobs_waiting, 1, protocol::kInFlightMax);
  table.number("connections", grant.connections_max, 1, protocol::kConnectionsMax);
  table.number("watches", grant.watches_max, 1, protocol::kWatchesMax);
  const std::size_t before = tokens.size();
  add_tokens(table, "file", folder / file, name.empty() ? file : name, grant, tokens);
  // A file's only token, when no name of its own stands in it, is called as the table says.
  if (!name.empty() && tokens.size() == before + 1 && tokens.back().grant.name.starts_with(name + ":"))
    tokens.back().grant.name = name;
}

}  // namespace voxpath::server
