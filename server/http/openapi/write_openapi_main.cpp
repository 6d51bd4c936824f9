// write_openapi DESCRIPTORS VERSION JSON CPP: the OpenAPI document as a file, and as a C++ source that has it as a constant.
// DESCRIPTORS is what protoc --include_source_info --descriptor_set_out wrote. Run when voxpath is built.
#include "server/http/openapi/openapi_document.hpp"

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

namespace {

constexpr std::size_t kLiteralMaxBytes =
    8'192;  // compilers bound a literal, and join them without a bound worth a word

std::string source_of(std::string_view document) {
  std::string out =
      "#include \"server/http/openapi.hpp\"\n\nnamespace voxpath::server {\n\n"
      "std::string_view openapi_document() {\n  static constexpr char kDocument[] =\n";
  for (std::size_t at = 0; at < document.size(); at += kLiteralMaxBytes) {
    out.append("R\"json(").append(document.substr(at, kLiteralMaxBytes)).append(")json\"\n");
  }
  return out + ";\n  return {kDocument, sizeof(kDocument) - 1};\n}\n\n}  // namespace voxpath::server\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("write_openapi DESCRIPTORS VERSION JSON CPP\n", stderr);
    return 2;
  }
  google::protobuf::FileDescriptorSet files;
  std::ifstream in(argv[1], std::ios::binary);
  google::protobuf::DescriptorPool pool;
  bool good = files.ParseFromIstream(&in);
  for (const auto& file : files.file()) good = good && pool.BuildFile(file) != nullptr;
  const auto* client = pool.FindMessageTypeByName("voxpath.v1.ClientFrame");
  const auto* server = pool.FindMessageTypeByName("voxpath.v1.ServerFrame");
  if (!good || client == nullptr || server == nullptr) {
    std::fprintf(stderr, "write_openapi: '%s' holds no descriptors of voxpath.proto\n", argv[1]);
    return 1;
  }
  const std::string document = voxpath::server::openapi_document(*client, *server, argv[2]);
  std::ofstream(argv[3], std::ios::binary) << document;
  std::ofstream source(argv[4], std::ios::binary);
  source << source_of(document) << std::flush;
  return source ? 0 : 1;
}
