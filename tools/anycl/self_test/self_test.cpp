#include "self_test/self_test.hpp"

#include <cstdint>

#include "anycl/base/error.hpp"
#include "self_test/tests.hpp"

namespace anycl::command {
namespace {

struct SelfTest {
  const char* name;
  Outcome (*run)(Rig& rig);
};

// What the others need comes first.
constexpr SelfTest kSelfTests[] = {
    {"build", self_test::build},
    {"char", self_test::integer<std::int8_t>},
    {"uchar", self_test::integer<std::uint8_t>},
    {"short", self_test::integer<std::int16_t>},
    {"ushort", self_test::integer<std::uint16_t>},
    {"int", self_test::integer<std::int32_t>},
    {"uint", self_test::integer<std::uint32_t>},
    {"long", self_test::integer<std::int64_t>},
    {"ulong", self_test::integer<std::uint64_t>},
    {"float", self_test::floating<float>},
    {"double", self_test::floating<double>},
    {"half", self_test::half},
    {"atomics", self_test::global_atomics},
    {"local atomics", self_test::local_atomics},
    {"barriers", self_test::barriers},
    {"local memory", self_test::local_memory},
    {"sub-groups", self_test::sub_groups},
    {"odd copies", self_test::odd_copies},
    {"64-bit indices", self_test::wide_indices},
    {"images", self_test::images},
    {"long loop", self_test::long_loop},
    {"timers", self_test::timers},
    {"stored build", self_test::stored_build},
};

/// A build error has the source below its first line.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The queue ends with the test: what fails late is this one's fault.
Outcome run(const SelfTest& test, Rig& rig) {
  try {
    Outcome outcome = test.run(rig);
    rig.queue.finish();
    return outcome;
  } catch (const Unsupported& lack) {
    return skipped(first_line(lack.what()));
  } catch (const std::exception& failure) {
    return failed(first_line(failure.what()));
  }
}

std::string advice_on(const Device& device) {
  return fmt::format("update its driver; until then, leave it out: ANYCL_DEVICES='!{}'", device.platform_alias());
}

void tell(ExaminationLog& log, const char* name, const Device& device, Outcome outcome) {
  if (outcome.status == Status::fail && outcome.advice.empty()) outcome.advice = advice_on(device);
  log.find({name, outcome.status, std::move(outcome.text), std::move(outcome.advice)});
}

void run_all(Rig& rig, ExaminationLog& log, std::chrono::seconds limit) {
  bool works = true;
  for (const SelfTest& test : kSelfTests) {
    if (!works) {
      tell(log, test.name, rig.device(), skipped("the first kernel does not work"));
      continue;
    }
    log.begin(fmt::format("running the self-test '{}' on {}", test.name, rig.device().name()), limit);
    const Outcome outcome = run(test, rig);
    tell(log, test.name, rig.device(), outcome);
    if (&test == kSelfTests) works = outcome.status == Status::ok;
  }
}

}  // namespace

void run_self_tests(const Device& device, ExaminationLog& log, std::chrono::seconds limit) {
  log.begin(fmt::format("making a context and a queue for {}", device.name()), limit);
  try {
    Rig rig(device);
    run_all(rig, log, limit);
    log.begin(fmt::format("closing the context of {}", device.name()), limit);
  } catch (const std::exception& failure) {
    log.find({"context", Status::fail, first_line(failure.what()), advice_on(device)});
  }
}

}  // namespace anycl::command
