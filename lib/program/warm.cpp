#include "anycl/program/warm.hpp"

#include <set>
#include <vector>

#include "program/kernel_core.hpp"

namespace anycl {
namespace {

struct Step {
  const Kernel* kernel;
  Preparation::Part part;
  std::exception_ptr error;
};

void begin(Step& step) {
  try {
    step.part.job = step.part.what->begin(step.part.device_index);
  } catch (...) {
    step.error = std::current_exception();
  }
}

void await(Step& step) {
  if (step.error) return;
  try {
    step.part.what->take(step.part.device_index, step.part.job);
  } catch (...) {
    step.error = std::current_exception();
  }
}

void store_all(std::span<const Kernel> kernels) {
  std::set<detail::ContextCore*> contexts;
  for (const Kernel& kernel : kernels) contexts.insert(&kernel.core()->context());
  for (detail::ContextCore* context : contexts) context->attached<detail::ProgramCache>().flush();
}

}  // namespace

void warm(std::span<const Kernel> kernels, const std::function<void(const WarmProgress&)>& progress) {
  std::vector<Step> steps;
  for (const Kernel& kernel : kernels)
    for (std::size_t i = 0; i < kernel.core()->context().devices().size(); ++i)
      steps.push_back({&kernel, {kernel.core(), i, nullptr}, nullptr});
  for (Step& step : steps) begin(step);
  std::exception_ptr first;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    await(step);
    if (!first) first = step.error;
    const Device& device = step.part.what->context().devices()[step.part.device_index];
    if (progress) progress({i + 1, steps.size(), *step.kernel, device, step.error});
  }
  store_all(kernels);
  if (first) std::rethrow_exception(first);
}

}  // namespace anycl
