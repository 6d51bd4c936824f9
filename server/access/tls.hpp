// TLS of the server: its certificate and key, and whose certificates clients must have.
// Thread-safety: pure functions; a context may be shared by connections once it is made.
// Invariants: TLS 1.2 or newer, with forward secrecy and authenticated ciphers; no renegotiation, no resumption, so that
// each connection shows its certificate anew.
// Usage: auto context = make_tls_context(config.tls); if (!context) complain(context.error().message);
#pragma once

#include "world/result.hpp"

#include <filesystem>
#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream_base.hpp>
#include <openssl/types.h>

namespace voxpath::server {

struct TlsConfig {
  std::filesystem::path certificate;  // PEM, the server's first, then those up to the authority's; empty: no TLS
  std::filesystem::path key;          // PEM, without a passphrase
  std::filesystem::path client_ca;    // PEM; clients must have a certificate of these authorities. Empty: none is asked
  [[nodiscard]] bool on() const { return !certificate.empty(); }
  [[nodiscard]] bool asks_clients() const { return !client_ca.empty(); }
  friend bool operator==(const TlsConfig&, const TlsConfig&) = default;
};

/// Precondition: config.on(). Errors: not_found and invalid_argument, which name the key of the configuration and the
/// file.
[[nodiscard]] world::Result<std::shared_ptr<boost::asio::ssl::context>> make_tls_context(const TlsConfig& config);

/// For logs: "TLSv1.3 cipher=TLS_AES_256_GCM_SHA384", and `cert="..."` with the common name where the client has one.
[[nodiscard]] std::string describe_tls(SSL* tls);
/// What is wrong, with a word of what to do where the reason is a usual one.
[[nodiscard]] std::string tls_error_text(const boost::system::error_code& code);

}  // namespace voxpath::server
