// TLS of the client: whom it trusts, who it is, and what went wrong in words. Private to the client.
// Thread-safety: pure functions.
// Invariants: TLS 1.2 or newer; a server without a trusted certificate of the name that was asked for is never spoken to.
#pragma once

#include "protocol/clients/cpp/client.hpp"
#include "protocol/clients/cpp/stream.hpp"

#include <string>
#include <variant>

#include <boost/asio/ssl/context.hpp>

namespace voxpath::client {

/// The context, or why there is none, with the file's name.
[[nodiscard]] std::variant<boost::asio::ssl::context, std::string> make_tls_context(const ClientOptions& options);
/// The certificate must be of this name or address. Returns what went wrong, or nothing.
[[nodiscard]] std::string expect_server(Stream::Tls& tls, const std::string& host);
/// Why a handshake failed.
[[nodiscard]] std::string tls_error_text(const Stream::Code& code, Stream::Tls& tls);

}  // namespace voxpath::client
