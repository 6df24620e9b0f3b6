#include "program/build_input.hpp"

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/plain_line.hpp"
#include "program/include_expander.hpp"

namespace anycl::detail {
namespace {

/// `text` on one line and no longer than a message bears.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return plain_line(text);
  return plain_line(text.substr(0, kLongest)) + "...";
}

Digest digest_of(std::span<const std::byte> module) {
  FieldHasher hasher;
  hasher.add({reinterpret_cast<const char*>(module.data()), module.size()});
  return hasher.finish();
}

}  // namespace

BuildInput::BuildInput(const Source& source, const BuildOptions& options)
    : source_(source.module().empty() ? with_includes(source) : source), options_(options) {
  take_options();
  digest_ = source_.module().empty() ? source_.expansion().get()->digest : digest_of(source_.module());
}

BuildInput BuildInput::with(std::span<const Definition> definitions) const {
  BuildInput variant(*this);
  for (const Definition& definition : definitions) variant.options_.define(definition);
  variant.take_options();
  return variant;
}

void BuildInput::take_options() {
  if (source_.module().empty()) {
    head_ = head_for(*source_.expansion().get(), options_);
    return;
  }
  if (!options_.defines().empty())
    throw InvalidArgument(
        fmt::format("{} is a SPIR-V module: {} cannot be defined, since its macros were replaced when it "
                    "was compiled; build a module for each value, or give the source",
                    source_.name(), options_.defines().begin()->first));
  if (options_.language())
    throw InvalidArgument(
        fmt::format("{} is a SPIR-V module: its language was chosen when it was compiled", source_.name()));
}

std::string BuildInput::text() const {
  const auto module = source_.module();
  if (!module.empty()) return {reinterpret_cast<const char*>(module.data()), module.size()};
  return head_ + source_.expansion().get()->text;
}

CompilerInput BuildInput::for_compiler() const {
  return {std::string(source_.name()), label(), text(), !source_.module().empty(), key_text()};
}

std::string BuildInput::label() const {
  constexpr std::size_t kMost = 8;
  std::string label(source_.name());
  std::size_t count = 0;
  for (const auto& [name, value] : options_.defines()) {
    if (count == kMost) return label + fmt::format(" and {} more", options_.defines().size() - kMost);
    label += fmt::format("{} {}={}", count == 0 ? " with" : ",", shortened(name), shortened(value));
    ++count;
  }
  return label;
}

}  // namespace anycl::detail
