// Process: a program of ours as a process of its own, whose output can be read as it comes; run(): the command line, to its end.
// Thread-safety: one test thread. A process that was not waited for is killed.
// Usage: Process daemon(VOXPATHD, {"--flat"}); daemon.line("event=listening"); daemon.signal(SIGTERM); daemon.wait();
#pragma once

#include "tests/support/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace voxpath::test {

/// A child process whose output can be read as it comes.
class Process {
 public:
  Process(const char* program, std::vector<std::string> arguments) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      std::vector<char*> argv{const_cast<char*>(program)};
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(program, argv.data());
      _exit(127);
    }
    ::close(ends[1]);
    out_ = fdopen(ends[0], "r");
  }
  ~Process() {
    if (!exited_) {
      kill(pid_, SIGKILL);
      wait();
    }
    std::fclose(out_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Reads up to the first line that matches; its first group, or the line.
  std::string line(const std::string& pattern) {
    const std::regex regex(pattern);
    char* buffer = nullptr;
    std::size_t size = 0;
    std::string found = "(no line matches " + pattern + ")";
    while (getline(&buffer, &size, out_) > 0) {
      const std::string text(buffer);
      output_ += text;
      std::smatch match;
      if (!std::regex_search(text, match, regex)) continue;
      found = match.size() > 1 ? match[1].str() : text;
      break;
    }
    std::free(buffer);
    return found;
  }
  void signal(int number) const { kill(pid_, number); }
  /// The exit code, or minus the signal.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    exited_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  const std::string& output() {
    line("a line that never comes");
    return output_;
  }

 private:
  pid_t pid_ = 0;
  std::FILE* out_ = nullptr;
  bool exited_ = false;
  std::string output_;
};

struct Ended {
  int code = -1;
  std::string out, err;
};

/// Runs the program; arguments are passed as they are, whatever bytes they hold.
inline Ended run(const std::vector<std::string>& arguments) {
  const ScratchFolder folder;
  const auto out = folder / "out", err = folder / "err";
  std::string command = VOXPATH_CLI;
  for (const std::string& argument : arguments) {
    command += " '";
    for (const char c : argument) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += "'";
  }
  const int status = std::system((command + " >" + out.string() + " 2>" + err.string() + " </dev/null").c_str());
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, .out = read_file(out), .err = read_file(err)};
}

}  // namespace voxpath::test
