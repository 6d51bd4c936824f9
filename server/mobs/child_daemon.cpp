#include "server/mobs/child_daemon.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <regex>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace voxpath::server {

world::Result<std::unique_ptr<ChildDaemon>> ChildDaemon::start(const std::string& program,
                                                               std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program);
  arguments.insert(arguments.end(), {"--port", "0"});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return world::Error{world::ErrorCode::failed_precondition,
                        fmt::format("pipe: {}", std::generic_category().message(errno))};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  // In a process group of its own: Ctrl-C is for the one who started it, who ends it when its report is made.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    return world::Error{world::ErrorCode::failed_precondition,
                        fmt::format("{} cannot be started: {}", program, std::generic_category().message(failed))};
  }
  std::unique_ptr<ChildDaemon> daemon(new ChildDaemon(pid, ends[0]));
  std::string said;
  if (!daemon->wait_for_port(said)) {
    return world::Error{world::ErrorCode::failed_precondition,
                        fmt::format("voxpathd ended before it listened; it said: {}", said)};
  }
  return daemon;
}

bool ChildDaemon::wait_for_port(std::string& said) {
  const std::regex listening("event=listening .*port=([0-9]+)");
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(output_, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
    std::smatch match;
    if (!std::regex_search(text, match, listening)) continue;
    // The number may still be on its way.
    if (match.suffix().length() == 0) continue;
    port_ = static_cast<std::uint16_t>(std::stoi(match[1].str()));
    drain_ = std::jthread([this, rest = match.suffix().str()] { listen_to(rest); });
    return true;
  }
  said = text.substr(text.size() > 500 ? text.size() - 500 : 0);
  return false;
}

void ChildDaemon::listen_to(std::string text) {
  const std::regex failed("event=(configured_)?world_failed [^\n]*why=\"([^\n]*)\"\n");
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(output_, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
    std::smatch match;
    if (std::regex_search(text, match, failed)) {
      const std::lock_guard lock(mutex_);
      if (world_failure_.empty()) world_failure_ = match[2].str();
    }
    // A line that is not whole yet is looked at again.
    const std::size_t line = text.rfind('\n');
    if (line != std::string::npos) text.erase(0, line + 1);
  }
}

std::string ChildDaemon::world_failure() const {
  const std::lock_guard lock(mutex_);
  return world_failure_;
}

int ChildDaemon::end() {
  kill(pid_, SIGTERM);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

ChildDaemon::~ChildDaemon() {
  if (!ended_) end();
  if (drain_.joinable()) drain_.join();
  ::close(output_);
}

}  // namespace voxpath::server
