#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "anycl/device/device.hpp"
#include "command.hpp"
#include "device_list.hpp"
#include "json_document.hpp"
#include "printable.hpp"
#include "quantity.hpp"
#include "standard_streams.hpp"
#include "table.hpp"

namespace anycl::command {
namespace {

constexpr const char* kExplanation =
    R"(Rank 0 is used first; a device without rank is left out, and the last column says why.
ANYCL_DEVICES chooses and orders: comma-separated terms [!][platform:][kind:][name|index].

Examples:
  anycl devices
  anycl devices --json
  ANYCL_DEVICES=gpu anycl devices          only graphics cards
  ANYCL_DEVICES='intel,pocl' anycl devices  Intel's driver first, then PoCL
  ANYCL_DEVICES='!rusticl' anycl devices   all but rusticl

Exit codes: 0 done, 2 bad usage or malformed ANYCL_DEVICES, 3 no usable device.)";

std::string features_of(const Capabilities& facts) {
  std::vector<std::string_view> names;
  if (facts.fp64) names.emplace_back("fp64");
  if (facts.fp16) names.emplace_back("fp16");
  if (facts.images) names.emplace_back("images");
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, " "));
}

void print_table(const std::vector<ListedDevice>& devices) {
  Table table;
  table.add({"rank", "driver", "kind", "device", "memory", "units", "features", "version", "why"});
  for (const auto& [device, rank, reason] : devices) {
    const Capabilities& facts = device.capabilities();
    table.add({rank ? std::to_string(*rank) : "-", device.platform_alias(), std::string(to_string(device.kind())),
               device.name(), bytes_text(facts.global_memory_bytes), std::to_string(facts.compute_units),
               features_of(facts), device.driver_version(), reason});
  }
  table.print(stdout);
}

void print_warnings(const Discovery& discovery, const std::vector<ListedDevice>& devices) {
  flush_results();  // below the table, also where both streams end in one file
  for (const auto& warning : discovery.warnings) say(fmt::format("anycl: warning: {}\n", printable(warning)));
  for (const auto& entry : devices)
    for (const auto& caution : cautions(entry.device))
      say(fmt::format("anycl: warning: {}: {}\n", printable(title(entry.device)), caution));
}

Json describe(const ListedDevice& entry) {
  const Device& device = entry.device;
  const Capabilities& facts = device.capabilities();
  Json loop_limit = nullptr;
  if (facts.max_loop_iterations) loop_limit = *facts.max_loop_iterations;
  return {
      {"rank", entry.rank ? Json(*entry.rank) : Json(nullptr)},
      {"reason", entry.reason},
      {"driver", device.platform_alias()},
      {"kind", to_string(device.kind())},
      {"name", device.name()},
      {"vendor", device.vendor()},
      {"id", device.id()},
      {"platform", device.platform_name()},
      {"platform_version", device.platform_version()},
      {"driver_version", device.driver_version()},
      {"opencl_version", facts.opencl_version},
      {"opencl_c_version", facts.opencl_c_version},
      {"global_memory_bytes", facts.global_memory_bytes},
      {"max_allocation_bytes", facts.max_allocation_bytes},
      {"local_memory_bytes", facts.local_memory_bytes},
      {"compute_units", facts.compute_units},
      {"clock_mhz", facts.clock_mhz},
      {"max_group_size", facts.max_group_size},
      {"fp64", facts.fp64},
      {"fp16", facts.fp16},
      {"images", facts.images},
      {"host_unified_memory", facts.host_unified_memory},
      {"timestamps_trusted", facts.timestamps_trusted},
      {"max_loop_iterations", loop_limit},
      {"warnings", cautions(device)},
  };
}

void print_json(const Discovery& discovery, const std::vector<ListedDevice>& devices) {
  Json document = make_document("anycl.devices");
  document["loader"] = discovery.loader;
  document["devices"] = Json::array();
  for (const auto& entry : devices) document["devices"].push_back(describe(entry));
  document["warnings"] = discovery.warnings;
  print_document(document);
}

ExitCode run(bool json) {
  const Discovery discovery = discover();
  const auto devices = list_devices(discovery);
  if (json) {
    print_json(discovery, devices);
  } else {
    print_table(devices);
    print_warnings(discovery, devices);
  }
  return ExitCode::done;
}

}  // namespace

Command add_devices(CLI::App& parent, const bool& json) {
  CLI::App* parser = parent.add_subcommand("devices", "The devices of this machine, in the order of their use");
  parser->footer(kExplanation);
  return {parser, [&json] { return run(json); }};
}

}  // namespace anycl::command
