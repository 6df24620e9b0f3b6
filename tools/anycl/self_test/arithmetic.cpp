// The operations of each type against those of the host.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "anycl/memory/transfer.hpp"
#include "anycl/program/launch.hpp"
#include "self_test/tests.hpp"
#include "self_test_kernels.hpp"

namespace anycl::command::self_test {
namespace {

constexpr std::size_t kItems = 1001;  // no multiple of any group size
constexpr unsigned kSeed = 1;

template <class T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<std::int8_t> = "char";
template <>
constexpr const char* kTypeName<std::uint8_t> = "uchar";
template <>
constexpr const char* kTypeName<std::int16_t> = "short";
template <>
constexpr const char* kTypeName<std::uint16_t> = "ushort";
template <>
constexpr const char* kTypeName<std::int32_t> = "int";
template <>
constexpr const char* kTypeName<std::uint32_t> = "uint";
template <>
constexpr const char* kTypeName<std::int64_t> = "long";
template <>
constexpr const char* kTypeName<std::uint64_t> = "ulong";
template <>
constexpr const char* kTypeName<float> = "float";
template <>
constexpr const char* kTypeName<double> = "double";

/// Operands of each work-item, and what the kernel made of them: all results of one operation, then of the next.
template <class T>
struct Sample {
  std::vector<T> a = std::vector<T>(kItems);
  std::vector<T> b = std::vector<T>(kItems);

  std::vector<T> results_of(Rig& rig, const Kernel& kernel, std::size_t operations) const {
    const Buffer<T> device_a(rig.context, a);
    const Buffer<T> device_b(rig.context, b);
    Buffer<T> results(rig.context, operations * kItems);
    fill(rig.queue, results, T{});
    launch(rig.queue, kernel, kItems, device_a, device_b, results);
    return to_host(results);
  }
};

/// Compares operation by operation, to name the first that is wrong. `same` says whether two values agree.
template <class T, class Same>
Outcome compare_rows(const Sample<T>& sample, const std::vector<T>& got, const std::vector<T>& expected,
                     std::span<const char* const> names, Same same) {
  for (std::size_t row = 0; row < names.size(); ++row)
    for (std::size_t i = 0; i < kItems; ++i)
      if (const std::size_t at = row * kItems + i; !same(row, got[at], expected[at]))
        return failed(fmt::format("{} of {} and {}: expected {}, got {}", names[row], sample.a[i], sample.b[i],
                                  expected[at], got[at]));
  return {};
}

/// Any bits, the smallest and largest values among them; no quotient is undefined.
template <class T>
Sample<T> integer_sample() {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 random(kSeed);
  Sample<T> sample;
  for (std::size_t i = 0; i < kItems; ++i) {
    sample.a[i] = static_cast<T>(random());
    sample.b[i] = static_cast<T>(random());
    if (i % 7 == 0) sample.a[i] = Limits::min();
    if (i % 11 == 0) sample.a[i] = Limits::max();
    if (i % 5 == 0) sample.b[i] = static_cast<T>(-1);
    const bool overflows = std::is_signed_v<T> && sample.a[i] == Limits::min() && sample.b[i] == static_cast<T>(-1);
    if (sample.b[i] == 0 || overflows) sample.b[i] = 1;
  }
  return sample;
}

/// What `integer_arithmetic` computes; unsigned in between, where the host wraps round too.
template <class T>
std::vector<T> integer_results(const Sample<T>& sample) {
  using U = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  std::vector<T> results(8 * kItems);
  for (std::size_t i = 0; i < kItems; ++i) {
    const auto x = static_cast<U>(sample.a[i]);
    const auto y = static_cast<U>(sample.b[i]);
    const auto shift = static_cast<unsigned>(y & (8 * sizeof(T) - 1));
    const T row[] = {static_cast<T>(x + y),
                     static_cast<T>(x - y),
                     static_cast<T>(x * y),
                     static_cast<T>(sample.a[i] / sample.b[i]),
                     static_cast<T>(sample.a[i] % sample.b[i]),
                     static_cast<T>(x ^ y),
                     static_cast<T>(x << shift),
                     static_cast<T>(sample.a[i] >> shift)};
    for (std::size_t k = 0; k < 8; ++k) results[k * kItems + i] = row[k];
  }
  return results;
}

/// Of any sign, from 2^-20 to 2^20: no sum, product or remainder of one is subnormal, which a device may not have.
template <class T>
Sample<T> floating_sample() {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> exponent(-20, 20);
  const auto number = [&] { return static_cast<T>((random() % 2 == 0 ? 1 : -1) * std::exp2(exponent(random))); };
  Sample<T> sample;
  for (std::size_t i = 0; i < kItems; ++i) {
    sample.a[i] = number();
    sample.b[i] = number();
  }
  return sample;
}

template <class T>
std::vector<T> floating_results(const Sample<T>& sample) {
  std::vector<T> results(6 * kItems);
  for (std::size_t i = 0; i < kItems; ++i) {
    const T a = sample.a[i];
    const T b = sample.b[i];
    const T row[] = {a + b, a - b, a * b, std::fma(a, b, a), a / b, std::sqrt(std::abs(a))};
    for (std::size_t k = 0; k < 6; ++k) results[k * kItems + i] = row[k];
  }
  return results;
}

/// Steps from one number to the other, both finite and of one sign.
template <class T>
std::uint64_t steps_between(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto left = std::bit_cast<Bits>(a);
  const auto right = std::bit_cast<Bits>(b);
  return left > right ? left - right : right - left;
}

/// Sums and products are exact to the last bit; of quotients and roots of floats 2.5 and 3 steps are allowed.
/// In double precision all are exact.
/// Source: OpenCL 3.0 C, table "ULP Values for Single Precision Built-in Math Functions".
template <class T>
bool agree(std::size_t row, T got, T expected) {
  const bool rounded_freely = std::same_as<T, float> && row >= 4;
  if (!rounded_freely || std::signbit(got) != std::signbit(expected)) return got == expected;
  return steps_between(got, expected) <= 3;
}

constexpr const char* kIntegerOperations[] = {"sum",       "difference", "product",    "quotient",
                                              "remainder", "xor",        "left shift", "right shift"};
constexpr const char* kFloatingOperations[] = {"sum", "difference", "product", "fma", "quotient", "square root"};

}  // namespace

template <class T>
Outcome integer(Rig& rig) {
  BuildOptions options;
  options.define("T", kTypeName<T>).define("U", sizeof(T) == 8 ? "ulong" : "uint");
  const Kernel kernel(rig.context, kernels::arithmetic, "integer_arithmetic", options);
  const auto sample = integer_sample<T>();
  const auto got = sample.results_of(rig, kernel, std::size(kIntegerOperations));
  return compare_rows(sample, got, integer_results(sample), kIntegerOperations,
                      [](std::size_t, T a, T b) { return a == b; });
}

template Outcome integer<std::int8_t>(Rig&);
template Outcome integer<std::uint8_t>(Rig&);
template Outcome integer<std::int16_t>(Rig&);
template Outcome integer<std::uint16_t>(Rig&);
template Outcome integer<std::int32_t>(Rig&);
template Outcome integer<std::uint32_t>(Rig&);
template Outcome integer<std::int64_t>(Rig&);
template Outcome integer<std::uint64_t>(Rig&);

template <class T>
Outcome floating(Rig& rig) {
  if (std::same_as<T, double> && !rig.facts().fp64) return skipped("the device has no fp64");
  BuildOptions options;
  options.define("T", kTypeName<T>);
  if (std::same_as<T, double>) options.define("NEEDS_FP64");
  const Kernel kernel(rig.context, kernels::floating, "floating_arithmetic", options);
  const auto sample = floating_sample<T>();
  const auto got = sample.results_of(rig, kernel, std::size(kFloatingOperations));
  return compare_rows(sample, got, floating_results(sample), kFloatingOperations, agree<T>);
}

template Outcome floating<float>(Rig&);
template Outcome floating<double>(Rig&);

Outcome half(Rig& rig) {
  if (!rig.facts().fp16) return skipped("the device has no fp16");
  constexpr const char* kOperations[] = {"sum", "difference", "product"};
  constexpr int kLargest = 32;  // products stay below 2^11, up to which half holds every integer
  Sample<float> sample;
  std::vector<float> expected(std::size(kOperations) * kItems);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<int> number(-kLargest, kLargest);
  for (std::size_t i = 0; i < kItems; ++i) {
    const auto a = sample.a[i] = static_cast<float>(number(random));
    const auto b = sample.b[i] = static_cast<float>(number(random));
    expected[i] = a + b;
    expected[kItems + i] = a - b;
    expected[2 * kItems + i] = a * b;
  }
  const Kernel kernel(rig.context, kernels::half, "half_arithmetic");
  const auto got = sample.results_of(rig, kernel, std::size(kOperations));
  return compare_rows(sample, got, expected, kOperations, [](std::size_t, float a, float b) { return a == b; });
}

}  // namespace anycl::command::self_test
