// What came of trying a driver. Input: what a worker says, after its greeting.
#include "device/driver_trial.hpp"
#include "fuzz/fuzz.hpp"

using namespace anycl;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  if (const auto trial = detail::trial_from(text))
    require(detail::to_text(*trial) == text, "what is read is written so");

  const detail::DriverTrial trial{detail::DriverTrial::Verdict::harmful, std::string(text), std::string(text)};
  require(detail::trial_from(detail::to_text(trial)).has_value(),
          "what is written can be read, whatever the driver said");
  return 0;
}
