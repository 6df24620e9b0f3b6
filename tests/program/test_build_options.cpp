// Needs: a driver with compiler
#include "anycl/program/build_options.hpp"

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <locale>
#include <string>

#include <fmt/format.h>

#include "anycl/anycl.hpp"
#include "base/quote.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/random.hpp"

using namespace anycl;

namespace {

template <class T>
std::string text_of(T value) {
  return BuildOptions().define("X", value).defines().at("X");
}

/// Writes like a German: 3,5 and 1.000.
struct CommaNumbers : std::numpunct<char> {
  [[nodiscard]] char do_decimal_point() const override { return ','; }
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("integers are written with the suffix their type needs", "[program][build_options]") {
  CHECK(text_of(0) == "0");
  CHECK(text_of(-1) == "(-1)");
  CHECK(text_of(INT32_MAX) == "2147483647");
  CHECK(text_of(INT32_MIN) == "(-2147483647 - 1)");
  CHECK(text_of(std::int64_t{1} << 31) == "2147483648L");
  CHECK(text_of(INT64_MAX) == "9223372036854775807L");
  CHECK(text_of(INT64_MIN) == "(-9223372036854775807L - 1L)");
  CHECK(text_of(std::uint32_t{7}) == "7");
  CHECK(text_of(UINT32_MAX) == "4294967295u");
  CHECK(text_of(UINT64_MAX) == "18446744073709551615UL");
  CHECK(text_of(std::int8_t{-128}) == "(-128)");
  CHECK(text_of(std::uint8_t{200}) == "200");
  CHECK(text_of('a') == "97");
  CHECK(text_of(true) == "1");
  CHECK(text_of(false) == "0");
}

TEST_CASE("floating numbers stay floating and read back as the same value", "[program][build_options]") {
  CHECK(text_of(1.0f) == "1.0f");
  CHECK(text_of(1.0) == "1.0");
  CHECK(text_of(0.1f) == "0.1f");
  CHECK(text_of(1e30f) == "1e+30f");
  CHECK(text_of(-0.0f) == "-0.0f");
  test::Random random(11);
  for (int i = 0; i < 20000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.bits());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = text_of(value);
    CAPTURE(text);
    REQUIRE(text.back() == 'f');
    REQUIRE(text.find_first_of(".e") != std::string::npos);
    REQUIRE(std::strtof(text.c_str(), nullptr) == value);
  }
}

TEST_CASE("numbers are written the same in every locale", "[program][build_options]") {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  const std::string with_point = text_of(1234.5f);
  const std::string grouped = text_of(1234567);
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);

  CHECK(with_point == "1234.5f");
  CHECK(grouped == "1234567");
}

TEST_CASE("infinities and NaN have no constant and are refused by name", "[program][build_options]") {
  CHECK_THROWS_WITH(text_of(INFINITY), "define X: inf has no OpenCL C constant; define it as INFINITY or NAN");
  CHECK_THROWS_AS(text_of(-std::numeric_limits<double>::infinity()), InvalidArgument);
  CHECK_THROWS_AS(text_of(std::nan("")), InvalidArgument);
}

TEST_CASE("a name that is no identifier is refused", "[program][build_options]") {
  const auto name = GENERATE(as<std::string>{}, "", "1X", "X Y", "X=1", "X(a)", "X\n", "\xc3\xa4", "-DX", "X-Y", ".");

  CHECK_THROWS_WITH(BuildOptions().define(name), "define " + quote(name) + ": the name is not an identifier");
}

TEST_CASE("a value that would leave its line is refused", "[program][build_options]") {
  const auto value = GENERATE(as<std::string>{}, "a\nb", "a\r", "\n", "a\\", "\\", "a ?\?/", "a \\ ", "a /* b", "/*");

  CAPTURE(value);
  CHECK_THROWS_WITH(BuildOptions().define("X", value), "define X: the value must be one line");
  CHECK_THROWS_AS(BuildOptions().define("X", std::string_view("a\0b", 3)), InvalidArgument);
}

TEST_CASE("the last definition of a name counts", "[program][build_options]") {
  BuildOptions options;

  options.define("X", 1).define("Y").define("X", 2);

  CHECK(options.defines().size() == 2);
  CHECK(options.defines().at("X") == "2");
  CHECK(options.defines().at("Y") == "1");
}

TEST_CASE("text with blanks, quotes, commas and braces arrives as written",
          "[program][build_options][OCL-062][OCL-071]") {
  BuildOptions options;
  options.define("TEXT", "\"a b, 'c' {d} \\\\ \\\"e\\\"\"").define("SUM", "(1 + 2, 3)").define("_EMPTY", "");
  const std::string want = "a b, 'c' {d} \\ \"e\"";

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "constant char text[] = TEXT;\n"
                        "kernel void k(global char* out, global int* sum) {\n"
                        "  for (uint i = 0; i < sizeof(text); ++i) out[i] = text[i];\n"
                        "  *sum = SUM _EMPTY;\n}\n",
                        "k", options);
    Buffer<char> out(rig.context, want.size() + 1);
    Buffer<int> sum(rig.context, 1);

    launch(rig.queue, kernel, 1, out, sum);

    const auto text = to_host(out);
    CHECK(std::string(text.data()) == want);
    CHECK(to_host(sum).front() == 3);
  });
}

TEST_CASE("numbers arrive on the device with value and type", "[program][build_options]") {
  const std::vector<std::int64_t> values{INT64_MIN, INT64_MIN + 1,         INT32_MIN, -1, 0,
                                         INT32_MAX, std::int64_t{1} << 31, INT64_MAX};
  BuildOptions options;
  options.define("U", UINT64_MAX).define("F", 0.1f).define("NEG", -3).define("I", INT32_MIN);
  for (std::size_t i = 0; i < values.size(); ++i) options.define(fmt::format("V{}", i), values[i]);

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "kernel void k(global long* v, global ulong* u, global float* f, global int* i) {\n"
                        "  v[0] = V0; v[1] = V1; v[2] = V2; v[3] = V3; v[4] = V4; v[5] = V5; v[6] = V6; v[7] = V7;\n"
                        "  *u = U; f[0] = F; f[1] = F / 2;\n"
                        "  i[0] = 5 -NEG; i[1] = (int)sizeof(V6); i[2] = (int)sizeof(F); i[3] = (int)sizeof(V5);\n"
                        "  i[4] = (int)sizeof(I);\n}\n",
                        "k", options);
    Buffer<std::int64_t> v(rig.context, values.size());
    Buffer<std::uint64_t> u(rig.context, 1);
    Buffer<float> f(rig.context, 2);
    Buffer<int> i(rig.context, 5);

    launch(rig.queue, kernel, 1, v, u, f, i);

    CHECK(to_host(v) == values);
    CHECK(to_host(u).front() == UINT64_MAX);
    CHECK(to_host(f) == std::vector<float>{0.1f, 0.1f / 2});
    CHECK(to_host(i) == std::vector<int>{8, 8, 4, 4, 4});
  });
}
