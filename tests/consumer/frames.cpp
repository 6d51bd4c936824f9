// Uses the installed protocol and client: a message goes into a frame and comes out of it as it was.
#include "protocol/clients/cpp/client.hpp"
#include "protocol/frame.hpp"
#include "protocol/limits.hpp"
#include "protocol/voxpath.pb.h"

#include <string>
#include <variant>

int main() {
  voxpath::v1::Hello hello;
  hello.set_client_name("consumer");
  std::string bytes;
  voxpath::protocol::append_frame(hello, &bytes);
  voxpath::protocol::FrameDecoder decoder(1024);
  decoder.feed(bytes);
  const auto frame = decoder.next();
  const auto* whole = std::get_if<voxpath::protocol::Frame>(&frame);
  voxpath::v1::Hello read;
  return whole != nullptr && read.ParseFromArray(whole->bytes.data(), static_cast<int>(whole->bytes.size())) &&
                 read.client_name() == "consumer"
             ? 0
             : 1;
}
