#include <cstdio>

#include <fmt/core.h>

#include "anycl/base/error.hpp"
#include "anycl/base/version.hpp"
#include "anycl/device/device.hpp"
#include "command.hpp"
#include "json_document.hpp"
#include "printable.hpp"

namespace anycl::command {
namespace {

/// What is there, and what is wrong if nothing is.
struct Installation {
  Discovery discovery;
  std::string problem;
};

/// A machine without OpenCL is no reason to hide the version.
Installation look_around() {
  try {
    return {discover(), {}};
  } catch (const NoDevice& missing) {
    return {{}, missing.what()};
  }
}

void print_text(const Installation& installation) {
  fmt::print("anycl   {}\n", version());
  if (!installation.problem.empty()) {
    fmt::print("loader  none: {}\n", printable(installation.problem));
    return;
  }
  fmt::print("loader  {}\n", printable(installation.discovery.loader));
  for (const Platform& platform : installation.discovery.platforms)
    fmt::print("driver  {}: {}{}\n", printable(platform.name), printable(platform.version),
               platform.devices.empty() ? " (no device)" : "");
  if (installation.discovery.platforms.empty()) fmt::print("driver  none: install one, for example pocl-opencl-icd\n");
}

void print_json(const Installation& installation) {
  Json document = make_document("anycl.version");
  document["library"] = version();
  document["loader"] = installation.problem.empty() ? Json(installation.discovery.loader) : Json(nullptr);
  if (!installation.problem.empty()) document["problem"] = installation.problem;
  document["drivers"] = Json::array();
  for (const Platform& platform : installation.discovery.platforms)
    document["drivers"].push_back({{"alias", platform.alias},
                                   {"name", platform.name},
                                   {"version", platform.version},
                                   {"devices", platform.devices.size()}});
  print_document(document);
}

}  // namespace

ExitCode print_version(bool json) {
  const Installation installation = look_around();
  json ? print_json(installation) : print_text(installation);
  return ExitCode::done;
}

}  // namespace anycl::command
