#include "server/loading/terminal_progress.hpp"

#include <chrono>

#include <fmt/format.h>
#include <unistd.h>

namespace voxpath::server {

namespace {

constexpr std::size_t kBarCells = 30;
constexpr auto kRedrawInterval = std::chrono::milliseconds(50);
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

struct TerminalProgress::State {
  std::FILE* stream;
  std::chrono::steady_clock::time_point drawn;
};

TerminalProgress::TerminalProgress(std::FILE* stream) {
  if (isatty(fileno(stream)) != 0) state_ = std::make_shared<State>(State{stream, {}});
}

std::string TerminalProgress::line(const LoadProgress& progress) {
  const double part = progress.bytes_total == 0
                          ? 1.0
                          : static_cast<double>(progress.bytes_done) / static_cast<double>(progress.bytes_total);
  const auto filled = static_cast<std::size_t>(part * kBarCells);
  return fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  {}/{} region files, {} chunks", "", filled, "", kBarCells - filled,
                     part * 100, progress.files_done, progress.files_total, progress.chunks_done);
}

void TerminalProgress::operator()(const LoadProgress& progress) const {
  if (!state_) return;
  const bool done = progress.files_done == progress.files_total;
  const auto now = std::chrono::steady_clock::now();
  if (!done && now - state_->drawn < kRedrawInterval) return;
  state_->drawn = now;
  fmt::print(state_->stream, "{}{}", kClearLine, done ? std::string() : line(progress));
  std::fflush(state_->stream);
}

}  // namespace voxpath::server
