// The OpenAPI description of the HTTP door, made from voxpath.proto when voxpath is built.
// Thread-safety: a constant.
#pragma once

#include <string_view>

namespace voxpath::server {

[[nodiscard]] std::string_view openapi_document();

}  // namespace voxpath::server
