// Which pages of a browser may talk to the HTTP door.
// Thread-safety: pure functions.
// Invariant: a browser sends any page's POST and WebSocket anywhere, and says in Origin whose page it is; so an origin that
// was not allowed is refused, not only kept from reading the answer. A page may ask the host that it came from where that
// is named by its address or as localhost: any other name could be made to mean this machine (DNS rebinding).
#pragma once

#include "server/http/http_config.hpp"
#include "server/http/http_reader.hpp"

namespace voxpath::server {

/// Requests without Origin come from no browser's page, and pass.
[[nodiscard]] bool origin_allowed(const HttpRequest& request, const HttpConfig& config);
/// Whether the answer is to say that the page may read it: it is one of config.origins.
[[nodiscard]] bool origin_listed(std::string_view origin, const HttpConfig& config);

}  // namespace voxpath::server
