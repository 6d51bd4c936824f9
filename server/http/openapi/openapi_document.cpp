#include "server/http/openapi/openapi_document.hpp"

#include "protocol/errors.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

namespace voxpath::server {

namespace json = boost::json;
namespace pb = google::protobuf;

namespace {

/// Which answer a request has. Those of the same name need no entry.
const std::map<std::string_view, std::string_view>& answers() {
  static const std::map<std::string_view, std::string_view> answers{{"hello", "welcome"},
                                                                    {"ping", "pong"},
                                                                    {"open_world", "world"},
                                                                    {"close_world", "done"},
                                                                    {"list_worlds", "worlds"},
                                                                    {"set_palette", "done"},
                                                                    {"put_chunk", "committed"},
                                                                    {"drop_chunk", "committed"},
                                                                    {"set_blocks", "committed"},
                                                                    {"query_blocks", "blocks"},
                                                                    {"line_of_sight", "sight"},
                                                                    {"surface_below", "surface"},
                                                                    {"find_path", "path"},
                                                                    {"find_paths", "paths"},
                                                                    {"validate_path", "path_verdict"}};
  return answers;
}

/// A comment of voxpath.proto in one line.
template <class Descriptor>
std::string comment_of(const Descriptor& descriptor) {
  pb::SourceLocation at;
  if (!descriptor.GetSourceLocation(&at)) return {};
  std::string out;
  for (const std::string& part : {at.leading_comments, at.trailing_comments}) {
    if (part.starts_with(" ---")) continue;  // a rule across the file
    for (const char c : part + " ") {
      if (c != ' ' && c != '\n') {
        out += c;
      } else if (!out.empty() && out.back() != ' ') {
        out += ' ';
      }
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

void describe(json::object& schema, const std::string& text) {
  if (!text.empty()) schema["description"] = text;
}

/// "Agent.Mode": a name without the package.
std::string name_of(const std::string& full_name, const pb::FileDescriptor& file) {
  return full_name.substr(file.package().size() + 1);
}
std::string reference(const std::string& name) { return "#/components/schemas/" + name; }

class Document {
 public:
  Document(const pb::Descriptor& client, const pb::Descriptor& server) : client_(client), server_(server) {}

  std::string write(std::string_view version) {
    json::object root;
    root["openapi"] = "3.0.3";
    root["info"] = {
        {"title", "voxpath"},
        {"version", version},
        {"description",
         "Paths for mobs in voxel worlds. The messages are those of voxpath.proto as protobuf's canonical JSON: fields "
         "that "
         "have their default value may be left out, and are left out in answers; 64-bit numbers are strings."}};
    root["security"] = json::array{json::object{}, json::object{{"token", json::array{}}}};
    root["paths"] = paths();
    root["components"] = {{"schemas", schemas()},
                          {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}};
    return json::serialize(root) + "\n";
  }

 private:
  json::object paths() {
    json::object paths;
    const auto& requests = *client_.FindOneofByName("request");
    for (int i = 0; i < requests.field_count(); ++i) {
      const pb::FieldDescriptor& field = *requests.field(i);
      paths["/v1/" + field.name()] = {{"post", operation(field)}};
    }
    return paths;
  }

  json::object operation(const pb::FieldDescriptor& field) {
    const auto named = answers().find(field.name());
    const std::string answer(named != answers().end() ? named->second : std::string_view(field.name()));
    const pb::FieldDescriptor* result = server_.FindFieldByName(answer);
    json::object operation;
    operation["operationId"] = field.name();
    std::string text = comment_of(field);
    if (text.empty()) text = comment_of(*field.message_type());
    describe(operation, text);
    operation["requestBody"] = {{"content", content(*field.message_type())}};
    json::object responses;
    responses["200"] = {{"description", "The answer."}, {"content", content(*result->message_type())}};
    std::set<int> statuses;
    for (const protocol::ErrorRow& row : protocol::error_table()) statuses.insert(row.http_status);
    for (const int status : statuses) {
      std::string reasons;
      for (const protocol::ErrorRow& row : protocol::error_table()) {
        if (row.http_status == status) reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", row.label);
      }
      const pb::Descriptor& error = *server_.FindFieldByName("error")->message_type();
      responses[std::to_string(status)] = {{"description", reasons}, {"content", content(error)}};
    }
    operation["responses"] = std::move(responses);
    return operation;
  }

  json::object content(const pb::Descriptor& message) {
    need(message);
    return {{"application/json", {{"schema", {{"$ref", reference(name_of(message.full_name(), *message.file()))}}}}}};
  }

  void need(const pb::Descriptor& message) { needed_.emplace(name_of(message.full_name(), *message.file()), &message); }

  /// All messages that are needed, and those that these need.
  json::object schemas() {
    need(client_);  // of WebSockets
    need(server_);
    std::map<std::string, json::object> done;
    while (done.size() < needed_.size()) {
      const auto pending = needed_;
      for (const auto& [name, message] : pending) {
        if (!done.contains(name)) done.emplace(name, schema(*message));
      }
    }
    json::object schemas;
    for (auto& [name, schema] : done) schemas[name] = std::move(schema);
    return schemas;
  }

  json::object schema(const pb::Descriptor& message) {
    json::object properties;
    for (int i = 0; i < message.field_count(); ++i) {
      const pb::FieldDescriptor& field = *message.field(i);
      json::object property = type_of(field);
      if (field.is_repeated()) property = {{"type", "array"}, {"items", std::move(property)}};
      std::string text = comment_of(field);
      if (const pb::OneofDescriptor* oneof = field.real_containing_oneof()) {
        text = fmt::format("One of the fields of `{}`.{}{}", oneof->name(), text.empty() ? "" : " ", text);
      }
      if (property.contains("$ref") && !text.empty()) {  // beside a reference nothing else is read
        property = {{"allOf", json::array{std::move(property)}}};
      }
      describe(property, text);
      properties[field.json_name()] = std::move(property);
    }
    json::object schema{{"type", "object"}, {"additionalProperties", false}};
    describe(schema, comment_of(message));
    schema["properties"] = std::move(properties);
    return schema;
  }

  json::object type_of(const pb::FieldDescriptor& field) {
    using Field = pb::FieldDescriptor;
    switch (field.cpp_type()) {
      case Field::CPPTYPE_INT32:
        return {{"type", "integer"}, {"format", "int32"}};
      case Field::CPPTYPE_UINT32:
        return {{"type", "integer"}, {"minimum", 0}, {"maximum", 4'294'967'295}};
      case Field::CPPTYPE_INT64:
        return {{"type", "string"}, {"format", "int64"}};
      case Field::CPPTYPE_UINT64:
        return {{"type", "string"}, {"format", "uint64"}};
      case Field::CPPTYPE_DOUBLE:
      case Field::CPPTYPE_FLOAT:
        return {{"type", "number"}, {"format", "double"}};
      case Field::CPPTYPE_BOOL:
        return {{"type", "boolean"}};
      case Field::CPPTYPE_STRING:
        return {{"type", "string"}};
      case Field::CPPTYPE_ENUM: {
        json::array names;
        for (int i = 0; i < field.enum_type()->value_count(); ++i)
          names.emplace_back(field.enum_type()->value(i)->name());
        return {{"type", "string"}, {"enum", std::move(names)}};
      }
      case Field::CPPTYPE_MESSAGE:
        break;
    }
    need(*field.message_type());
    return {{"$ref", reference(name_of(field.message_type()->full_name(), *field.file()))}};
  }

  const pb::Descriptor& client_;
  const pb::Descriptor& server_;
  std::map<std::string, const pb::Descriptor*> needed_;
};

}  // namespace

std::string openapi_document(const pb::Descriptor& client, const pb::Descriptor& server, std::string_view version) {
  return Document(client, server).write(version);
}

}  // namespace voxpath::server
