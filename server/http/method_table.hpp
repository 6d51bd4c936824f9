// MethodTable: the requests of ClientFrame by the names that URLs call them by: /v1/find_path is its field find_path.
// Thread-safety: all members from any thread; there is one table in the program.
// Invariant: a request that is added to voxpath.proto is in it.
#pragma once

#include "protocol/voxpath.pb.h"

#include <string>
#include <string_view>
#include <vector>

namespace voxpath::server {

class MethodTable {
 public:
  [[nodiscard]] static const MethodTable& get();

  /// nullptr: there is none of that name.
  [[nodiscard]] const google::protobuf::FieldDescriptor* find(std::string_view method) const;
  [[nodiscard]] const std::vector<const google::protobuf::FieldDescriptor*>& all() const { return fields_; }
  /// For people: "/v1/find_path, ...".
  [[nodiscard]] const std::string& list() const { return list_; }

 private:
  MethodTable();

  std::vector<const google::protobuf::FieldDescriptor*> fields_;
  std::string list_;
};

/// How large the body of a request may be: that of a frame with it.
[[nodiscard]] std::size_t body_max_bytes(std::string_view method);

}  // namespace voxpath::server
