#include "server/terminal_text.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(TerminalLine, ShowsWhatIsTextAndSpellsTheRest) {
  using namespace std::string_view_literals;
  const struct {
    std::string_view text, shown;
  } kRows[] = {
      {"", ""},
      {"'a \"b\" \\ c'", "'a \"b\" \\ c'"},
      {"\x1b[2J", "\\x1b[2J"},
      {"a\nb\r\tc\x7f", "a\\x0ab\\x0d\\x09c\\x7f"},
      {"\0"sv, "\\x00"},
      {"äöü € 🧟", "äöü € 🧟"},
      {"\xc2\x9b", "\\xc2\\x9b"},                    // C1: as good as an escape
      {"\xc3", "\\xc3"},                             // cut off
      {"\xc0\xaf", "\\xc0\\xaf"},                    // longer than need be
      {"\xe0\x80\x80", "\\xe0\\x80\\x80"},           //
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond the last
      {"\xf5\x80\x80\x80\xff", "\\xf5\\x80\\x80\\x80\\xff"},
      {"\xe2\x80\xae"
       "gpj",
       "\\xe2\\x80\\xaegpj"},  // right to left from here on
  };
  for (const auto& row : kRows) EXPECT_EQ(terminal_line(row.text), row.shown);
}

TEST(TerminalLines, KeepsLineEndsOnly) {
  EXPECT_EQ(terminal_lines("one\r\n\x1btwo\n\nfour"), "one\\x0d\n\\x1btwo\n\nfour");
  EXPECT_EQ(terminal_lines("\n"), "\n");
}

}  // namespace
}  // namespace voxpath::server
