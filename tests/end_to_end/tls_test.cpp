// TLS: who is let in with which certificate, what is said to the others, and connections that never come to an end.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"
#include "tests/support/certificates.hpp"
#include "tests/support/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;
using client::ClientOptions;

class Tls : public ::testing::Test {
 protected:
  Tls() : pki_(scratch_.path()) { pki_.make("server"); }

  server::Config config() {
    server::Config made = test_config();
    made.access.tls.certificate = pki_.cert("server");
    made.access.tls.key = pki_.key("server");
    return made;
  }
  server::Config mutual() {
    server::Config made = config();
    made.access.tls.client_ca = pki_.cert("ca");
    return made;
  }
  [[nodiscard]] ClientOptions to(const RunningDaemon& daemon) const {
    return {.port = daemon.port(), .tls = true, .ca_file = pki_.cert("ca"), .reconnect = false};
  }
  ClientOptions as(const std::string& name, const RunningDaemon& daemon) const {
    ClientOptions options = to(daemon);
    options.certificate_file = pki_.cert(name);
    options.key_file = pki_.key(name);
    return options;
  }
  static void expect_refused(const ClientOptions& options, const std::string& word) {
    BlockingClient client(options);
    const auto reply = client.ping();
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code(), v1::Error::UNAVAILABLE);
    EXPECT_NE(reply.error().message().find(word), std::string::npos) << reply.error().message();
  }

  const ScratchFolder scratch_;
  Certificates pki_;
};

TEST_F(Tls, CarriesRequestsLargeAndSmall) {
  RunningDaemon daemon(config());
  BlockingClient client(to(daemon));
  const auto path = client.find_path(flat_path(0, 5));
  ASSERT_TRUE(path) << path.error().message();
  EXPECT_EQ(path->cost(), 50);
  v1::QueryBlocks query;  // an answer of a quarter megabyte: many records
  query.set_world("flat");
  query.mutable_box()->mutable_min();
  query.mutable_box()->mutable_max()->set_x(63);
  query.mutable_box()->mutable_max()->set_y(63);
  query.mutable_box()->mutable_max()->set_z(63);
  const auto blocks = client.query_blocks(query);
  ASSERT_TRUE(blocks) << blocks.error().message();
  EXPECT_EQ(blocks->blocks_size(), 64 * 64 * 64);
  v1::SetBlocks set;  // and a request of several records
  set.set_world("flat");
  for (int i = 0; i < 20'000; ++i) {
    v1::BlockChange& change = *set.add_changes();
    change.mutable_at()->set_x(i % 100);
    change.mutable_at()->set_y(70);
    change.set_block("minecraft:air");
  }
  EXPECT_TRUE(client.set_blocks(set));
}

TEST_F(Tls, AlsoAsksForTokens) {
  server::Config made = config();
  made.access.tokens = {{"secret"}};
  RunningDaemon daemon(made);
  ClientOptions options = to(daemon);
  expect_refused(options, "token");
  options.token = "secret";
  BlockingClient client(options);
  EXPECT_TRUE(client.ping());
}

TEST_F(Tls, ServersWithoutAGoodCertificateAreNotSpokenTo) {
  const struct {
    const char* name;
    Certificates::Of of;
    const char* word;
  } kRows[] = {
      {"elsewhere", {.alt = "DNS:elsewhere.example"}, "not of the name"},
      {"expired", {.days = -1}, "expired"},
      {"self", {.signer = ""}, "self-signed"},
      {"stranger", {.signer = "other"}, "unable to get local issuer"},
  };
  pki_.authority("other");
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    pki_.make(row.name, row.of);
    server::Config made = config();
    made.access.tls.certificate = pki_.cert(row.name);
    made.access.tls.key = pki_.key(row.name);
    RunningDaemon daemon(made);
    expect_refused(to(daemon), row.word);
  }
}

TEST_F(Tls, ClientsNeedACertificateOfTheAuthorityThatIsAskedFor) {
  RunningDaemon daemon(mutual());
  pki_.make("client");
  BlockingClient client(as("client", daemon));
  const auto path = client.find_path(flat_path(0, 5));
  EXPECT_TRUE(path) << path.error().message();

  expect_refused(to(daemon), "certificate required");
  pki_.authority("other");
  pki_.make("stranger", {.signer = "other"});
  expect_refused(as("stranger", daemon), "unknown ca");
  pki_.make("self", {.signer = ""});
  expect_refused(as("self", daemon), "unknown ca");
  pki_.make("late", {.days = -1});
  expect_refused(as("late", daemon), "expired");
  EXPECT_TRUE(client.ping()) << "it is none the worse for them";
}

TEST_F(Tls, AClientsWrongFilesAreNamed) {
  RunningDaemon daemon(config());
  ClientOptions options = to(daemon);
  options.ca_file = "/nowhere/ca.pem";
  expect_refused(options, "/nowhere/ca.pem");
  options = to(daemon);
  options.certificate_file = options.key_file = "/nowhere/me.pem";
  expect_refused(options, "/nowhere/me.pem");
}

TEST_F(Tls, WhoComesWithoutTlsIsToldSo) {
  RunningDaemon daemon(config());
  RawSocket plain(daemon.port());
  plain.greet();
  const auto goodbye = plain.next_frame();
  ASSERT_TRUE(goodbye);
  EXPECT_EQ(goodbye->goodbye().error().reason(), "tls_failed");
  EXPECT_NE(goodbye->goodbye().error().message().find("TLS is spoken on this port"), std::string::npos);
  EXPECT_FALSE(plain.next_frame());
  expect_refused({.port = daemon.port(), .reconnect = false}, "TLS is spoken on this port");
  RawSocket http(daemon.port());
  http.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(http.next_frame()->goodbye().error().value(), "GET / HTTP/1.1\\x0d\\x0a");
}

TEST_F(Tls, WhoComesWithTlsToAPlainPortIsToldSo) {
  RunningDaemon daemon;
  expect_refused(to(daemon), "it may be a plain port");
}

TEST_F(Tls, GarbageAfterTheFirstBytesEndsTheConnection) {
  RunningDaemon daemon(config());
  RawSocket socket(daemon.port());
  socket.send(std::string("\x16\x03\x01\x00\x05", 5) + "wrong");
  const std::string said = socket.rest();  // an alert, and nothing of ours
  EXPECT_TRUE(said.empty() || said.starts_with("\x15\x03")) << said;
  EXPECT_LE(said.size(), 7u);
  BlockingClient client(to(daemon));
  EXPECT_TRUE(client.ping());
}

TEST_F(Tls, AHandshakeThatDoesNotEndIsGivenUp) {
  server::Config made = config();
  made.handshake_timeout_ms = 50;
  RunningDaemon daemon(made);
  for (const std::string& begun : {std::string(), std::string("\x16"), std::string("\x16\x03\x01\x02\x00\x01", 6)}) {
    RawSocket socket(daemon.port());
    socket.send(begun);
    EXPECT_EQ(socket.rest(), "") << "closed by the server";
  }
  EXPECT_TRUE(eventually([&] { return daemon->info().connections() == 0; }));
}

TEST_F(Tls, HandshakesThatDoNotEndTakePlacesOfConnections) {
  server::Config made = config();
  made.connections_max = 2;
  RunningDaemon daemon(made);
  RawSocket first(daemon.port()), second(daemon.port());
  first.send("\x16\x03");
  second.send("\x16\x03");
  ASSERT_TRUE(eventually([&] { return daemon->info().connections() == 2; }));
  RawSocket third(daemon.port());
  third.send("\x16\x03");
  EXPECT_EQ(third.rest(), "") << "there is no place for it";
  first.close();
  EXPECT_TRUE(eventually([&] { return daemon->info().connections() == 1; }));
  BlockingClient client(to(daemon));
  EXPECT_TRUE(client.ping());
}

// What a client of an older protocol version, or with a weak cipher, is let do: nothing.
TEST_F(Tls, OldVersionsAndWeakCiphersAreRefused) {
  RunningDaemon daemon(config());
  const struct {
    const char* name;
    int version;
    const char* ciphers;
    bool ok;
  } kRows[] = {
      {"TLS 1.1", TLS1_1_VERSION, "ALL:@SECLEVEL=0", false},
      {"TLS 1.2", TLS1_2_VERSION, "ECDHE+AESGCM", true},
      {"TLS 1.2 without forward secrecy", TLS1_2_VERSION, "AES128-SHA:AES256-GCM-SHA384:@SECLEVEL=0", false},
      {"TLS 1.2 with CBC", TLS1_2_VERSION, "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0", false},
      {"TLS 1.3", TLS1_3_VERSION, "ECDHE+AESGCM", true},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    boost::asio::io_context io;
    boost::asio::ssl::context context(boost::asio::ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context.native_handle(), row.version);
    SSL_CTX_set_max_proto_version(context.native_handle(), row.version);
    ASSERT_EQ(SSL_CTX_set_cipher_list(context.native_handle(), row.ciphers), 1);
    boost::asio::ssl::stream<boost::asio::ip::tcp::socket> stream(io, context);
    stream.lowest_layer().connect({boost::asio::ip::address_v4::loopback(), daemon.port()});
    boost::system::error_code code;
    stream.handshake(boost::asio::ssl::stream_base::client, code);
    EXPECT_EQ(!code, row.ok) << code.message();
  }
}

TEST_F(Tls, TheEndIsToldWithinTls) {
  auto daemon = std::make_unique<RunningDaemon>(config());
  BlockingClient client(to(*daemon));
  ASSERT_TRUE(client.ping());
  (*daemon)->stop();
  daemon->join();
  const auto late = client.ping();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().reason(), "shutting_down") << late.error().message();
}

TEST_F(Tls, TheCommandLineSpeaksIt) {
  pki_.make("client");
  RunningDaemon daemon(mutual());
  const std::string server = "localhost:" + std::to_string(daemon.port());
  const std::vector<std::string> path{"path", "--server", server, "--from=0,64,0", "--to=5,64,0"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), path.begin(), path.end());
    return run(more);
  };
  const Ended found = with({"--ca", pki_.cert("ca"), "--cert", pki_.cert("client"), "--key", pki_.key("client")});
  EXPECT_EQ(found.code, 0) << found.err;
  const Ended plain = with({});
  EXPECT_EQ(plain.code, 5);
  EXPECT_NE(plain.err.find("TLS is spoken on this port"), std::string::npos) << plain.err;
  const Ended untrusted = with({"--tls"});
  EXPECT_EQ(untrusted.code, 5) << "the system does not know the authority";
  EXPECT_NE(untrusted.err.find("certificate is not accepted"), std::string::npos) << untrusted.err;
  EXPECT_EQ(with({"--cert", pki_.cert("client")}).code, 2) << "a certificate needs its key";
}

TEST_F(Tls, ADaemonDoesNotStartWithFilesThatDoNotFit) {
  pki_.make("other");
  server::Config made = config();
  made.access.tls.key = pki_.key("other");
  server::Daemon daemon(made);
  const auto status = daemon.start();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("tls.key"), std::string::npos) << status.error().message;
}

}  // namespace
}  // namespace voxpath::test
