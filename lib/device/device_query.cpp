#include "device/device_query.hpp"

#include <algorithm>
#include <string_view>

namespace anycl::detail {
namespace {

NamedVersion named_version(const cl_name_version& entry) {
  const std::string_view name(entry.name, sizeof entry.name);  // whose end a driver may forget to mark
  return {std::string(name.substr(0, name.find('\0'))),
          {CL_VERSION_MAJOR(entry.version), CL_VERSION_MINOR(entry.version), CL_VERSION_PATCH(entry.version)}};
}

}  // namespace

std::optional<bool> DeviceQuery::flag(cl_device_info what) const {
  const auto answer = value<cl_bool>(what);
  if (!answer) return std::nullopt;
  return *answer != CL_FALSE;
}

std::string DeviceQuery::text(cl_device_info what) const {
  return read_text(info(&clGetDeviceInfo, device_, what)).value_or("");
}

std::vector<NamedVersion> DeviceQuery::named_versions(cl_device_info what) const {
  const auto entries = array<cl_name_version>(what);
  std::vector<NamedVersion> named(entries.size());
  std::transform(entries.begin(), entries.end(), named.begin(), named_version);
  std::sort(named.begin(), named.end());
  return named;
}

}  // namespace anycl::detail
