#include "protocol/answer_parts.hpp"

#include "protocol/limits.hpp"

#include <cstdint>
#include <utility>

namespace voxpath::protocol {

namespace {

constexpr std::size_t kEnvelopeBytes = 256;  // id, numbers and lengths around a part's paths
constexpr std::size_t kPathHeadBytes = 8;    // tag and length of one path

}  // namespace

std::vector<v1::ServerFrame> parts_of(v1::ServerFrame frame) {
  std::vector<v1::ServerFrame> parts;
  if (!frame.has_paths()) {
    parts.push_back(std::move(frame));
    return parts;
  }
  v1::PathsAnswer& whole = *frame.mutable_paths();
  v1::PathsAnswer* part = nullptr;
  std::size_t bytes = 0;
  const auto begin = [&](int first) {
    if (part != nullptr) part->set_more(true);
    v1::ServerFrame& next = parts.emplace_back();
    next.set_id(frame.id());
    part = next.mutable_paths();
    part->set_first(whole.first() + static_cast<std::uint32_t>(first));
    bytes = kEnvelopeBytes;
  };
  begin(0);
  for (int i = 0; i < whole.paths_size(); ++i) {
    const std::size_t size = whole.paths(i).ByteSizeLong() + kPathHeadBytes;
    if (part->paths_size() > 0 && bytes + size > kFrameSizeMaxBytes) begin(i);
    part->add_paths()->Swap(whole.mutable_paths(i));
    bytes += size;
  }
  whole.clear_paths();
  part->set_more(whole.more());
  part->set_shared(whole.shared());
  if (whole.has_times()) part->mutable_times()->Swap(whole.mutable_times());
  return parts;
}

bool append_part(v1::PathsAnswer part, v1::PathsAnswer* whole) {
  if (part.first() != static_cast<std::uint32_t>(whole->paths_size())) return false;
  whole->mutable_paths()->Reserve(whole->paths_size() + part.paths_size());
  for (v1::PathAnswer& path : *part.mutable_paths()) whole->add_paths()->Swap(&path);
  whole->set_more(part.more());
  whole->set_shared(part.shared());
  if (part.has_times()) whole->mutable_times()->Swap(part.mutable_times());
  return true;
}

}  // namespace voxpath::protocol
