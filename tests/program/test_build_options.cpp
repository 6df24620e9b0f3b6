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
  CHECK_THROWS_WITH(BuildOptions().define("a\nb", INFINITY), "define 'a?b': the name is not an identifier");
}

TEST_CASE("a name that is no identifier is refused", "[program][build_options]") {
  const auto name = GENERATE(as<std::string>{}, "", "1X", "X Y", "X=1", "X(a)", "X\n", "\xc3\xa4", "-DX", "X-Y", ".");

  CHECK_THROWS_WITH(BuildOptions().define(name), "define " + quote(name) + ": the name is not an identifier");
}

TEST_CASE("a value that would not arrive as written is refused with the reason", "[program][build_options][OCL-062]") {
  const auto [value, why] = GENERATE(table<std::string, std::string>({
      {"a\nb", "the value must be one line"},
      {"a\r", "the value must be one line"},
      {"\n", "the value must be one line"},
      {"a\\", "the value must be one line"},
      {"\\", "the value must be one line"},
      {"a \\ ", "the value must be one line"},
      {"\"\\", "the value must be one line"},
      {std::string("a\0b", 3), "the value must be one line"},
      {"a ?\?/", "trigraphs are not supported"},
      {"\"what?\?!\"", "trigraphs are not supported"},
      {"?\?(?\?)", "trigraphs are not supported"},
      {"a /* b", "a comment is not part of a value"},
      {"a /* b */ c", "a comment is not part of a value"},
      {"/*", "a comment is not part of a value"},
      {"http://x", "a comment is not part of a value"},
      {"\"", "the quote \" of the value has no end"},
      {"don't", "the quote ' of the value has no end"},
      {"\"a\\\"", "the quote \" of the value has no end"},
      {"'\"' \"", "the quote \" of the value has no end"},
      {"__has_##include", "## joins what is on its sides, and does not arrive"},
      {"a %:%: b", "## joins what is on its sides, and does not arrive"},
      {"\xc3\xa4", "byte 0xc3 of the value is not printable ASCII; only literals may have such characters"},
      {"1\xc2\xa0+ 2", "byte 0xc2 of the value is not printable ASCII; only literals may have such characters"},
      {"a\x01", "byte 0x01 of the value is not printable ASCII; only literals may have such characters"},
      {"\x7f", "byte 0x7f of the value is not printable ASCII; only literals may have such characters"},
  }));

  CAPTURE(value);
  CHECK_THROWS_WITH(BuildOptions().define("X", value), "define X: " + why);
}

TEST_CASE("what looks dangerous inside a literal is taken", "[program][build_options][OCL-062]") {
  const auto value =
      GENERATE(as<std::string>{}, "\"// a\"", "\"/*\"", "'\"'", "\"'\"", "\"##\"", "\"\xc3\xa4\"", "\"\x01\"",
               "\"\\\\\"", "'\\''", "\"?\?\"", "\"what?\"", "a / b", "a # b", "%:", "{1, 2}", "", " ", "\t");

  CHECK(BuildOptions().define("X", value).defines().at("X") == value);
}

TEST_CASE("the one word that no compiler lets be defined is refused", "[program][build_options]") {
  CHECK_THROWS_WITH(BuildOptions().define("defined"),
                    "define defined: no compiler lets that word stand for something else");
}

TEST_CASE("types have the names of OpenCL C, whatever the host calls them", "[program][build_options]") {
  CHECK(text_of(type<float>) == "float");
  CHECK(text_of(type<double>) == "double");
  CHECK(text_of(type<const float>) == "float");
  CHECK(text_of(type<std::int8_t>) == "char");
  CHECK(text_of(type<signed char>) == "char");
  CHECK(text_of(type<std::uint8_t>) == "uchar");
  CHECK(text_of(type<std::byte>) == "uchar");
  CHECK(text_of(type<char>) == (std::is_signed_v<char> ? "char" : "uchar"));
  CHECK(text_of(type<std::int16_t>) == "short");
  CHECK(text_of(type<std::uint16_t>) == "ushort");
  CHECK(text_of(type<int>) == "int");
  CHECK(text_of(type<std::uint32_t>) == "uint");
  CHECK(text_of(type<std::int64_t>) == "long");
  CHECK(text_of(type<long long>) == "long");
  CHECK(text_of(type<std::size_t>) == (sizeof(std::size_t) == 8 ? "ulong" : "uint"));
}

TEST_CASE("options are equal when they say the same, in whatever order", "[program][build_options]") {
  const BuildOptions listed{{"N", 16}, {"T", type<float>}, {"TEXT", "a b"}};
  BuildOptions chained;
  chained.define("TEXT", std::string("a b")).define("N", 1).define("T", type<float>).define("N", 16);
  CHECK(listed == chained);

  const auto differs = [&](auto&& change) {
    BuildOptions changed(chained);
    change(changed);
    return changed != listed;
  };
  CHECK(differs([](BuildOptions& o) { o.define("N", 17); }));
  CHECK(differs([](BuildOptions& o) { o.define("M"); }));
  CHECK(differs([](BuildOptions& o) { o.set(BuildFlag::mad_enable); }));
  CHECK(differs([](BuildOptions& o) { o.warnings(Warnings::off); }));
  CHECK(differs([](BuildOptions& o) { o.language({1, 2}); }));
  CHECK_FALSE(differs([](BuildOptions& o) { o.set(BuildFlag::mad_enable).set(BuildFlag::mad_enable, false); }));
  CHECK_FALSE(differs([](BuildOptions& o) { o.warnings(Warnings::errors).warnings(Warnings::logged); }));
}

TEST_CASE("a language that no compiler can be asked for is refused", "[program][build_options]") {
  CHECK_THROWS_WITH(BuildOptions().language({1, 0}),
                    "language: there is no build option for OpenCL C 1.0.0; 1.1, 1.2, 2.0 and 3.0 have one");
  CHECK_THROWS_AS(BuildOptions().language({}), InvalidArgument);
  CHECK_THROWS_AS(BuildOptions().language({2, 0, 1}), InvalidArgument);
  CHECK(BuildOptions().language({3, 1}).language() == Version{3, 1});
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

TEST_CASE("hostile literals arrive byte by byte", "[program][build_options][OCL-062]") {
  const std::string want = "// /* ## ' # %d $ ` {(<[ \xc3\xa4 \x01 \x7f \t end";
  const BuildOptions options{
      {"TEXT", "\"" + want + "\""}, {"LIST", "{ 1,\t2 ,\f3 }"}, {"ASSIGN", "<<="}, {"EMPTY", ""}};

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "constant char text[] = TEXT;\n"
                        "constant int list[] = LIST;\n"
                        "kernel void k(global char* out, global int* sum) {\n"
                        "  for (uint i = 0; i < sizeof(text); ++i) out[i] = text[i];\n"
                        "  *sum = list[0] + list[1] EMPTY + list[2];\n"
                        "  *sum ASSIGN sizeof(list) / sizeof(int);\n}\n",
                        "k", options);
    Buffer<char> out(rig.context, want.size() + 1);
    Buffer<int> sum(rig.context, 1);

    launch(rig.queue, kernel, 1, out, sum);

    CHECK(std::string(to_host(out).data()) == want);
    CHECK(to_host(sum).front() == 6 << 3);
  });
}

TEST_CASE("types arrive on the device with their size", "[program][build_options]") {
  const BuildOptions options{{"A", type<std::int8_t>}, {"B", type<std::uint16_t>}, {"C", type<int>},
                             {"D", type<std::size_t>}, {"E", type<float>},         {"F", type<unsigned char>}};

  test::for_each_device([&](test::Rig& rig) {
    const Kernel kernel(rig.context,
                        "kernel void k(global uint* size, global E* e) {\n"
                        "  size[0] = sizeof(A); size[1] = sizeof(B); size[2] = sizeof(C); size[3] = sizeof(D);\n"
                        "  size[4] = sizeof(F); size[5] = (F)-1 > 0 && (A)-1 < 0; *e = (E)1 / 4;\n}\n",
                        "k", options);
    Buffer<unsigned> size(rig.context, 6);
    Buffer<float> e(rig.context, 1);

    launch(rig.queue, kernel, 1, size, e);

    CHECK(to_host(size) == std::vector<unsigned>{1, 2, 4, sizeof(std::size_t), 1, 1});
    CHECK(to_host(e).front() == 0.25f);
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
