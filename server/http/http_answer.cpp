#include "server/http/http_answer.hpp"

#include "server/http/json_message.hpp"

#include <boost/beast/http/status.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr const char* kJson = "application/json";
constexpr unsigned kMsPerSecond = 1'000;

}  // namespace

std::string to_bytes(const HttpAnswer& answer, const HttpManner& manner) {
  const auto reason = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(answer.status));
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", answer.status, std::string_view(reason.data(), reason.size()));
  const auto line = [&](std::string_view name, std::string_view value) {
    out += fmt::format("{}: {}\r\n", name, value);
  };
  line("Server", "voxpathd");
  if (answer.status != 204) {
    line("Content-Type", answer.type);
    line("Content-Length", fmt::format("{}", answer.body.size()));
  }
  line("Cache-Control", "no-store");
  line("X-Content-Type-Options", "nosniff");
  if (!manner.origin.empty()) {
    line("Access-Control-Allow-Origin", manner.origin);
    line("Vary", "Origin");
  }
  for (const auto& [name, value] : answer.headers) line(name, value);
  if (!manner.keep_alive) {
    line("Connection", "close");
  } else if (manner.version < 11) {
    line("Connection", "keep-alive");
  }
  out += "\r\n";
  if (!manner.head_only) out += answer.body;
  return out;
}

HttpAnswer frame_answer(const v1::ServerFrame& frame) {
  if (frame.has_error()) return error_answer(frame.error());
  const auto* reflection = frame.GetReflection();
  const auto* field = reflection->GetOneofFieldDescriptor(frame, frame.GetDescriptor()->FindOneofByName("answer"));
  if (field == nullptr) {
    return error_answer({protocol::ErrorKind::internal, "the answer is empty", {}, {}, {}, 0});
  }
  return {200, kJson, write_json(reflection->GetMessage(frame, field)) + "\n"};
}

HttpAnswer error_answer(const v1::Error& error) {
  const protocol::ErrorRow* row = protocol::row_of(error.reason());
  HttpAnswer answer{row != nullptr ? static_cast<unsigned>(row->http_status) : 500, kJson, write_json(error) + "\n"};
  if (error.retry_after_ms() > 0) {
    answer.headers.emplace_back("Retry-After",
                                fmt::format("{}", (error.retry_after_ms() + kMsPerSecond - 1) / kMsPerSecond));
  }
  if (answer.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

HttpAnswer error_answer(const protocol::Failure& failure) {
  v1::Error error;
  protocol::write_error(failure, &error);
  return error_answer(error);
}

}  // namespace voxpath::server
