/// \file  What tests in the same process can ask of the layer. The layer answers clGetExtensionFunctionAddress() for these
/// names, and does not count that as a call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anycl::test_layer {

struct Counts {
  std::uint64_t calls;   ///< of the application
  std::uint64_t failed;  ///< of these, calls that a rule refused
  std::uint64_t late;    ///< of these, calls after shutdown or from inside a callback
  std::int64_t sub_devices, contexts, queues, buffers, samplers, programs, kernels,
      events;  ///< handles that are there now
};

}  // namespace anycl::test_layer

extern "C" {

void anycl_layer_report(anycl::test_layer::Counts* counts);

/// Puts other rules in force; all counting of calls by rules starts anew. Returns 0, or -1 and what is wrong with them in
/// `message` (cut to `size` bytes with its NUL): then nothing has changed.
int anycl_layer_rules(const char* rules, char* message, std::size_t size);

/// The rules in force, as they were given.
const char* anycl_layer_rules_text();

/// Every call from here on is late (1), or no longer (0).
void anycl_layer_mark_shutdown(int on);
}
