// Definitions and options for a kernel. Input: "name=value" separated by ASCII's record separator (0x1e); the first eight
// bytes are numbers and an order of options, too.
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/program/build_options.hpp"
#include "device/device_record.hpp"
#include "fuzz/c_lines.hpp"
#include "fuzz/fuzz.hpp"
#include "program/compiler_options.hpp"
#include "program/include_expander.hpp"

using namespace anycl;
using fuzz::require;

namespace {

using Defines = std::map<std::string, std::string>;

constexpr std::uint32_t kFlagCount = static_cast<std::uint32_t>(BuildFlag::no_optimization) + 1;

BuildOptions options_of(std::string_view list) {
  BuildOptions options;
  Defines expected;
  while (!list.empty()) {
    std::string_view value = fuzz::take_field(list, "\x1e");
    const std::string_view name = fuzz::take_field(value, "=");
    try {
      options.define(name, value);
      expected.insert_or_assign(std::string(name), std::string(value));
    } catch (const InvalidArgument& error) {
      fuzz::require_short_line(error.what());
    }
    require(options.defines() == expected, "a definition is taken as written, or refused and nothing is changed");
  }
  return options;
}

/// The source behind the definitions must reach the compiler as it is, whatever the values hold.
void check_text(const BuildOptions& options) {
  std::string head;
  for (const auto& [name, value] : options.defines()) head += fmt::format("#define {} {}\n", name, value);
  std::string text = detail::expand(Source("source;\n", "s.cl"), options);
  if (text.starts_with("#define asm "))  // with ## in a value, names of the assembler are defined away ahead of all
    for (int line = 0; line < 3; ++line) text.erase(0, text.find('\n') + 1);
  require(text == head + "#line 1 \"s.cl\"\nsource;\n", "each definition is one line ahead of the source");

  const auto [lines, open_comment] = fuzz::c_lines(text);
  require(!open_comment, "no value opens a comment");
  require(lines.size() == options.defines().size() + 3, "no value ends or joins lines");
  require(lines[lines.size() - 2] == "source;", "no value swallows the source");
  std::size_t i = 0;
  for (const auto& [name, value] : options.defines()) {
    require(lines[i] == fmt::format("#define {} {}", name, value), "a compiler sees each definition as it is written");
    require(fuzz::directive_of(lines[i++]) == "define", "a definition defines");
  }
}

/// Sets what the bits of `choice` say, in the order that `order` makes of it.
BuildOptions options_chosen(BuildOptions options, std::uint32_t choice, std::uint32_t order) {
  constexpr std::uint32_t kCount = kFlagCount + 2;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::uint32_t which = (i + order % kCount) % kCount;  // each once, also where `order` is nearly 2^32
    const bool on = ((choice >> which) & 1) != 0;
    if (which < kFlagCount)
      options.set(static_cast<BuildFlag>(which), on);
    else if (which == kFlagCount)
      options.warnings(on ? Warnings::errors : Warnings::off);
    else if (on)
      options.language({1 + (choice >> 24) % 3, 1 + (choice >> 28) % 2});
  }
  return options;
}

std::string compiler_options_of(const BuildOptions& options) {
  auto record = std::make_shared<detail::DeviceRecord>();
  record->capabilities.correctly_rounded_divide_sqrt = true;
  return detail::compiler_options(detail::BuildInput(Source("source;\n"), options), Device(std::move(record)));
}

/// Equal options are one text for the compiler, others another one.
void check_order(const BuildOptions& definitions, std::uint32_t choice, std::uint32_t order) {
  const BuildOptions one = options_chosen(definitions, choice, 0);
  const BuildOptions same = options_chosen(definitions, choice, order);
  require(one == same, "the order in which options are set does not matter");
  const std::string text = compiler_options_of(one);
  require(text == compiler_options_of(same), "equal options are one text");
  require(text.find('"') == std::string::npos && text.find("  ") == std::string::npos, "each option is one word");
  const BuildOptions other = options_chosen(definitions, choice ^ 1u << order % kFlagCount, 0);
  require(other != one && compiler_options_of(other) != text, "another option is another text");
}

std::string written(auto number) { return BuildOptions().define("X", number).defines().at("X"); }

/// The value of what define() makes of an integer: "5", "(-5)", "(-2147483647 - 1)", with suffixes.
std::int64_t value_of(std::string constant) {
  std::erase_if(constant, [](char c) { return std::string_view("()LUu").find(c) != std::string_view::npos; });
  std::int64_t first = 0, second = 0;
  const auto end = std::from_chars(constant.data(), constant.data() + constant.size(), first).ptr;
  if (std::string_view(end).starts_with(" - ")) std::from_chars(end + 3, constant.data() + constant.size(), second);
  return first - second;
}

template <class T>
void check_integer(T number) {
  require(static_cast<T>(value_of(written(number))) == number, "an integer reads back as itself");
}

template <class T>
void check_real(T number) {
  if (!std::isfinite(number)) {
    try {
      static_cast<void>(written(number));
      require(false, "a number without a constant is refused");
    } catch (const InvalidArgument&) {}
    return;
  }
  const std::string constant = written(number);
  T back = 0;
  std::from_chars(constant.data(), constant.data() + constant.size(), back);
  require(back == number && std::signbit(back) == std::signbit(number), "a real number reads back as itself");
  require(constant.find_first_of(".e") != std::string::npos, "a real number stays one");
  require(constant.ends_with('f') == std::is_same_v<T, float>, "a real number keeps its type");
}

template <class T>
T first_bytes_as(const std::uint8_t* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const BuildOptions options = options_of(fuzz::text_of(data, size));
  try {
    check_text(options);
  } catch (const InvalidArgument& error) {  // a value that asks about files of the machine
    fuzz::require_short_line(error.what());
    return 0;
  }
  if (size < 8) return 0;
  check_order(options, first_bytes_as<std::uint32_t>(data), first_bytes_as<std::uint32_t>(data + 4));
  check_real(first_bytes_as<float>(data));
  check_real(first_bytes_as<double>(data));
  check_integer(first_bytes_as<std::int32_t>(data));
  check_integer(first_bytes_as<std::uint32_t>(data));
  check_integer(first_bytes_as<std::int64_t>(data));
  if (const auto number = first_bytes_as<std::uint64_t>(data); number <= INT64_MAX) check_integer(number);
  return 0;
}
