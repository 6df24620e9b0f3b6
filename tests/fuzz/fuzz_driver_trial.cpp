// What came of trying a driver. Input: what a worker says, after its greeting.
#include "device/driver_trial.hpp"
#include "fuzz/fuzz.hpp"

using namespace anycl;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  if (const auto trial = detail::trial_from(text)) {
    const std::string written = detail::to_text(*trial);
    const auto again = detail::trial_from(written);
    require(again && detail::to_text(*again) == written, "what is read can be written and read again");
  }

  detail::DriverTrial trial{detail::DriverTrial::Verdict::harmful, std::string(text), std::string(text)};
  trial.compiler_faults.push_back({"device", std::string(text)});
  require(detail::trial_from(detail::to_text(trial)).has_value(),
          "what is written can be read, whatever the driver said");
  return 0;
}
