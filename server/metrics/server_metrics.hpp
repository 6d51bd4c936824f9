// ServerMetrics: all that voxpathd tells of itself in Prometheus' text format.
// Thread-safety: one thread at a time. Lifetime: what it was given outlives it.
// Invariants: no label holds text from outside but the names of worlds, of which there are at most kWorldsMax; names of
// results and reasons come from voxpath.proto and the error table.
// Usage: a new number is a family in one of the functions of server_metrics.cpp; server/README.md has the list.
#pragma once

#include "server/metrics/metric_page.hpp"
#include "server/metrics/section_counts.hpp"
#include "server/request_router.hpp"

#include <functional>
#include <string>

namespace voxpath::server {

class ServerMetrics {
 public:
  ServerMetrics(const RequestRouter& router, const WorkerPool& pool, const Worlds& worlds,
                std::function<v1::ServerInfo()> info)
      : router_(router), pool_(pool), worlds_(worlds), info_(std::move(info)) {}

  [[nodiscard]] std::string text(std::int64_t now_ms);

 private:
  void server(MetricPage& page) const;
  void jobs(MetricPage& page) const;
  void doors(MetricPage& page) const;
  void worlds(MetricPage& page, std::int64_t now_ms);

  const RequestRouter& router_;
  const WorkerPool& pool_;
  const Worlds& worlds_;
  const std::function<v1::ServerInfo()> info_;
  SectionCounts sections_;
};

}  // namespace voxpath::server
