// Traffic: the requests of well-behaved clients, of every kind, at a rate or as fast as they are answered.
// Thread-safety: start(), stop() and the counts from any thread; all else runs on a thread of its own, which ends with it.
// Invariants: each request is counted once as asked and once as answered, rejected (with when to try again) or lost. The same seed
// asks the same questions. What is edited are columns of a fixed set, so that the worlds themselves do not grow.
// Usage: Traffic traffic(port, 1); traffic.saturate(); ...; traffic.offer(2'000); ...; traffic.stop();
#pragma once

#include "protocol/clients/cpp/client.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace voxpath::soak {

struct Counts {
  std::atomic<std::uint64_t> asked{0}, answered{0}, rejected{0}, lost{0};
  std::atomic<std::uint64_t> withheld{0};  // not asked, as the connection had so many under way
  std::atomic<std::uint64_t> found{0}, unreachable{0}, cancelled{0}, invalidated{0}, edits{0}, hordes{0}, worlds{0};
};

class Traffic {
 public:
  Traffic(std::uint16_t port, std::uint32_t seed);
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  /// Keeps so many requests of each connection under way that the server is never idle.
  void saturate();
  /// That many requests a second, whether they are answered or not.
  void offer(double per_second);
  /// Asks nothing more, and waits until all is answered; false: something was not, within a minute.
  bool stop();
  [[nodiscard]] const Counts& counts() const { return counts_; }
  /// The first thing that was lost, and why; empty: nothing.
  [[nodiscard]] std::string first_loss() const;

 private:
  struct Connection {
    std::unique_ptr<client::Client> client;
    int under_way = 0;
  };
  void tick();
  void ask(Connection& connection);
  void ask_path(Connection& connection, v1::FindPath request, bool cancel);
  void ask_horde(Connection& connection);
  void edit(Connection& connection);
  void visit_guest_world(Connection& connection);
  v1::FindPath some_path();
  /// The handler of a request, which counts what came of it and then calls `then` with an answer.
  template <class T, class Then>
  client::Handler<T> counted(Connection& connection, Then then);
  void lose(const v1::Error& error);
  std::int32_t within(std::int32_t most);  // from -most to most

  boost::asio::io_context io_;
  boost::asio::steady_timer timer_;
  std::mt19937 random_;
  std::vector<Connection> connections_;
  Counts counts_;
  std::atomic<double> rate_{0};  // 0: nothing; below 0: as fast as it is answered
  std::chrono::steady_clock::time_point last_tick_;
  double owed_ = 0, edits_owed_ = 0;
  std::uint64_t ticks_ = 0, guests_ = 0, mobs_ = 0;
  mutable std::mutex mutex_;
  std::string first_loss_;
  std::thread thread_;
};

}  // namespace voxpath::soak
