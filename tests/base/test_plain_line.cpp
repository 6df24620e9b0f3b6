// Needs: no driver
#include "base/plain_line.hpp"

#include <string>

#include "support/catch.hpp"

using anycl::plain_line;

TEST_CASE("plain text in any script stays as it is", "[base][plain_line]") {
  for (const char* text :
       {"", "GeForce RTX 3090", "caf\u00e9", "\u00a0\u07ff\u0800\uffff", "\U00010000\U0010ffff", "a, b: c?"}) {
    CAPTURE(text);
    CHECK(plain_line(text) == text);
  }
}

TEST_CASE("control characters become question marks", "[base][plain_line]") {
  CHECK(plain_line("a\nb\r\t\x1b[31m\x7f") == "a?b???[31m?");
  CHECK(plain_line(std::string_view("a\0b", 3)) == "a?b");
  CHECK(plain_line("a\u0080b\u009b31m\u009fc") == "a?b?31m?c");
}

TEST_CASE("bytes that are no UTF-8 become question marks", "[base][plain_line]") {
  CHECK(plain_line("a\x9b"
                   "31m\xff") == "a?31m?");
  CHECK(plain_line("\xc0\x80") == "??");  // overlong
  CHECK(plain_line("\xc1\xbf") == "??");
  CHECK(plain_line("\xe0\x9f\xbf") == "???");
  CHECK(plain_line("\xf0\x8f\xbf\xbf") == "????");
  CHECK(plain_line("\xed\xa0\x80") == "???");       // a surrogate
  CHECK(plain_line("\xf4\x90\x80\x80") == "????");  // over U+10FFFF
  CHECK(plain_line("\xf5\x80\x80\x80") == "????");
  CHECK(plain_line("\xe2\x82") == "??");  // cut
  CHECK(plain_line("\xe2\x82x") == "??x");
  CHECK(plain_line("\xc3") == "?");
}
