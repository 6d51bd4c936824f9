#include "server/reload.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using Keys = std::vector<std::string>;

TEST(ReloadReport, TheSameConfigurationChangesNothing) {
  const ReloadReport report = compare({}, {});
  EXPECT_TRUE(report.changed.empty());
  EXPECT_TRUE(report.needs_restart.empty());
}

TEST(ReloadReport, TellsWhatHoldsNowFromWhatWaits) {
  Config fresh;
  fresh.access.tokens = {{"s"}};
  fresh.access.role = Role::read;
  fresh.access.unix_socket = "/s";
  fresh.port = 1;
  fresh.workers = 9;
  fresh.connections_max = 5;
  fresh.drain_timeout_ms = 7;
  fresh.handshake_timeout_ms = 8;
  fresh.log_level = "debug";
  fresh.log_format = "json";
  fresh.worlds.emplace_back();
  fresh.profiles.set("giant", {});
  const ReloadReport report = compare({}, fresh);
  EXPECT_EQ(report.changed, (Keys{"tokens", "server.role", "server.drain_timeout_ms", "limits.handshake_timeout_ms",
                                  "limits.connections", "log.level", "agent"}));
  EXPECT_EQ(report.needs_restart, (Keys{"server.port", "server.unix_socket", "server.workers", "log.format", "world"}));
  Config running;
  take_over(fresh, running);
  EXPECT_EQ(compare(running, fresh).changed, Keys{}) << "all of it was taken over";
  EXPECT_EQ(compare(running, fresh).needs_restart, report.needs_restart) << "and nothing else";
  EXPECT_EQ(running.workers, 0u);
}

TEST(ReloadReport, TlsIsReadAgainButNotTurnedOnOrOff) {
  Config off, on, other;
  on.access.tls = {"c", "k", ""};
  other.access.tls = {"c2", "k2", "ca"};
  EXPECT_EQ(compare(off, on).needs_restart, Keys{"tls.certificate"});
  EXPECT_EQ(compare(on, off).needs_restart, Keys{"tls.certificate"});
  EXPECT_EQ(compare(on, other).changed, Keys{"tls"});
  EXPECT_EQ(compare(on, on).changed, Keys{"tls"}) << "the files may be new";
  Config running = off;
  take_over(on, running);
  EXPECT_FALSE(running.access.tls.on());
  running = on;
  take_over(other, running);
  EXPECT_EQ(running.access.tls, other.access.tls);
}

}  // namespace
}  // namespace voxpath::server
