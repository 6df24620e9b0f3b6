#include "doctor/layers.hpp"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "base/os_library.hpp"

namespace anycl::command {
namespace {

Finding look_at(const std::string& file) {
  const os::Library layer = os::Library::open(file);
  if (!layer)
    return {"layer", Status::warn, fmt::format("{} cannot be opened, so it is not in force: {}", file, layer.problem()),
            "correct OPENCL_LAYERS"};
  for (const char* entry : {"clGetLayerInfo", "clInitLayer"})
    if (layer.find(entry) == nullptr)
      return {"layer", Status::warn, fmt::format("{} is not an OpenCL layer: it lacks {}", file, entry),
              "correct OPENCL_LAYERS"};
  return {"layer", Status::ok, fmt::format("{} stands between programs and drivers", file)};
}

}  // namespace

Findings layers_asked_for() {
  Findings findings;
  const char* value = std::getenv("OPENCL_LAYERS");
  std::istringstream files(value != nullptr ? value : "");
  for (std::string file; std::getline(files, file, ':');)
    if (!file.empty()) findings.push_back(look_at(file));
  return findings;
}

}  // namespace anycl::command
