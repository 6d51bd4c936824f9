// HttpPages: /livez, /readyz, /statusz, /metrics: how the server is.
// Thread-safety: everything runs on its executor, which has one thread.
// Invariants: at most one post to the main loop and one errand to the workers are under way for all /livez together, however
// often it is asked; each is answered after live_timeout_ms at the latest.
#pragma once

#include "server/http/http_answer.hpp"
#include "server/http/http_services.hpp"
#include "server/metrics/server_metrics.hpp"

#include <functional>
#include <memory>
#include <vector>

#include <boost/asio/steady_timer.hpp>

namespace voxpath::server {

/// From so many percent of limits.jobs_queued on the server is not ready for more.
inline constexpr std::size_t kShedPercent = 90;

class HttpPages : public std::enable_shared_from_this<HttpPages> {
 public:
  using Done = std::function<void(HttpAnswer)>;

  HttpPages(const HttpServices& services, const boost::asio::any_io_executor& executor)
      : services_(services),
        executor_(executor),
        timer_(executor),
        metrics_(services.router, services.pool, services.worlds, services.info) {}

  /// Whether the main loop and the workers turn: asks each to do something, and waits for it.
  void livez(Done done);
  [[nodiscard]] HttpAnswer readyz() const;
  [[nodiscard]] HttpAnswer statusz() const;
  [[nodiscard]] HttpAnswer metrics();
  /// Ends what is being waited for.
  void stop() { timer_.cancel(); }

 private:
  void ask_main_loop();
  void ask_workers();
  void heard();
  void finish();

  const HttpServices& services_;
  const boost::asio::any_io_executor executor_;
  boost::asio::steady_timer timer_;
  ServerMetrics metrics_;
  std::vector<Done> waiting_;                          // for the check that is under way
  std::uint64_t check_ = 0;                            // its number
  bool loop_asked_ = false, workers_asked_ = false;    // and have not done it yet
  bool loop_turned_ = false, workers_turned_ = false;  // since the check began
};

}  // namespace voxpath::server
