#include "protocol/clients/cpp/client.hpp"

#include "protocol/clients/cpp/core.hpp"
#include "protocol/errors.hpp"
#include "protocol/voxpath.pb.h"

namespace voxpath::client {
namespace {

/// A frame's handler that takes the answer `get` gives out of it, and passes errors on.
template <class T>
std::function<void(v1::ServerFrame)> typed(Handler<T> handler, bool (v1::ServerFrame::*has)() const,
                                           T* (v1::ServerFrame::*get)()) {
  return [handler = std::move(handler), has, get](v1::ServerFrame frame) {
    if ((frame.*has)()) return handler(std::move(*(frame.*get)()));
    if (frame.has_error()) return handler(frame.error());
    v1::Error error;
    protocol::write_error({protocol::ErrorKind::internal, "the server's answer is of another kind than the request"},
                          &error);
    handler(error);
  };
}

using Answer = v1::ServerFrame;

}  // namespace

Client::Client(boost::asio::any_io_executor executor, ClientOptions options)
    : core_(std::make_shared<Core>(std::move(executor), std::move(options))) {
  core_->start();
}

Client::~Client() { core_->close(); }

void Client::close() { core_->close(); }
void Client::cancel(RequestId id) { core_->cancel(id); }

Client::RequestId Client::request(v1::ClientFrame frame, std::function<void(v1::ServerFrame)> handler) {
  return core_->request(std::move(frame), std::move(handler));
}

Client::RequestId Client::open_world(v1::OpenWorld request, Handler<v1::WorldInfo> handler) {
  v1::ClientFrame frame;
  *frame.mutable_open_world() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_world, &Answer::mutable_world));
}

Client::RequestId Client::close_world(v1::CloseWorld request, Handler<v1::Done> handler) {
  v1::ClientFrame frame;
  *frame.mutable_close_world() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_done, &Answer::mutable_done));
}

Client::RequestId Client::list_worlds(Handler<v1::WorldList> handler) {
  v1::ClientFrame frame;
  frame.mutable_list_worlds();
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_worlds, &Answer::mutable_worlds));
}

Client::RequestId Client::set_palette(v1::SetPalette request, Handler<v1::Done> handler) {
  v1::ClientFrame frame;
  *frame.mutable_set_palette() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_done, &Answer::mutable_done));
}

Client::RequestId Client::put_chunk(v1::PutChunk request, Handler<v1::Committed> handler) {
  v1::ClientFrame frame;
  *frame.mutable_put_chunk() = std::move(request);
  return core_->request(std::move(frame),
                        typed(std::move(handler), &Answer::has_committed, &Answer::mutable_committed));
}

Client::RequestId Client::drop_chunk(v1::DropChunk request, Handler<v1::Committed> handler) {
  v1::ClientFrame frame;
  *frame.mutable_drop_chunk() = std::move(request);
  return core_->request(std::move(frame),
                        typed(std::move(handler), &Answer::has_committed, &Answer::mutable_committed));
}

Client::RequestId Client::set_blocks(v1::SetBlocks request, Handler<v1::Committed> handler) {
  v1::ClientFrame frame;
  *frame.mutable_set_blocks() = std::move(request);
  return core_->request(std::move(frame),
                        typed(std::move(handler), &Answer::has_committed, &Answer::mutable_committed));
}

Client::RequestId Client::query_blocks(v1::QueryBlocks request, Handler<v1::BlocksAnswer> handler) {
  v1::ClientFrame frame;
  *frame.mutable_query_blocks() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_blocks, &Answer::mutable_blocks));
}

Client::RequestId Client::line_of_sight(v1::LineOfSight request, Handler<v1::SightAnswer> handler) {
  v1::ClientFrame frame;
  *frame.mutable_line_of_sight() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_sight, &Answer::mutable_sight));
}

Client::RequestId Client::surface_below(v1::SurfaceBelow request, Handler<v1::SurfaceAnswer> handler) {
  v1::ClientFrame frame;
  *frame.mutable_surface_below() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_surface, &Answer::mutable_surface));
}

Client::RequestId Client::find_path(v1::FindPath request, Handler<v1::PathAnswer> handler) {
  v1::ClientFrame frame;
  *frame.mutable_find_path() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_path, &Answer::mutable_path));
}

Client::RequestId Client::find_paths(v1::FindPaths request, Handler<v1::PathsAnswer> handler) {
  v1::ClientFrame frame;
  *frame.mutable_find_paths() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_paths, &Answer::mutable_paths));
}

Client::RequestId Client::validate_path(v1::ValidatePath request, Handler<v1::PathVerdict> handler) {
  v1::ClientFrame frame;
  *frame.mutable_validate_path() = std::move(request);
  return core_->request(std::move(frame),
                        typed(std::move(handler), &Answer::has_path_verdict, &Answer::mutable_path_verdict));
}

Client::RequestId Client::unwatch(v1::Unwatch request, Handler<v1::UnwatchAnswer> handler) {
  v1::ClientFrame frame;
  *frame.mutable_unwatch() = std::move(request);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_unwatch, &Answer::mutable_unwatch));
}

Client::RequestId Client::server_info(Handler<v1::ServerInfo> handler) {
  v1::ClientFrame frame;
  frame.mutable_server_info();
  return core_->request(std::move(frame),
                        typed(std::move(handler), &Answer::has_server_info, &Answer::mutable_server_info));
}

Client::RequestId Client::ping(std::uint64_t payload, Handler<v1::Pong> handler) {
  v1::ClientFrame frame;
  frame.mutable_ping()->set_payload(payload);
  return core_->request(std::move(frame), typed(std::move(handler), &Answer::has_pong, &Answer::mutable_pong));
}

}  // namespace voxpath::client
