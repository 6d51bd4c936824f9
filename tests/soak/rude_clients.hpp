// RudeClients: clients that misbehave for as long as this object lives: cut frames, garbage, silence, leaving with requests in
// flight, HTTP of both kinds, and one that asks much and reads nothing.
// Thread-safety: one thread; a thread of its own does the work, and ends with it.
// Invariant: none of them waits for the server but those that ask for a page.
// Usage: RudeClients rude(port, http_port); ...; rude.refusals()
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace voxpath::soak {

class RudeClients {
 public:
  RudeClients(std::uint16_t port, std::uint16_t http_port);

  [[nodiscard]] std::uint64_t visits() const { return visits_; }
  /// HTTP requests in good order that were not answered with 200 or told when to come again.
  [[nodiscard]] std::uint64_t refusals() const { return refusals_; }

 private:
  void work(const std::stop_token& stop);
  void visit(std::uint64_t turn);

  const std::uint16_t port_, http_port_;
  std::atomic<std::uint64_t> visits_{0}, refusals_{0};
  std::jthread thread_;
};

/// What a GET of that path is answered, head and body; empty: nothing.
[[nodiscard]] std::string http_get(std::uint16_t http_port, const std::string& path);

}  // namespace voxpath::soak
