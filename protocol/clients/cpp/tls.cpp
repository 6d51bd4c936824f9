#include "protocol/clients/cpp/tls.hpp"

#include "protocol/errors.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

namespace voxpath::client {

namespace ssl = boost::asio::ssl;

namespace {

std::string about(const char* what, const std::string& file, const Stream::Code& code) {
  return std::string("TLS: ") + what + " '" + protocol::printable(file, 200) + "': " + code.message();
}

}  // namespace

std::variant<ssl::context, std::string> make_tls_context(const ClientOptions& options) {
  ssl::context context(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  Stream::Code code;
  context.set_verify_mode(ssl::verify_peer, code);
  if (options.ca_file.empty()) {
    if (context.set_default_verify_paths(code); code) return about("certificates", "of the system", code);
  } else if (context.load_verify_file(options.ca_file, code); code) {
    return about("authorities", options.ca_file, code);
  }
  if (options.certificate_file.empty()) return context;
  if (context.use_certificate_chain_file(options.certificate_file, code); code)
    return about("certificate", options.certificate_file, code);
  if (context.use_private_key_file(options.key_file, ssl::context::pem, code); code)
    return about("key", options.key_file, code);
  return context;
}

std::string expect_server(Stream::Tls& tls, const std::string& host) {
  Stream::Code code;
  boost::asio::ip::make_address(host, code);
  // A name, as servers with several certificates need it; addresses are not sent.
  if (code && SSL_set_tlsext_host_name(tls.native_handle(), host.c_str()) != 1)
    return "TLS: '" + protocol::printable(host) + "' is no name of a server";
  tls.set_verify_callback(ssl::host_name_verification(host), code);
  return code ? code.message() : std::string();
}

std::string tls_error_text(const Stream::Code& code, Stream::Tls& tls) {
  const long verified = SSL_get_verify_result(tls.native_handle());
  const int reason = code.category() == boost::asio::error::get_ssl_category()
                         ? ERR_GET_REASON(static_cast<unsigned long>(code.value()))
                         : 0;
  if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
    return std::string("the server's certificate is not accepted: ") +
           (verified == X509_V_OK || verified == X509_V_ERR_UNSPECIFIED
                ? "it is not of the name or address that was connected to"
                : X509_verify_cert_error_string(verified));
  }
  if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_PACKET_LENGTH_TOO_LONG)
    return "what the server answers is no TLS; it may be a plain port";
  if (code == ssl::error::stream_truncated || code == boost::asio::error::eof)
    return "the server closed the connection; it may be a plain port";
  return code.message();
}

}  // namespace voxpath::client
