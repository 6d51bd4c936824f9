// TerminalProgress: a progress bar on a terminal, and nothing where the stream is none.
// Thread-safety: one thread. The stream must outlive it; copies share one bar.
// Usage: give it to load_world() as the progress callback. The line is cleared when the last file is done.
#pragma once

#include "server/loading/world_loader.hpp"

#include <cstdio>
#include <memory>
#include <string>

namespace voxpath::server {

class TerminalProgress {
 public:
  explicit TerminalProgress(std::FILE* stream);
  void operator()(const LoadProgress& progress) const;

  /// "[#####.....]  50 %  3/6 region files, 1234 chunks"
  static std::string line(const LoadProgress& progress);

 private:
  struct State;
  std::shared_ptr<State> state_;  // nullptr: not a terminal
};

}  // namespace voxpath::server
