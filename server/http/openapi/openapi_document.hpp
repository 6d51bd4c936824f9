// The OpenAPI 3.0 description of the HTTP door, from the descriptors of voxpath.proto.
// Thread-safety: pure function.
// Invariants: the same descriptors give the same bytes. Each request of ClientFrame is a path, each message a schema with all
// its fields under their JSON names, each enumeration the list of its names; what voxpath.proto says of them in comments
// is their description, where the descriptors have it (protoc --include_source_info).
#pragma once

#include <string>
#include <string_view>

namespace google::protobuf {
class Descriptor;
}

namespace voxpath::server {

/// `client` and `server`: ClientFrame and ServerFrame, of the same file.
[[nodiscard]] std::string openapi_document(const google::protobuf::Descriptor& client,
                                           const google::protobuf::Descriptor& server, std::string_view version);

}  // namespace voxpath::server
