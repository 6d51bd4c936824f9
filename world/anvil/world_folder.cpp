#include "world/anvil/world_folder.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDimensionNameMax = 256;  // bytes

/// "namespace:path" of a dimension. Lower-case letters, digits and _ - . / as the game allows; a path never leads
/// upwards.
Result<std::pair<std::string, std::string>> split_dimension(std::string_view dimension) {
  const auto colon = dimension.find(':');
  std::string space = colon == std::string_view::npos ? "minecraft" : std::string(dimension.substr(0, colon));
  std::string path(colon == std::string_view::npos ? dimension : dimension.substr(colon + 1));
  const auto allowed = [](std::string_view text, std::string_view marks) {
    return !text.empty() && text.find("..") == std::string_view::npos && text.front() != '/' &&
           std::all_of(text.begin(), text.end(), [&](char c) {
             return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || marks.find(c) != std::string_view::npos;
           });
  };
  if (dimension.size() > kDimensionNameMax || !allowed(space, "_-.") || !allowed(path, "_-./")) {
    return Error{
        ErrorCode::invalid_argument,
        fmt::format(
            "dimension '{}' is no name of a dimension, such as minecraft:the_nether: lower-case letters, digits, "
            "'_', '-', '.', and '/' after the colon, at most {} bytes",
            dimension.substr(0, kDimensionNameMax), kDimensionNameMax)};
  }
  return std::pair(std::move(space), std::move(path));
}

std::vector<fs::path> places(const fs::path& folder, const std::string& space, const std::string& path) {
  std::vector<fs::path> found = {folder / "dimensions" / space / path / "region"};
  if (space != "minecraft") return found;
  if (path == "overworld") {
    found.push_back(folder / "region");
    found.push_back(folder);
  } else if (path == "the_nether") {
    found.push_back(folder / "DIM-1" / "region");
  } else if (path == "the_end") {
    found.push_back(folder / "DIM1" / "region");
  }
  return found;
}

Error file_error(const std::error_code& code, const fs::path& path) {
  const bool denied = code == std::errc::permission_denied;
  return {denied ? ErrorCode::permission_denied : ErrorCode::not_found,
          fmt::format("{}: {}", path.string(), code.message())};
}

Result<std::vector<std::uint8_t>> read_file(const fs::path& path, std::uint64_t bytes_max) {
  std::error_code code;
  const auto size = fs::file_size(path, code);
  if (code) return file_error(code, path);
  if (size > bytes_max) {
    return Error{ErrorCode::resource_exhausted,
                 fmt::format("{} has {} bytes of at most {}", path.string(), size, bytes_max)};
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{ErrorCode::permission_denied, fmt::format("{} cannot be opened", path.string())};
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (in.bad()) return Error{ErrorCode::data_loss, fmt::format("{} cannot be read", path.string())};
  bytes.resize(static_cast<std::size_t>(in.gcount()));  // a running server may just have cut it
  return bytes;
}

Result<std::vector<RegionFile>> regions_in(const fs::path& folder) {
  std::vector<RegionFile> files;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    const auto pos = RegionPos::from_file_name(it->path().filename().string());
    std::error_code ignored;
    if (!pos || !it->is_regular_file(ignored)) continue;
    files.push_back({.path = it->path(), .pos = *pos, .bytes = it->file_size(ignored)});
  }
  if (code) return file_error(code, folder);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.pos < b.pos; });
  return files;
}

}  // namespace

Result<std::vector<RegionFile>> list_regions(const fs::path& folder, std::string_view dimension) {
  const auto name = split_dimension(dimension);
  if (!name) return name.error();
  std::string looked;
  for (const fs::path& place : places(folder, name->first, name->second)) {
    looked += fmt::format("{}{}", looked.empty() ? "" : ", ", place.string());
    std::error_code code;
    if (!fs::is_directory(place, code)) continue;
    auto files = regions_in(place);
    if (!files || !files->empty()) return files;
  }
  return Error{ErrorCode::not_found,
               fmt::format("no region files (r.<x>.<z>.mca) of dimension {} in any of {}", dimension, looked)};
}

Result<std::vector<std::uint8_t>> read_region(const RegionFile& file) {
  return read_file(file.path, kRegionFileBytesMax);
}

ExternalReader external_beside(const RegionFile& file) {
  return [folder = file.path.parent_path()](ChunkPos pos) {
    return read_file(folder / fmt::format("c.{}.{}.mcc", pos.x, pos.z), kExternalBytesMax);
  };
}

void note_file(LoadReport& report, const RegionFile& file, const Result<std::vector<std::uint8_t>>& bytes,
               const Region& region) {
  ++report.files;
  if (!bytes) {
    report.damaged_files.push_back(bytes.error().message);
    return;
  }
  report.file_bytes += static_cast<std::int64_t>(bytes->size());
  if (bytes->empty()) ++report.empty_files;
  if (region.fault()) report.damaged_files.push_back(fmt::format("{}: {}", file.path.string(), *region.fault()));
}

RegionResult load_region(const RegionFile& file, const LoadOptions& options, StateRegistry& states) {
  RegionResult result;
  const auto bytes = read_region(file);
  const Region region(file.pos, bytes ? std::span<const std::uint8_t>(*bytes) : std::span<const std::uint8_t>());
  const ExternalReader external = external_beside(file);
  const std::string name = file.path.string();
  ChunkLoader loader(states, options.block_overrides);
  for (const RegionSlot& slot : region.slots()) {
    if (auto chunk = loader.load(region, slot, name, external)) result.chunks.push_back(*std::move(chunk));
  }
  result.report = std::move(loader.report());
  note_file(result.report, file, bytes, region);
  return result;
}

}  // namespace voxpath::world
