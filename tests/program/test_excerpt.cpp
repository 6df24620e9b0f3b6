// Needs: no driver
#include "program/excerpt.hpp"

#include <string>

#include "support/catch.hpp"

using anycl::detail::excerpt;

TEST_CASE("a caret stands under the column", "[program][excerpt]") {
  CHECK(excerpt("int x;", 5) == "  int x;\n      ^");
  CHECK(excerpt("\tx = y;\r", 6) == "  \tx = y;\n  \t    ^");
  CHECK(excerpt("int x", 6) == "  int x\n       ^");                             // something is missing behind the end
  CHECK(excerpt("/* \xC3\xA4 */ x", 11) == "  /* \xC3\xA4 */ x\n           ^");  // a letter of two bytes
}

TEST_CASE("there is no caret where the column is not in the line", "[program][excerpt]") {
  CHECK(excerpt("int x;", 0) == "  int x;");
  CHECK(excerpt("int x;", 8) == "  int x;");
  CHECK(excerpt("", 2) == "  ");
}

TEST_CASE("a source cannot drive the terminal that shows it", "[program][excerpt]") {
  CHECK(excerpt("a\x1b[2Jb\xff", 6) == "  a?[2Jb?\n       ^");
}

TEST_CASE("of a long line the part about the column is shown", "[program][excerpt]") {
  const std::string line = std::string(50'000, 'a') + "X" + std::string(50'000, 'b');

  const std::string text = excerpt(line, 50'001);

  const auto end = text.find('\n');
  REQUIRE(end != std::string::npos);
  CHECK(text.size() < 400);
  CHECK(text.substr(0, 5) == "  ...");
  CHECK(text.substr(end - 3, 3) == "...");
  CHECK(text[text.find('^') - (end + 1)] == 'X');
  CHECK(excerpt(line, 0).size() < 200);
  CHECK(excerpt(std::string(50'000, 'a'), 50'001).ends_with("^"));
}

TEST_CASE("a long line is not cut within a character", "[program][excerpt]") {
  std::string line;
  for (int i = 0; i < 1000; ++i) line += "\xC3\xA4";

  for (std::size_t column = 1; column <= line.size(); ++column)
    CHECK(excerpt(line, column).find('?') == std::string::npos);
}
