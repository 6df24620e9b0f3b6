/// \file  The OpenCL layer of tests/layer/, seen from tests: it makes drivers lie and fail, and counts what is left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::test {

/// Where the layer's shared object is.
[[nodiscard]] std::string layer_file();

/// Changes to the environment of a child, for run_child() and run_hidden_test(), that put the layer with `rules` over
/// its drivers. The grammar is in tests/layer/README.md.
[[nodiscard]] std::vector<std::string> under_layer(std::string_view rules);

/// Whether the layer came up in this process. A wrong path goes unnoticed otherwise: tests must require it. Loads the
/// drivers if nothing has yet.
[[nodiscard]] bool layer_is_up();

struct LayerReport {
  std::uint64_t calls = 0;   ///< OpenCL calls that reached the layer
  std::uint64_t failed = 0;  ///< of these, those that a rule let fail
  std::uint64_t late = 0;    ///< of these, those after shutdown or from inside a driver's callback
  long sub_devices = 0, contexts = 0, queues = 0, buffers = 0, samplers = 0, programs = 0, kernels = 0,
       events = 0;  ///< held now

  /// But for sub-devices, which not every driver bears to get back.
  [[nodiscard]] long live() const { return contexts + queues + buffers + samplers + programs + kernels + events; }
};

/// \throws std::runtime_error  when the layer is not up.
[[nodiscard]] LayerReport layer_report();

/// This process leaves OpenCL objects behind on purpose: no verdict about that, here and in children, if the layer is up.
void leave_objects_behind();

/// From here on every call of this process is late, or no longer.
/// \throws std::runtime_error  when the layer is not up.
void mark_shutdown(bool on);

/// Its rules are in force while it lives, and their counting starts with it; those before it come back, anew. Scopes nest.
class LayerRules {
 public:
  /// \throws std::runtime_error  when the layer is not up, or the text is wrong; it says where.
  explicit LayerRules(const std::string& rules);
  ~LayerRules();
  LayerRules(const LayerRules&) = delete;
  LayerRules& operator=(const LayerRules&) = delete;

 private:
  std::string before_;
};

}  // namespace anycl::test
