#include "server/request_router.hpp"

#include "server/world_queries.hpp"

#include <string>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace asio = boost::asio;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

/// The world that a request is for, with the name of its field; nullptr: it is for none.
std::pair<const std::string*, const char*> world_of(const v1::ClientFrame& frame) {
  switch (frame.request_case()) {
    case v1::ClientFrame::kSetPalette:
      return {&frame.set_palette().world(), "set_palette.world"};
    case v1::ClientFrame::kPutChunk:
      return {&frame.put_chunk().world(), "put_chunk.world"};
    case v1::ClientFrame::kDropChunk:
      return {&frame.drop_chunk().world(), "drop_chunk.world"};
    case v1::ClientFrame::kSetBlocks:
      return {&frame.set_blocks().world(), "set_blocks.world"};
    case v1::ClientFrame::kQueryBlocks:
      return {&frame.query_blocks().world(), "query_blocks.world"};
    case v1::ClientFrame::kLineOfSight:
      return {&frame.line_of_sight().world(), "line_of_sight.world"};
    case v1::ClientFrame::kSurfaceBelow:
      return {&frame.surface_below().world(), "surface_below.world"};
    case v1::ClientFrame::kFindPath:
      return {&frame.find_path().world(), "find_path.world"};
    case v1::ClientFrame::kFindPaths:
      return {&frame.find_paths().world(), "find_paths.world"};
    case v1::ClientFrame::kValidatePath:
      return {&frame.validate_path().world(), "validate_path.world"};
    case v1::ClientFrame::kUnwatch:
      return {&frame.unwatch().world(), "unwatch.world"};
    default:
      return {nullptr, nullptr};
  }
}

constexpr std::uint32_t kLoadingRetryMs = 500;

/// Whether the moves of such a mob are worked out quickly where none has been before; those of a giant are not.
bool is_small(const v1::Agent& agent) {
  constexpr double kSmallMaxBlocks = 3;  // as all profiles that are built in
  return agent.width() <= kSmallMaxBlocks && agent.height() <= kSmallMaxBlocks;
}

/// A job with all but what it asks.
Job job_of(Client& client, const std::shared_ptr<WorldHost>& host, const std::string& world, std::uint32_t deadline_ms,
           Reply reply) {
  Job job;
  job.id = {client.id, reply.id(), ++client.jobs};
  job.arrived_us = steady_now_us();
  if (deadline_ms > 0) job.deadline_us = job.arrived_us + std::int64_t{deadline_ms} * 1'000;
  job.world = world;
  job.task.newest = [host] { return host->world.snapshot(); };
  job.task.world_number = host->number;
  job.task.reply = std::move(reply);
  return job;
}

}  // namespace

Failure RequestRouter::not_there(const std::string& name, const char* field) const {
  if (worlds_.loading(name)) {
    return {ErrorKind::world_loading, fmt::format("world '{}' is being loaded", name), field, name, "",
            kLoadingRetryMs};
  }
  return {ErrorKind::world_unknown, fmt::format("no world '{}' is open", name), field, name,
          "names listed by list_worlds"};
}

template <class Edit>
void RequestRouter::commit(const Host& host, Reply reply, Edit edit) {
  asio::post(host->strand, [this, host, reply = std::move(reply), edit = std::move(edit)]() mutable {
    if (host->saver) {
      if (const auto refused = host->saver->full()) return reply.refuse(*refused);
    }
    auto outcome = edit(host->world);
    if (const auto* refused = std::get_if<Failure>(&outcome)) return reply.refuse(*refused);
    const auto& commit = std::get<world::Commit>(outcome);
    metrics_.edits.add();
    if (host->saver) {
      host->saver->save(commit, host->world.snapshot(), std::move(reply));
    } else {
      v1::ServerFrame frame;
      frame.mutable_committed()->set_version(commit.version);
      reply.answer(std::move(frame));
    }
    watcher_.committed(host, commit);
  });
}

template <class Ask>
void RequestRouter::ask(const Host& host, Reply reply, Ask ask) {
  asio::post(host->strand, [executor = executor_, host, reply = std::move(reply), ask = std::move(ask)]() mutable {
    asio::post(executor, [snapshot = host->world.snapshot(), reply = std::move(reply), ask = std::move(ask)]() mutable {
      v1::ServerFrame frame;
      if (const auto refused = ask(*snapshot, frame)) return reply.refuse(*refused);
      reply.answer(std::move(frame));
    });
  });
}

void RequestRouter::handle(Client& client, std::unique_ptr<v1::ClientFrame> frame, Reply reply) {
  using Frame = v1::ClientFrame;
  if (const auto refused = refusal(client.grant.role, frame->request_case())) return reply.refuse(*refused);
  Host host;
  if (const auto [name, field] = world_of(*frame); name) {
    host = worlds_.find(*name);
    if (!host) return reply.refuse(not_there(*name, field));
  }
  v1::ServerFrame answer;
  const std::uint64_t id = client.id;
  const std::shared_ptr<Frame> request = std::move(frame);
  switch (request->request_case()) {
    case Frame::kServerInfo:
      *answer.mutable_server_info() = info_();
      return reply.answer(std::move(answer));
    case Frame::kListWorlds:
      *answer.mutable_worlds() = worlds_.list();
      return reply.answer(std::move(answer));
    case Frame::kOpenWorld:
      return worlds_.open(request->open_world(), std::move(reply));
    case Frame::kCloseWorld:
      return close_world(request->close_world(), std::move(reply));
    case Frame::kSetPalette:
      client.worlds.insert(host);
      return asio::post(host->strand, [host, request, id, gone = client.gone, r = std::move(reply)]() mutable {
        if (*gone) return r.answer({});  // or its numbers would be kept for good
        if (const auto refused = host->world.set_palette(id, request->set_palette())) return r.refuse(*refused);
        v1::ServerFrame done;
        done.mutable_done();
        r.answer(std::move(done));
      });
    case Frame::kPutChunk:
      return commit(host, std::move(reply),
                    [request, id](HostedWorld& world) { return world.put_chunk(id, request->put_chunk()); });
    case Frame::kDropChunk:
      return commit(host, std::move(reply),
                    [request](HostedWorld& world) { return world.drop_chunk(request->drop_chunk()); });
    case Frame::kSetBlocks:
      return commit(host, std::move(reply),
                    [request, id](HostedWorld& world) { return world.set_blocks(id, request->set_blocks()); });
    case Frame::kQueryBlocks:
      return ask(host, std::move(reply),
                 [request](const world::Snapshot& snapshot, v1::ServerFrame& out) -> std::optional<Failure> {
                   auto outcome = query_blocks(snapshot, request->query_blocks());
                   if (auto* refused = std::get_if<Failure>(&outcome)) return std::move(*refused);
                   *out.mutable_blocks() = std::move(std::get<v1::BlocksAnswer>(outcome));
                   return std::nullopt;
                 });
    case Frame::kLineOfSight:
      return ask(host, std::move(reply),
                 [request](const world::Snapshot& snapshot, v1::ServerFrame& out) -> std::optional<Failure> {
                   auto outcome = line_of_sight(snapshot, request->line_of_sight());
                   if (auto* refused = std::get_if<Failure>(&outcome)) return std::move(*refused);
                   *out.mutable_sight() = std::move(std::get<v1::SightAnswer>(outcome));
                   return std::nullopt;
                 });
    case Frame::kSurfaceBelow:
      return ask(host, std::move(reply),
                 [request](const world::Snapshot& snapshot, v1::ServerFrame& out) -> std::optional<Failure> {
                   *out.mutable_surface() = surface_below(snapshot, request->surface_below());
                   return std::nullopt;
                 });
    case Frame::kFindPath:
      return find_path(client, host, std::move(*request->mutable_find_path()), std::move(reply));
    case Frame::kFindPaths:
      return find_paths(client, host, std::move(*request->mutable_find_paths()), std::move(reply));
    case Frame::kValidatePath:
      return validate_path(client, host, std::move(*request->mutable_validate_path()), std::move(reply));
    case Frame::kUnwatch:
      return asio::post(host->strand, [host, id, watch = request->unwatch().watch(), r = std::move(reply)]() mutable {
        v1::ServerFrame ended;
        ended.mutable_unwatch()->set_watched(host->watches.end({id, watch}).has_value());
        r.answer(std::move(ended));
      });
    case Frame::kHello:  // these are the connection's own
    case Frame::kPing:
    case Frame::kCancel:
    case Frame::REQUEST_NOT_SET:
      break;
  }
  reply.refuse({ErrorKind::request_unknown, "the server does not know that request", "request"});
}

void RequestRouter::find_path(Client& client, const Host& host, v1::FindPath request, Reply reply) {
  Job job = job_of(client, host, request.world(), request.deadline_ms(), std::move(reply));
  job.priority = request.priority();
  job.mob = request.mob();
  job.lone = client.lone && is_small(request.agent());
  if (share_ && can_share(request)) job.group = group_key(request);
  job.task.request = std::move(request);
  submit(client, host, std::move(job));
}

void RequestRouter::find_paths(Client& client, const Host& host, v1::FindPaths request, Reply reply) {
  Job job = job_of(client, host, request.world(), request.deadline_ms(), std::move(reply));
  job.priority = request.priority();
  job.mob = request.horde();
  job.task.request = horde_of(std::move(request));
  submit(client, host, std::move(job));
}

void RequestRouter::validate_path(Client& client, const Host& host, v1::ValidatePath request, Reply reply) {
  Job job = job_of(client, host, request.world(), request.deadline_ms(), std::move(reply));
  job.task.request = std::move(request);
  submit(client, host, std::move(job));
}

void RequestRouter::submit(Client& client, const Host& host, Job job) {
  client.paths[job.id.request] = {host, job.id};
  job.share = client.grant.share;
  const auto* path = std::get_if<v1::FindPath>(&job.task.request);
  const bool watch = path != nullptr && path->watch();
  if (watch) client.worlds.insert(host);
  // By way of the world's strand, so that it is searched after the edits that the client sent before it.
  asio::post(host->strand,
             [this, host, watch, owner = client.watches, gone = client.gone, job = std::move(job)]() mutable {
               if (*gone) return pool_.give_up(std::move(job));
               host->watches.end_mob(owner->connection, job.mob);  // it will not walk that path to its end
               if (watch) {
                 if (const auto refused = watcher_.reserve(host, owner, job)) return job.task.reply.refuse(*refused);
               }
               pool_.submit(std::move(job));
             });
}

void RequestRouter::cancel(Client& client, std::uint32_t request) {
  const auto found = client.paths.find(request);
  if (found == client.paths.end()) return;  // a request of another kind, which takes no time worth saving
  // The same way as the request itself, which it would overtake otherwise.
  // It may wait there longer than the request is in flight: by its own number it can hit no other of the same id.
  asio::post(found->second.host->strand, [this, id = found->second.job] { pool_.cancel(id); });
}

void RequestRouter::gone(Client& client) {
  *client.gone = true;
  client.paths.clear();
  pool_.cancel_connection(client.id);
  for (const auto& world : client.worlds) {
    if (const Host host = world.lock()) {
      asio::post(host->strand, [host, id = client.id] {
        host->world.forget(id);
        host->watches.end_connection(id);
      });
    }
  }
  client.worlds.clear();
}

void RequestRouter::close_world(const v1::CloseWorld& request, Reply reply) {
  const std::string& name = request.world();
  const Host host = worlds_.close(name);
  if (!host) return reply.refuse(not_there(name, "close_world.world"));
  const auto owed = std::make_shared<Reply>(std::move(reply));  // copied by the callbacks below, answered once
  const auto closed = [this, host, name, owed](const std::optional<Failure>& failed) {
    if (host->saver) worlds_.closed(name, failed ? host : nullptr);
    if (failed) return owed->refuse(*failed);
    watcher_.closed(host);
    v1::ServerFrame done;
    done.mutable_done();
    owed->answer(std::move(done));
  };
  asio::post(host->strand, [host, forget = request.forget(), closed] {
    host->saver ? host->saver->close(forget, closed) : closed(std::nullopt);
  });
}

}  // namespace voxpath::server
