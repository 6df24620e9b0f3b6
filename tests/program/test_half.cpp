// Needs: no driver
#include "anycl/program/half.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "support/catch.hpp"
#include "support/random.hpp"

using namespace anycl;

namespace {

constexpr std::uint32_t kAll = 65536;

Half half(std::uint32_t bits) { return Half::from_bits(static_cast<std::uint16_t>(bits)); }

/// The definition of binary16, in double precision.
double value_of(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 1023;
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

/// The nearest of all finite halves, found by looking; of two as near the even one. Positive, finite numbers only.
std::uint16_t nearest(double value) {
  // 65536 stands where the next half would be: what is nearer to it is infinite.
  static const std::vector<double> halves = [] {
    std::vector<double> all;
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) all.push_back(value_of(bits));
    all.push_back(65536);
    return all;
  }();
  const auto above = std::lower_bound(halves.begin(), halves.end(), value);
  if (above == halves.end()) return 0x7c00;
  const auto index = static_cast<std::uint16_t>(above - halves.begin());
  if (*above == value) return index;
  const double up = *above - value;  // exact: both are doubles of near exponents, or tiny
  const double down = value - *(above - 1);
  const auto below = static_cast<std::uint16_t>(index - 1);
  return up < down || (up == down && index % 2 == 0) ? index : below;
}

template <class T>
void check_rounding(T value) {
  const std::uint16_t want = nearest(static_cast<double>(value));
  CAPTURE(value);
  REQUIRE(Half(value).bits() == want);
  REQUIRE(Half(-value).bits() == (want | 0x8000));
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) std::uint16_t by_hardware(float value) {
  return static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT)));
}
__attribute__((target("f16c"))) float by_hardware(std::uint16_t bits) { return _cvtsh_ss(bits); }
#endif

}  // namespace

TEST_CASE("every half is the float that binary16 says", "[program][half]") {
  for (std::uint32_t bits = 0; bits < kAll; ++bits) {
    const float got = half(bits);
    const double want = value_of(bits);
    CAPTURE(bits);
    REQUIRE(std::isnan(got) == std::isnan(want));
    if (!std::isnan(want)) REQUIRE(got == want);
    REQUIRE(std::signbit(got) == (bits >> 15 != 0));
  }
}

TEST_CASE("every half comes back from float and double as it was, and NaN as a quiet NaN", "[program][half]") {
  for (std::uint32_t bits = 0; bits < kAll; ++bits) {
    const bool is_nan = (bits & 0x7fff) > 0x7c00;
    const std::uint32_t want = is_nan ? bits | 0x200 : bits;
    CAPTURE(bits);
    REQUIRE(Half(float(half(bits))).bits() == want);
    REQUIRE(Half(static_cast<double>(float(half(bits)))).bits() == want);
  }
}

TEST_CASE("what lies between two halves goes to the nearer, from the middle to the even one", "[program][half]") {
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const double low = value_of(bits);
    const double high = bits + 1 == 0x7c00 ? 65536 : value_of(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);  // exact: one bit more than a half has
    for (const float value : {static_cast<float>(low), middle}) {
      check_rounding(value);
      check_rounding(std::nextafter(value, 0.0f));
      check_rounding(std::nextafter(value, 1e9f));
    }
    // A double that a float would take to the middle first: rounded twice it may go to the wrong side.
    check_rounding(std::nextafter(static_cast<double>(middle), 0.0));
    check_rounding(std::nextafter(static_cast<double>(middle), 1e9));
  }
}

TEST_CASE("random floats and doubles of all sizes round to the nearest half", "[program][half]") {
  test::Random random(11);
  for (int round = 0; round < 200000; ++round) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()) & 0x7fffffffu);
    if (std::isfinite(single)) check_rounding(single);
    const double wide =
        std::ldexp(static_cast<double>(random.bits() >> 11) + 1, static_cast<int>(random.below(60)) - 88);
    check_rounding(wide);
  }
}

TEST_CASE("numbers beyond the largest half are infinite, the least ones zero", "[program][half]") {
  CHECK(Half(65504).bits() == 0x7bff);
  CHECK(Half(65519.996f).bits() == 0x7bff);
  CHECK(Half(65520.0f).bits() == 0x7c00);
  CHECK(Half(-1e300).bits() == 0xfc00);
  CHECK(Half(std::numeric_limits<float>::max()).bits() == 0x7c00);
  CHECK(Half(std::numeric_limits<double>::infinity()).bits() == 0x7c00);
  CHECK(Half(0x1p-25).bits() == 0);
  CHECK(Half(0x1.000002p-25f).bits() == 1);
  CHECK(Half(std::numeric_limits<double>::denorm_min()).bits() == 0);
  CHECK(Half(-std::numeric_limits<float>::denorm_min()).bits() == 0x8000);
  CHECK(Half(std::numeric_limits<std::int64_t>::min()).bits() == 0xfc00);
  CHECK(Half(2049).bits() == Half(2048).bits());
  CHECK(Half(true).bits() == 0x3c00);
}

TEST_CASE("a half is a constant where the compiler needs one", "[program][half]") {
  STATIC_REQUIRE(Half(1.5f).bits() == 0x3e00);
  STATIC_REQUIRE(float(Half(-0.0)) == 0.0f);
  STATIC_REQUIRE(Half(0x1p-24).bits() == 1);
  STATIC_REQUIRE(Half::from_bits(0x7c00) == std::numeric_limits<float>::infinity());
  STATIC_REQUIRE(Half(0.0f) == Half(-0.0f));
  STATIC_REQUIRE_FALSE(Half::from_bits(0x7e00) == Half::from_bits(0x7e00));
  STATIC_REQUIRE_FALSE(std::is_convertible_v<float, Half>);
}

#if defined(__x86_64__)
TEST_CASE("halves agree with the processor's own, NaN's bits included", "[program][half]") {
  if (!__builtin_cpu_supports(
          "avx2"))  // which comes with f16c; not every compiler knows that name ANYCL_SKIP("this processor has no half");
    for (std::uint32_t bits = 0; bits < kAll; ++bits)
      REQUIRE(std::bit_cast<std::uint32_t>(float(half(bits))) ==
              std::bit_cast<std::uint32_t>(by_hardware(static_cast<std::uint16_t>(bits))));
  std::size_t different = 0;
  for (std::uint64_t bits = 0; bits <= 0xffffffff; bits += 997) {  // prime: all low bits come by
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    different += Half(value).bits() != by_hardware(value);
  }
  CHECK(different == 0);
}
#endif
