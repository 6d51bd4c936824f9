// TextTable: columns as wide as what is in them, the first to the left, the others to the right.
// Thread-safety: plain values.
// Usage: TextTable t({"name", "ms"}); t.add({"A*", "1.2"}); puts(t.text().c_str());
#pragma once

#include <string>
#include <vector>

namespace voxpath::server {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  /// As many cells as the head has.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Lines, the head first, each ended.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace voxpath::server
