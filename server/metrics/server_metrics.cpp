#include "server/metrics/server_metrics.hpp"

#include <optional>
#include <vector>

namespace voxpath::server {

using Type = MetricPage::Type;

namespace {

double number(std::uint64_t value) { return static_cast<double>(value); }

}  // namespace

std::string ServerMetrics::text(std::int64_t now_ms) {
  MetricPage page;
  server(page);
  jobs(page);
  doors(page);
  worlds(page, now_ms);
  return page.text();
}

void ServerMetrics::server(MetricPage& page) const {
  const v1::ServerInfo info = info_();
  page.begin("voxpath_build_info", "The program's version and its protocol's; always 1.", Type::gauge);
  page.add({{"version", info.version()}, {"protocol", std::to_string(info.protocol_version())}}, 1);
  page.begin("voxpath_uptime_seconds", "Since the start.", Type::gauge);
  page.add(number(info.uptime_ms()) / 1'000);
  page.begin("voxpath_workers", "Searching threads.", Type::gauge);
  page.add(info.workers());
}

void ServerMetrics::jobs(MetricPage& page) const {
  const JobMetrics& jobs = pool_.metrics();
  page.begin("voxpath_jobs_total", "Path jobs that were answered, by what with: a status, or the reason of an error.",
             Type::counter);
  for (std::size_t kind = 0; kind < JobMetrics::kKinds.size(); ++kind) {
    const std::string_view request = JobMetrics::kKinds[kind];
    for (std::size_t result = 0; result < JobMetrics::kResults.size(); ++result) {
      const std::uint64_t count = jobs.count(kind, result);
      if (count > 0) page.add({{"request", request}, {"result", JobMetrics::kResults[result]}}, number(count));
    }
    for (const protocol::ErrorRow& row : protocol::error_table()) {
      const std::uint64_t count = jobs.count(kind, row.kind);
      if (count > 0) page.add({{"request", request}, {"result", row.label}}, number(count));
    }
  }
  page.begin("voxpath_job_wait_seconds", "How long jobs that had a worker waited for it, between their slices too.",
             Type::histogram);
  page.add(jobs.waited());
  page.begin("voxpath_job_search_seconds", "How long they were worked on.", Type::histogram);
  page.add(jobs.searched());
  page.begin("voxpath_search_expansions_total", "Nodes that searches looked at.", Type::counter);
  page.add(number(jobs.expansions()));

  const WorkerPool::Counts counts = pool_.counts();
  page.begin("voxpath_jobs_waiting", "Jobs that wait for a worker.", Type::gauge);
  page.add(number(counts.queued));
  page.begin("voxpath_jobs_running", "Jobs that a worker has.", Type::gauge);
  page.add(number(counts.running));
  page.begin("voxpath_jobs_shared_total", "Path requests that were searched together with others.", Type::counter);
  page.add(number(counts.shared));

  const AnswerCache::Counts kept = pool_.answers_kept();
  page.begin("voxpath_answers_kept_hits_total", "Path requests that had an answer that was kept.", Type::counter);
  page.add(number(kept.hits));
  page.begin("voxpath_answers_kept_misses_total", "Path requests for which none was kept.", Type::counter);
  page.add(number(kept.misses));
  page.begin("voxpath_answers_kept_bytes", "Memory of the answers that are kept.", Type::gauge);
  page.add(number(kept.bytes));
}

void ServerMetrics::doors(MetricPage& page) const {
  const DoorMetrics& doors = router_.metrics();
  const auto each = [&](auto value) {
    for (std::size_t i = 0; i < kDoorNames.size(); ++i) {
      page.add({{"door", kDoorNames[i]}}, number(value(doors.of(static_cast<Door>(i)))));
    }
  };
  using Traffic = DoorMetrics::Traffic;
  page.begin("voxpath_connections", "Connections that are open.", Type::gauge);
  each([](const Traffic& traffic) {
    const std::uint64_t closed = traffic.closed.value();  // first: of two numbers that grow, it is the smaller one
    return traffic.opened.value() - closed;
  });
  page.begin("voxpath_connections_opened_total", "Connections that were accepted.", Type::counter);
  each([](const Traffic& traffic) { return traffic.opened.value(); });
  page.begin("voxpath_received_bytes_total", "Read from connections.", Type::counter);
  each([](const Traffic& traffic) { return traffic.bytes_in.value(); });
  page.begin("voxpath_sent_bytes_total", "Written to connections.", Type::counter);
  each([](const Traffic& traffic) { return traffic.bytes_out.value(); });
  page.begin("voxpath_rejections_total", "Requests that were answered with an error, by its reason.", Type::counter);
  for (const protocol::ErrorRow& row : protocol::error_table()) {
    page.add({{"reason", row.label}}, number(doors.refused_count(row.kind)));
  }
  page.begin("voxpath_connections_ended_total", "Connections that ended, by why.", Type::counter);
  for (const protocol::ErrorRow& row : protocol::error_table()) {
    const std::uint64_t count = doors.ended_count(row.kind);
    if (count > 0) page.add({{"reason", row.label}}, number(count));
  }
}

void ServerMetrics::worlds(MetricPage& page, std::int64_t now_ms) {
  struct Row {
    std::string name;
    std::uint64_t version = 0;
    std::size_t chunks = 0, sections = 0;
    std::optional<WorldSaver::Counts> store;  // of a durable world
  };
  std::vector<Row> rows;
  std::set<std::uint64_t> numbers;
  const v1::WorldList list = worlds_.list();
  for (const v1::WorldInfo& info : list.worlds()) {
    const auto host = worlds_.find(info.world());
    if (!host) continue;  // closed meanwhile
    const auto snapshot = host->world.snapshot();
    numbers.insert(host->number);
    Row& row = rows.emplace_back(Row{info.world(), snapshot->version(), snapshot->chunks().size(),
                                     sections_.of(host->number, *snapshot, now_ms), std::nullopt});
    if (host->saver) row.store = host->saver->counts();
  }
  sections_.keep(numbers);
  const auto each = [&](auto value) {
    for (const Row& row : rows) page.add({{"world", row.name}}, number(value(row)));
  };
  page.begin("voxpath_worlds", "Worlds that are open.", Type::gauge);
  page.add(number(rows.size()));
  page.begin("voxpath_world_version", "The newest version of a world.", Type::gauge);
  each([](const Row& row) { return row.version; });
  page.begin("voxpath_world_chunks", "Chunks of a world.", Type::gauge);
  each([](const Row& row) { return row.chunks; });
  page.begin("voxpath_world_sections", "Sections of a world with blocks; counted at most once a minute.", Type::gauge);
  each([](const Row& row) { return row.sections; });
  const auto each_stored = [&](auto value) {
    for (const Row& row : rows) {
      if (row.store) page.add({{"world", row.name}}, number(value(*row.store)));
    }
  };
  using Store = WorldSaver::Counts;
  page.begin("voxpath_store_commits_total", "Transactions that a durable world's store has taken.", Type::counter);
  each_stored([](const Store& store) { return store.batches; });
  page.begin("voxpath_store_failures_total", "Transactions that it could not take.", Type::counter);
  each_stored([](const Store& store) { return store.failures; });
  page.begin("voxpath_store_version", "The newest version of a durable world that is on disk.", Type::gauge);
  each_stored([](const Store& store) { return store.stored_version; });
  page.begin("voxpath_store_sections_waiting", "Changed sections that are not on disk yet.", Type::gauge);
  each_stored([](const Store& store) { return store.sections_waiting; });
  page.begin("voxpath_store_bytes", "What a durable world's store has grown to.", Type::gauge);
  each_stored([](const Store& store) { return store.used_bytes; });
  page.begin("voxpath_edits_total", "Edits of worlds that were published.", Type::counter);
  page.add(number(router_.metrics().edits.value()));
}

}  // namespace voxpath::server
