#include "server/access/tls.hpp"

#include "protocol/errors.hpp"

#include <array>
#include <fstream>

#include <boost/asio/ssl/error.hpp>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509err.h>

namespace voxpath::server {

namespace ssl = boost::asio::ssl;
using world::Error;
using world::ErrorCode;

namespace {

constexpr const char* kCiphersOfTls12 = "ECDHE+AESGCM:ECDHE+CHACHA20";

world::Status readable(const char* key, const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (in && in.peek() != std::ifstream::traits_type::eof()) return world::ok_status();
  return Error{ErrorCode::not_found, fmt::format("tls.{}: cannot read '{}'", key, file.string())};
}

Error refused(const char* key, const std::filesystem::path& file, const boost::system::error_code& code) {
  return Error{ErrorCode::invalid_argument, fmt::format("tls.{}: '{}': {}", key, file.string(), code.message())};
}

}  // namespace

world::Result<std::shared_ptr<ssl::context>> make_tls_context(const TlsConfig& config) {
  if (auto status = readable("certificate", config.certificate); !status) return status.error();
  if (auto status = readable("key", config.key); !status) return status.error();
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(native, kCiphersOfTls12);
  SSL_CTX_set_options(
      native, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(native, 0);
  boost::system::error_code code;
  // A key with a passphrase would ask for it on the terminal, of which a daemon has none.
  context->set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); }, code);
  if (context->use_certificate_chain_file(config.certificate.string(), code); code)
    return refused("certificate", config.certificate, code);
  context->use_private_key_file(config.key.string(), ssl::context::pem, code);
  const bool of_another =
      code && ERR_GET_REASON(static_cast<unsigned long>(code.value())) == X509_R_KEY_VALUES_MISMATCH;
  if (code && !of_another) return refused("key", config.key, code);
  if (of_another || SSL_CTX_check_private_key(native) != 1) {
    return Error{ErrorCode::invalid_argument, fmt::format("tls.key: '{}' does not belong to the certificate in '{}'",
                                                          config.key.string(), config.certificate.string())};
  }
  if (!config.asks_clients()) return context;
  if (auto status = readable("client_ca", config.client_ca); !status) return status.error();
  if (context->load_verify_file(config.client_ca.string(), code); code)
    return refused("client_ca", config.client_ca, code);
  // So that a client with several certificates knows which of them is asked for.
  if (STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(config.client_ca.c_str()))
    SSL_CTX_set_client_CA_list(native, names);
  context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, code);
  return context;
}

std::string describe_tls(SSL* tls) {
  std::string text = fmt::format("{} cipher={}", SSL_get_version(tls), SSL_get_cipher_name(tls));
  if (const X509* certificate = SSL_get0_peer_certificate(tls)) {
    std::array<char, 256> name{};
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name.data(), name.size());
    text += fmt::format(" cert=\"{}\"", protocol::printable(name.data()));
  }
  return text;
}

std::string tls_error_text(const boost::system::error_code& code) {
  if (code == ssl::error::stream_truncated || code == boost::asio::error::eof)
    return "the client ended the connection in the middle of it; it may not trust this server's certificate";
  return code.message();
}

}  // namespace voxpath::server
