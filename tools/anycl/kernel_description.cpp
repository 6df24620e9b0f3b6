#include "kernel_description.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "quantity.hpp"

namespace anycl::command {
namespace {

std::vector<std::size_t> sizes_of(const Extents& extents) {
  return {extents.data(), extents.data() + extents.dimensions()};
}

Json describe(const ParameterInfo& parameter) {
  const auto space = to_string(parameter.space);
  return {{"name", parameter.name},
          {"type", parameter.type},
          {"space", space.empty() ? Json(nullptr) : Json(space)},
          {"const", parameter.is_const}};
}

}  // namespace

std::string extents_text(const Extents& extents) { return fmt::format("{}", fmt::join(sizes_of(extents), "x")); }

Json describe(const Extents& extents) { return sizes_of(extents); }

std::string resources_text(const KernelInfo& kernel) {
  std::string groups =
      fmt::format("groups of up to {}, best multiples of {}", kernel.max_group_size, kernel.preferred_multiple);
  if (kernel.required_group) groups = fmt::format("groups of {}", extents_text(*kernel.required_group));
  const std::string own = kernel.private_bytes ? bytes_text(*kernel.private_bytes) + " private" : "private not told";
  return fmt::format("{}; {} local, {}", groups, bytes_text(kernel.local_bytes), own);
}

Json describe(const KernelInfo& kernel) {
  Json document{{"name", kernel.name}, {"signature", kernel.signature()}};
  document["parameter_count"] = kernel.parameter_count;
  document["parameters"] = Json::array();
  for (const ParameterInfo& parameter : kernel.parameters) document["parameters"].push_back(describe(parameter));
  document["max_group_size"] = kernel.max_group_size;
  document["preferred_multiple"] = kernel.preferred_multiple;
  document["required_group"] = kernel.required_group ? describe(*kernel.required_group) : Json(nullptr);
  document["local_bytes"] = kernel.local_bytes;
  document["private_bytes"] = kernel.private_bytes ? Json(*kernel.private_bytes) : Json(nullptr);
  return document;
}

}  // namespace anycl::command
