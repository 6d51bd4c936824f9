// CheckReport: what came of holding many questions against their expected answers.
// Thread-safety: plain value.
#pragma once

#include <string>
#include <vector>

namespace voxpath::server {

struct CheckReport {
  std::size_t passed = 0;
  std::vector<std::string> failures;  // one sentence each: which question, what was expected, what came

  [[nodiscard]] bool ok() const { return failures.empty(); }
  void add(CheckReport other) {
    passed += other.passed;
    for (auto& f : other.failures) failures.push_back(std::move(f));
  }
  void note(const std::string& what, const std::string& fault) {
    if (fault.empty()) {
      ++passed;
    } else {
      failures.push_back(what + ": " + fault);
    }
  }
};

}  // namespace voxpath::server
