#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "doctor/variables.hpp"

extern "C" char** environ;

namespace anycl::command {
namespace {

// Of loaders and layers, of this library, of drivers.
constexpr std::string_view kPrefixes[] = {
    "OCL_ICD_",
    "OPENCL_",
    "LD_LIBRARY_PATH=",
    "LD_PRELOAD=",
    "ANYCL_",
    "POCL_",
    "RUSTICL_",
    "LP_NUM_",
    "GALLIUM_",
    "CLOVER_",
    "CL_CONFIG_",
    "INTEL_",
    "IGC_",
    "NEO",
    "GPU_",
    "HSA_",
    "CUDA_VISIBLE_DEVICES=",
    "ROCR_VISIBLE_DEVICES=",
    "HIP_VISIBLE_DEVICES=",
    "ZE_AFFINITY_MASK=",
};

constexpr std::string_view kHiders[] = {"ANYCL_DEVICES",      "ANYCL_DRIVERS",       "CUDA_VISIBLE_DEVICES",
                                        "GPU_DEVICE_ORDINAL", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                        "ZE_AFFINITY_MASK"};

bool concerns_opencl(std::string_view entry) {
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return entry.starts_with(prefix); });
}

Finding describe(std::string_view entry) {
  const auto equals = entry.find('=');
  const std::string_view name = entry.substr(0, equals);
  const std::string text = std::string(name) + "='" + std::string(entry.substr(equals + 1)) + "'";
  if (std::find(std::begin(kHiders), std::end(kHiders), name) != std::end(kHiders))
    return {"variable", Status::warn, text + " hides devices", "unset it if one is missing"};
  return {"variable", Status::ok, text};
}

}  // namespace

Findings variables_in_force() {
  Findings findings;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (concerns_opencl(*entry)) findings.push_back(describe(*entry));
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) { return a.text < b.text; });
  return findings;
}

}  // namespace anycl::command
