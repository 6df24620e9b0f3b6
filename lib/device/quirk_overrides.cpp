#include "device/quirk_overrides.hpp"

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/quote.hpp"
#include "device/quirks.hpp"

namespace anycl::detail {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_quirk(std::string_view name) {
  return std::any_of(quirks().begin(), quirks().end(), [name](const Quirk& quirk) { return quirk.name == name; });
}

bool is_fact(std::string_view name, std::string_view value) {
  DriverFaults tried;
  return set_fact(tried, name, value);
}

}  // namespace

QuirkOverrides::QuirkOverrides(std::string_view text) {
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    if (const auto term = trimmed(text.substr(0, comma)); !term.empty()) add(term);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

void QuirkOverrides::add(std::string_view term) {
  const auto equals = std::min(term.find('='), term.size());
  const auto name = trimmed(term.substr(0, equals));
  const auto value = trimmed(term.substr(std::min(equals + 1, term.size())));
  if (term.front() == '!' && is_quirk(term.substr(1)))
    left_out_.emplace_back(term.substr(1));
  else if (is_fact(name, value))
    facts_.push_back({std::string(name), std::string(value)});
  else
    bad_terms_.emplace_back(term);
}

QuirkOverrides QuirkOverrides::from_environment() {
  QuirkOverrides overrides(environment("ANYCL_QUIRKS").value_or(""));
  if (const auto& bad = overrides.bad_terms(); !bad.empty())
    log::warn(
        "ANYCL_QUIRKS: {}{} left out, since not understood; a term is !quirk or fact=value, see 'anycl --help env'",
        quote(bad.front()), bad.size() == 1 ? " is" : fmt::format(" and {} more are", bad.size() - 1));
  return overrides;
}

}  // namespace anycl::detail
