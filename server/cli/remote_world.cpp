// A world at a voxpathd: every question goes over the wire and waits for its answer.
#include "protocol/clients/cpp/blocking_client.hpp"
#include "server/cli/server_connection.hpp"
#include "server/cli/text_file.hpp"
#include "server/cli/wire_path.hpp"
#include "server/cli/world_access.hpp"
#include "server/path_messages.hpp"
#include "server/server_error.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::server {

namespace {

using world::Error;
using world::ErrorCode;

world::Traits traits_of(const v1::BlockInfo& info) {
  world::Traits t;
  t.bottom = static_cast<std::uint8_t>(info.bottom_px());
  t.top = static_cast<std::uint8_t>(info.top_px());
  // The values of these enumerations are the same here and on the wire.
  t.fluid = static_cast<world::Fluid>(info.fluid());
  t.hazard = static_cast<world::Hazard>(info.hazard());
  t.door = static_cast<world::Door>(info.door());
  t.stair = static_cast<world::StairFacing>(info.stair());
  t.open = info.open();
  t.climbable = info.climbable();
  t.slow = info.slow();
  t.unknown = info.unknown();
  return t;
}

class RemoteWorld : public WorldAccess {
 public:
  RemoteWorld(std::string server, std::unique_ptr<client::BlockingClient> client, v1::WorldInfo info)
      : server_(std::move(server)), client_(std::move(client)), info_(std::move(info)) {}

  world::Result<PathOutcome> find_path(const PathQuestion& question) override {
    const auto reply = client_->find_path(find_path_message(info_.world(), question));
    if (!reply) return server_error("server " + server_, reply.error());
    return outcome_of(*reply);
  }

  world::Result<HordeOutcome> find_paths(const HordeQuestion& question) override {
    const auto reply = client_->find_paths(find_paths_message(info_.world(), question));
    if (!reply) return server_error("server " + server_, reply.error());
    return outcome_of(*reply);
  }

  world::Result<std::optional<Invalidation>> next_invalidation(std::chrono::milliseconds patience) override {
    const auto event = client_->next_invalidated(patience);
    if (!event) return std::optional<Invalidation>();
    if (!*event) return server_error("server " + server_, event->error());
    const v1::PathInvalidated& told = **event;
    return std::optional(Invalidation{.world_closed = told.reason() == v1::PathInvalidated::WORLD_CLOSED,
                                      .fault = fault_of(told.fault()),
                                      .world_version = told.version()});
  }

  world::Result<BlockBox> blocks(const world::Box& box) override {
    v1::QueryBlocks request;
    request.set_world(info_.world());
    write_block(box.min, request.mutable_box()->mutable_min());
    write_block(box.max, request.mutable_box()->mutable_max());
    request.set_detail(v1::QueryBlocks::NAMES);
    const auto reply = client_->query_blocks(request);
    if (!reply) return server_error("server " + server_, reply.error());
    BlockBox result{.box = box, .palette = {}, .cells = {}};
    for (const v1::BlockInfo& block : reply->palette()) result.palette.push_back({block.name(), traits_of(block)});
    for (const std::uint32_t number : reply->blocks()) {
      const bool known = number < result.palette.size() &&
                         reply->palette(static_cast<int>(number)).solidity() != v1::BlockInfo::MISSING;
      result.cells.push_back(known ? number : BlockBox::kMissing);
    }
    if (std::cmp_not_equal(result.cells.size(), box.volume())) {
      return Error{ErrorCode::data_loss, fmt::format("server {}: answered {} blocks, asked for {}", server_,
                                                     result.cells.size(), box.volume())};
    }
    return result;
  }
  std::int64_t blocks_max() override { return static_cast<std::int64_t>(protocol::kQueryBlocksMax); }

  world::Result<std::optional<world::Surface>> surface_below(const world::Vec3& from) override {
    v1::SurfaceBelow request;
    request.set_world(info_.world());
    request.mutable_from()->set_x(from.x);
    request.mutable_from()->set_y(from.y);
    request.mutable_from()->set_z(from.z);
    const auto reply = client_->surface_below(request);
    if (!reply) return server_error("server " + server_, reply.error());
    if (reply->result() == v1::SurfaceAnswer::VOID) return std::optional<world::Surface>();
    return std::optional(world::Surface{.missing = reply->result() == v1::SurfaceAnswer::MISSING_CHUNK,
                                        .floor_px = reply->floor_px(),
                                        .block = {reply->block().x(), reply->block().y(), reply->block().z()}});
  }

  world::Result<WorldInfo> info() override {
    WorldInfo info{.name = fmt::format("{} at {}", info_.world(), server_),
                   .heights = {info_.min_y(), static_cast<int>(info_.height())},
                   .version = info_.version(),
                   .chunks = static_cast<std::size_t>(info_.chunks()),
                   .extent = {},
                   .memory_bytes = {},
                   .unknown_blocks = {},
                   .data_versions = {},
                   .summary = {}};
    if (info_.has_oldest_data_version())
      info.data_versions = {info_.oldest_data_version(), info_.newest_data_version()};
    if (!info_.folder().empty()) {
      info.summary = fmt::format("  from folder {}: {} chunks unfinished, {} damaged\n", info_.folder(),
                                 info_.chunks_skipped(), info_.chunks_damaged());
    }
    for (const std::string& problem : info_.problems()) info.summary += "  " + problem + "\n";
    return info;
  }

 private:
  std::string server_;
  std::unique_ptr<client::BlockingClient> client_;
  v1::WorldInfo info_;
};

}  // namespace

namespace {

/// HOST:PORT into its parts.
world::Status read_server(const std::string& server, client::ClientOptions& out) {
  const auto invalid = [&](std::string_view why) {
    return Error{ErrorCode::invalid_argument, fmt::format("--server = '{}': {}", server, why)};
  };
  constexpr std::string_view kUnix = "unix:";
  if (server.starts_with(kUnix)) {
    out.unix_socket = server.substr(kUnix.size());
    if (out.unix_socket.empty()) return invalid("the path is missing");
    return world::ok_status();
  }
  std::string_view host = server;
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    const std::string_view port = host.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (error != std::errc() || end != port.data() + port.size() || out.port == 0)
      return invalid("HOST:PORT is needed, with a port of 1 to 65535");
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty()) return invalid("the host is missing");
  out.host = host;
  return world::ok_status();
}

}  // namespace

std::string server_name(const client::ClientOptions& options) {
  if (!options.unix_socket.empty()) return "unix:" + options.unix_socket;
  return fmt::format("{}:{}", options.host, options.port);
}

world::Result<client::ClientOptions> client_options(const WorldOptions& options) {
  client::ClientOptions result;
  result.client_name = "voxpath";
  result.reconnect = false;
  if (auto status = read_server(options.server, result); !status) return status.error();
  result.tls = options.tls || !options.ca.empty() || !options.cert.empty();
  result.ca_file = options.ca;
  result.certificate_file = options.cert;
  result.key_file = options.key;
  if (result.tls && !result.unix_socket.empty()) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("--server = '{}': a path is never spoken TLS to; leave out --tls, --ca, --cert and --key",
                             options.server)};
  }
  if (!options.token_file.empty()) {
    auto token = read_text_file(options.token_file, protocol::kTokenMaxBytes + 1);
    if (!token) return token.error();
    result.token = *std::move(token);
    while (!result.token.empty() && (result.token.back() == '\n' || result.token.back() == '\r')) {
      result.token.pop_back();
    }
  }
  return result;
}

world::Result<v1::WorldInfo> choose_world(const std::string& name, const std::string& server,
                                          const v1::WorldList& list) {
  std::vector<std::string> names;
  for (const v1::WorldInfo& info : list.worlds()) {
    if (info.world() == name || (name.empty() && list.worlds_size() == 1)) return info;
    names.push_back(info.world());
  }
  const std::string there = names.empty() ? "it has no worlds" : fmt::format("it has {}", fmt::join(names, ", "));
  if (name.empty()) {
    return Error{ErrorCode::not_found, fmt::format("server {}: say which world by --world-name; {}", server, there)};
  }
  return Error{ErrorCode::not_found, fmt::format("server {}: there is no world '{}'; {}", server, name, there)};
}

world::Result<std::unique_ptr<WorldAccess>> open_remote_world(const WorldOptions& options) {
  auto settings = client_options(options);
  if (!settings) return settings.error();
  const std::string server = server_name(*settings);
  auto client = std::make_unique<client::BlockingClient>(*std::move(settings));
  const auto list = client->list_worlds();
  if (!list) return server_error("server " + server, list.error());
  auto info = choose_world(options.world_name, server, *list);
  if (!info) return info.error();
  return std::unique_ptr<WorldAccess>(std::make_unique<RemoteWorld>(server, std::move(client), *std::move(info)));
}

}  // namespace voxpath::server
