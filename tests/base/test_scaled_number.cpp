// Needs: no driver
#include "base/scaled_number.hpp"

#include <cstdint>

#include "support/catch.hpp"

using anycl::parse_scaled_number;

TEST_CASE("sizes are plain numbers or powers of 1024", "[base][scaled_number]") {
  CHECK(parse_scaled_number("0") == 0u);
  CHECK(parse_scaled_number("4096") == 4096u);
  CHECK(parse_scaled_number("4K") == 4096u);
  CHECK(parse_scaled_number("3M") == 3u << 20);
  CHECK(parse_scaled_number("1G") == 1u << 30);
  CHECK(parse_scaled_number("16777215T") == std::uint64_t{16777215} << 40);
  CHECK(parse_scaled_number("18446744073709551615") == ~std::uint64_t{0});
}

TEST_CASE("what is no size is nothing", "[base][scaled_number]") {
  for (const char* text : {"", " ", "K", "x", "-1", "+1", "5 K", " 5", "5 ", "5KB", "5k", "1.5G", "0x10", "16777216T",
                           "18446744073709551616", "99999999999999999999K"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_scaled_number(text));
  }
}
