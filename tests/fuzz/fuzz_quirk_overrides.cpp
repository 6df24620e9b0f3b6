// What a user says of drivers' faults. Input: the value of ANYCL_QUIRKS.
#include <algorithm>
#include <string>

#include "device/driver_faults.hpp"
#include "device/quirk_overrides.hpp"
#include "device/quirks.hpp"
#include "fuzz/fuzz.hpp"

using namespace anycl;
using fuzz::require;

namespace {

std::size_t quirks_left_out(const detail::QuirkOverrides& overrides) {
  return static_cast<std::size_t>(std::count_if(detail::quirks().begin(), detail::quirks().end(),
                                                [&](const auto& quirk) { return overrides.leave_out(quirk.name); }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  const detail::QuirkOverrides overrides(text);
  const detail::QuirkOverrides twice(text + " ,\t" + text);

  for (const auto& [name, value] : overrides.facts()) {
    detail::DriverFaults faults;
    require(detail::set_fact(faults, name, value), "a fact that is taken can be set");
  }
  for (const std::string& term : overrides.bad_terms()) {
    require(text.find(term) != std::string::npos, "a bad term stands in the text");
    require(!term.empty() && term.find(',') == std::string::npos, "a bad term is one term");
  }
  require(twice.facts().size() == 2 * overrides.facts().size(), "a term reads the same beside any other");
  require(twice.bad_terms().size() == 2 * overrides.bad_terms().size(), "a bad term is bad beside any other");
  require(quirks_left_out(twice) == quirks_left_out(overrides), "leaving out twice is leaving out");
  return 0;
}
