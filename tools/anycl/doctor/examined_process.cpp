// The child's side of an examination: what is done in here may end the process at any time.
#include <filesystem>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/device/device.hpp"
#include "base/os_child.hpp"
#include "base/os_library.hpp"
#include "device_facts.hpp"
#include "device_list.hpp"
#include "doctor/examination.hpp"
#include "doctor/examination_log.hpp"
#include "doctor/layers.hpp"
#include "doctor/library_fault.hpp"
#include "doctor/loader_identity.hpp"
#include "doctor/raw_answers.hpp"
#include "self_test/self_test.hpp"

namespace anycl::command {
namespace {

/// The file behind a name and its links: libOpenCL.so.1 -> libOpenCL.so.1.0.0
std::string real_file(const std::string& file) {
  std::error_code unknown;
  const auto real = std::filesystem::canonical(file, unknown);
  return unknown ? file : real.string();
}

const std::string kReplace = fmt::format("install its package again, update it, or remove {}", kDriverFile);

class Examination {
 public:
  explicit Examination(const ExaminationOptions& options) : options_(options) {}

  void loader() {
    log_.begin("opening the layers in OPENCL_LAYERS", options_.limits.answer);
    for (const Finding& finding : layers_asked_for()) log_.find(finding);  // before the loader: some cut the variable
    log_.begin("opening the OpenCL loader", options_.limits.answer);
    try {
      const Discovery discovery = discover();
      const LoaderIdentity identity = identify_loader(discovery.loader);
      log_.loader({{"file", discovery.loader},
                   {"name", identity.name},
                   {"version", identity.version},
                   {"platforms", discovery.platforms.size()}});
    } catch (const Error& error) {  // names file and symbol, and what to install
      log_.find({"loader", Status::fail, error.what(), "install ocl-icd-libopencl1 again"});
    }
  }

  void driver(const std::string& library) {
    if (opens_as_driver(library)) inside();
  }

  void inside() {
    log_.begin("asking for platforms and devices", options_.limits.answer);
    try {
      const Discovery discovery = discover();
      tell_platforms(discovery);
      for (const Device& device : discovery.devices()) tell_device(device);
    } catch (const Error& error) {
      log_.find({"platform", Status::fail, error.what(), kReplace});
    }
  }

  void end() {
    log_.end();
    log_.begin("its process ended", options_.limits.answer);
  }

 private:
  bool opens_as_driver(const std::string& name) {
    log_.begin(fmt::format("opening {}", name), options_.limits.answer);
    if (const std::string reason = reason_not_to_open(name); !reason.empty())
      return fail_library({"library", Status::fail, fmt::format("{} cannot be opened: {}", name, reason),
                           fmt::format("install its package again, or remove {}", kDriverFile)});
    const os::Library library = os::Library::open(name);
    if (!library) return fail_library(fault_of_library(name, library.problem()));
    const std::string file = real_file(library.file());
    if (std::filesystem::path(file).filename().string().starts_with("libOpenCL.so"))
      return fail_library({"library", Status::fail, fmt::format("{} is an OpenCL loader, not a driver", file),
                           fmt::format("remove {}", kDriverFile)});
    if (library.find("clGetExtensionFunctionAddress") == nullptr)
      return fail_library({"library", Status::fail,
                           fmt::format("{} is not an OpenCL driver: it lacks clGetExtensionFunctionAddress", file),
                           fmt::format("name the driver's own library in {0}, or remove {0}", kDriverFile)});
    log_.find({"library", Status::ok, file});
    return true;
  }

  bool fail_library(const Finding& fault) {
    log_.find(fault);
    return false;
  }

  void tell_platforms(const Discovery& discovery) {
    const auto bad_lists = find_bad_lists();
    for (const BadList& bad : bad_lists) log_.find({"platform", Status::fail, bad.text, kReplace});
    if (discovery.platforms.empty() && bad_lists.empty())
      log_.find({"platform", Status::fail, "it offers no platform", kReplace});
    for (const Platform& platform : discovery.platforms) tell_platform(platform, bad_lists);
    for (const std::string& warning : discovery.warnings)
      if (!is_told_elsewhere(warning)) log_.find({"platform", Status::warn, warning});
  }

  /// With advice, above.
  static bool is_told_elsewhere(const std::string& warning) {
    return warning.ends_with("has no device") || warning.find("does not tell its devices") != std::string::npos ||
           warning.find("does not tell its platforms") != std::string::npos;
  }

  void tell_platform(const Platform& platform, const std::vector<BadList>& bad_lists) {
    const std::string name = fmt::format("{} ({})", platform.name, platform.version);
    if (!platform.devices.empty())
      return log_.find({"platform", Status::ok, fmt::format("{}, devices: {}", name, platform.devices.size())});
    if (bad_lists.empty())
      log_.find({"platform", Status::warn, name + " has no device", advice_without_devices(platform.alias)});
  }

  static std::string advice_without_devices(const std::string& alias) {
    if (alias == "rusticl")
      return "it offers none unless asked: set RUSTICL_ENABLE to the card's driver, such as radeonsi, iris or llvmpipe";
    if (alias == "pocl")
      return "it offers none where it cannot write to its cache: set POCL_CACHE_DIR to a folder that you may write to";
    if (alias == "clover") return "rusticl has taken its place; fine if another driver serves the card";
    return "after an update of the driver or the kernel, reboot; else see the device nodes and the hardware here";
  }

  void tell_device(const Device& device) {
    const Capabilities& facts = device.capabilities();
    log_.device({{"name", device.name()},
                 {"driver", device.platform_alias()},
                 {"kind", to_string(device.kind())},
                 {"id", device.id()},
                 {"pci_place", facts.pci_place ? Json(place_text(*facts.pci_place)) : Json(nullptr)},
                 {"vendor_id", facts.vendor_id ? Json(fmt::format("0x{:04x}", *facts.vendor_id)) : Json(nullptr)},
                 {"driver_version", device.driver_version()}});
    for (const Finding& finding : judge_facts(device)) log_.find(finding);
    if (options_.self_tests && facts.available) run_self_tests(device, log_, options_.limits.self_test());
  }

  ExaminationOptions options_;
  ExaminationLog log_;
};

}  // namespace

void run_examination(const std::string& target, const ExaminationOptions& options) {
  os::behave_as_child();
  Examination examination(options);
  if (target == "loader")
    examination.loader();
  else if (target == "inside")
    examination.inside();
  else
    examination.driver(target);
  examination.end();
}

}  // namespace anycl::command
