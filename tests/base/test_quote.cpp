// Needs: no driver
#include "base/quote.hpp"

#include <string>

#include "support/catch.hpp"

using anycl::quote;

TEST_CASE("a quote is one short line of plain ASCII", "[base][quote]") {
  CHECK(quote("") == "''");
  CHECK(quote("gpu, ~") == "'gpu, ~'");
  CHECK(quote("a\nb\r\t\x1b\x7f") == "'a?b?\?\?\?'");
  CHECK(quote(std::string_view("a\0b", 3)) == "'a?b'");
  CHECK(quote("\u00e9") == "'?\?'");
  CHECK(quote(std::string(40, 'x')) == "'" + std::string(40, 'x') + "'");
  CHECK(quote(std::string(41, 'x')) == "'" + std::string(40, 'x') + "...'");
}
