#include "server/http/origin.hpp"

#include <algorithm>

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/field.hpp>

namespace voxpath::server {

namespace http = boost::beast::http;

namespace {

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

/// "127.0.0.1:80", "[::1]:80" or "localhost:80", with or without the port.
bool names_no_name(std::string_view host) {
  if (host.starts_with('[')) return true;
  const std::string_view name = host.substr(0, host.rfind(':'));
  if (name == "localhost") return true;
  boost::system::error_code code;
  boost::asio::ip::make_address(std::string(name), code);
  return !code;
}

}  // namespace

bool origin_listed(std::string_view origin, const HttpConfig& config) {
  return std::find(config.origins.begin(), config.origins.end(), origin) != config.origins.end();
}

bool origin_allowed(const HttpRequest& request, const HttpConfig& config) {
  if (request.find(http::field::origin) == request.end()) return true;
  const std::string_view origin = view(request[http::field::origin]);
  if (origin_listed(origin, config)) return true;
  const std::string_view host = view(request[http::field::host]);
  return !host.empty() && names_no_name(host) && origin == "http://" + std::string(host);
}

}  // namespace voxpath::server
