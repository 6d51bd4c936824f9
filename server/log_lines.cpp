#include "server/log_lines.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace {

constexpr std::chrono::seconds kFlushEvery{1};  // so that sums are written though nothing else is

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      out += fmt::format("\\\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// Whether it is a number in JSON, and stays the same one in any reader of it.
bool is_number(std::string_view text) {
  constexpr std::size_t kDigitsMax = 15;
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.size() > kDigitsMax || (digits.size() > 1 && digits.front() == '0')) return false;
  return digits.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Takes the value at the beginning of `rest` off it.
std::string_view take_value(std::string_view& rest, bool& quoted) {
  quoted = rest.starts_with('"');
  if (quoted) rest.remove_prefix(1);
  const std::size_t end = std::min(rest.find(quoted ? '"' : ' '), rest.size());
  const std::string_view value = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return value;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

class LineFormatter : public spdlog::formatter {
 public:
  explicit LineFormatter(bool json)
      : json_(json),
        head_(json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l",)" : "time=%Y-%m-%dT%H:%M:%S.%e%z level=%l ",
              spdlog::pattern_time_type::local, "") {}

  void format(const spdlog::details::log_msg& line, spdlog::memory_buf_t& out) override {
    head_.format(line, out);
    const std::string_view payload(line.payload.data(), line.payload.size());
    const std::string text = json_ ? json_members(payload) + "}\n" : one_line(payload) + "\n";
    out.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<LineFormatter>(json_);
  }

 private:
  const bool json_;
  spdlog::pattern_formatter head_;
};

/// Writes to another sink, but not the same thing all the time.
class LimitedSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  LimitedSink(spdlog::sink_ptr to, std::size_t repeats_max) : to_(std::move(to)), limiter_(repeats_max) {}
  ~LimitedSink() override { write_sums(std::numeric_limits<std::int64_t>::max()); }
  LimitedSink(const LimitedSink&) = delete;
  LimitedSink& operator=(const LimitedSink&) = delete;

 protected:
  void sink_it_(const spdlog::details::log_msg& line) override {
    const std::int64_t second = seconds_of(line.time);
    write_sums(second);
    const std::string_view payload(line.payload.data(), line.payload.size());
    // Finer levels are asked for on purpose, to see every request.
    if (line.level >= spdlog::level::info && !limiter_.admit(event_of(payload), second)) return;
    to_->log(line);
  }
  void flush_() override {
    write_sums(seconds_of(spdlog::log_clock::now()));
    to_->flush();
  }
  void set_pattern_(const std::string& pattern) override { to_->set_pattern(pattern); }
  void set_formatter_(std::unique_ptr<spdlog::formatter> formatter) override {
    to_->set_formatter(std::move(formatter));
  }

 private:
  static std::int64_t seconds_of(spdlog::log_clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  }
  void write_sums(std::int64_t second) {
    for (const RepeatLimiter::Sum& sum : limiter_.take_sums(second)) {
      const std::string text = fmt::format("event=repeated of={} times={}", sum.event, sum.times);
      to_->log(spdlog::details::log_msg("", spdlog::level::warn, text));
    }
  }

  const spdlog::sink_ptr to_;
  RepeatLimiter limiter_;
};

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string json_members(std::string_view line) {
  std::string out, message;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of("= "), line.size());
    const std::string_view key = line.substr(0, end);
    if (end == line.size() || line[end] != '=' || !is_key(key)) {
      const std::size_t word = std::min(line.find(' '), line.size());
      message += fmt::format("{}{}", message.empty() ? "" : " ", line.substr(0, word));
      line.remove_prefix(std::min(word + 1, line.size()));
      continue;
    }
    line.remove_prefix(end + 1);
    bool quoted = false;
    const std::string_view value = take_value(line, quoted);
    while (line.starts_with(' ')) line.remove_prefix(1);
    out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", key,
                       !quoted && is_number(value) ? std::string(value) : json_string(value));
  }
  if (!message.empty() || out.empty())
    out += fmt::format("{}\"message\":{}", out.empty() ? "" : ",", json_string(message));
  return out;
}

std::string_view event_of(std::string_view line) {
  constexpr std::string_view kKey = "event=";
  if (!line.starts_with(kKey)) return "other";
  line.remove_prefix(kKey.size());
  return line.substr(0, line.find(' '));
}

void RepeatLimiter::begin(std::int64_t second) {
  if (second <= second_) return;  // clocks go back, too
  for (const auto& [name, count] : counts_) {
    if (count > max_) sums_.push_back({name, count - max_});
  }
  counts_.clear();
  second_ = second;
}

bool RepeatLimiter::admit(std::string_view event, std::int64_t second) {
  if (max_ == 0) return true;
  begin(second);
  const auto found = counts_.find(event);
  if (found == counts_.end()) {
    counts_.emplace(event, 1);
    return true;
  }
  return ++found->second <= max_;
}

std::vector<RepeatLimiter::Sum> RepeatLimiter::take_sums(std::int64_t second) {
  begin(second);
  return std::exchange(sums_, {});
}

void start_logging(const LogOptions& options) {
  auto sink = std::make_shared<LimitedSink>(std::make_shared<spdlog::sinks::stdout_sink_mt>(), options.repeats_max);
  sink->set_formatter(std::make_unique<LineFormatter>(options.format == "json"));
  auto logger = std::make_shared<spdlog::logger>("", std::move(sink));
  logger->set_level(spdlog::level::from_str(options.level));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
  spdlog::flush_every(kFlushEvery);
}

}  // namespace voxpath::server
