#include "server/http/method_table.hpp"

#include "protocol/limits.hpp"

#include <algorithm>

namespace voxpath::server {

MethodTable::MethodTable() {
  const auto* requests = v1::ClientFrame::descriptor()->FindOneofByName("request");
  for (int i = 0; i < requests->field_count(); ++i) {
    fields_.push_back(requests->field(i));
    list_ += (i > 0 ? ", /v1/" : "/v1/") + requests->field(i)->name();
  }
}

const MethodTable& MethodTable::get() {
  static const MethodTable table;
  return table;
}

const google::protobuf::FieldDescriptor* MethodTable::find(std::string_view method) const {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [&](const auto* field) { return field->name() == method; });
  return found != fields_.end() ? *found : nullptr;
}

std::size_t body_max_bytes(std::string_view method) {
  if (method == "put_chunk" || method == "set_palette") return protocol::kUploadSizeMaxBytes;
  return protocol::kFrameSizeMaxBytes;
}

}  // namespace voxpath::server
