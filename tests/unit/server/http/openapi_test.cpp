// The document that is served: valid JSON that has every request, message, field and name of voxpath.proto, and refers to nothing
// that it does not have.
#include "server/http/openapi.hpp"

#include "protocol/voxpath.pb.h"
#include "server/http/openapi/openapi_document.hpp"

#include <functional>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

namespace json = boost::json;
namespace pb = google::protobuf;

const json::value& document() {
  static const json::value parsed = json::parse({openapi_document().data(), openapi_document().size()});
  return parsed;
}

std::string name_of(const std::string& full_name) { return full_name.substr(sizeof("voxpath.v1.") - 1); }

void check_message(const pb::Descriptor& message) {
  const auto* schema = document()
                           .as_object()
                           .at("components")
                           .as_object()
                           .at("schemas")
                           .as_object()
                           .if_contains(name_of(message.full_name()));
  ASSERT_NE(schema, nullptr) << message.full_name();
  const json::object& properties = schema->as_object().at("properties").as_object();
  EXPECT_EQ(properties.size(), static_cast<std::size_t>(message.field_count())) << message.full_name();
  for (int i = 0; i < message.field_count(); ++i) {
    EXPECT_TRUE(properties.contains(message.field(i)->json_name())) << message.field(i)->full_name();
  }
  for (int i = 0; i < message.nested_type_count(); ++i) check_message(*message.nested_type(i));
}

TEST(OpenApi, HasEveryRequestAndEveryFieldOfEveryMessage) {
  const json::object& paths = document().as_object().at("paths").as_object();
  const auto* requests = v1::ClientFrame::descriptor()->FindOneofByName("request");
  EXPECT_EQ(paths.size(), static_cast<std::size_t>(requests->field_count()));
  for (int i = 0; i < requests->field_count(); ++i) {
    const auto* path = paths.if_contains("/v1/" + requests->field(i)->name());
    ASSERT_NE(path, nullptr) << requests->field(i)->name();
    EXPECT_TRUE(path->as_object().at("post").as_object().at("responses").as_object().contains("200"));
  }
  const pb::FileDescriptor* file = v1::ClientFrame::descriptor()->file();
  for (int i = 0; i < file->message_type_count(); ++i) check_message(*file->message_type(i));
}

TEST(OpenApi, RefersToNothingThatItDoesNotHave) {
  const json::object& schemas = document().as_object().at("components").as_object().at("schemas").as_object();
  std::size_t references = 0;
  const std::function<void(const json::value&)> look = [&](const json::value& value) {
    if (value.is_array()) {
      for (const auto& one : value.as_array()) look(one);
    } else if (value.is_object()) {
      for (const auto& [key, one] : value.as_object()) {
        if (key != "$ref") {
          look(one);
          continue;
        }
        ++references;
        constexpr std::string_view kBefore = "#/components/schemas/";
        const std::string target(one.as_string());
        ASSERT_TRUE(target.starts_with(kBefore)) << target;
        EXPECT_TRUE(schemas.contains(target.substr(kBefore.size()))) << target;
      }
    }
  };
  look(document());
  EXPECT_GT(references, 50u);
}

TEST(OpenApi, TellsTheCommentsOfTheProtocolAndTheNamesOfItsEnumerations) {
  const std::string text(openapi_document());
  EXPECT_NE(text.find("100 to 100; the higher goes first"), std::string::npos) << "a comment of find_path.priority";
  EXPECT_NE(text.find(R"("enum":["ASTAR","DIJKSTRA","BFS"])"), std::string::npos);
  EXPECT_EQ(text.find("----"), std::string::npos) << "rules across the file are no comments";
}

TEST(OpenApi, IsTheSameEachTime) {
  const auto write = [] {
    return server::openapi_document(*v1::ClientFrame::descriptor(), *v1::ServerFrame::descriptor(), "1");
  };
  EXPECT_EQ(write(), write());
}

}  // namespace
}  // namespace voxpath::server
