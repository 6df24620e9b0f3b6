#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"
#include "anycl/device/device.hpp"
#include "command.hpp"
#include "device_facts.hpp"
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
  anycl devices -v                         all facts; '-': not there or not told
  anycl devices --json                     the same for programs; what a device does not tell is null
  ANYCL_DEVICES=gpu anycl devices          only graphics cards
  ANYCL_DEVICES='intel,pocl' anycl devices  Intel's driver first, then PoCL
  ANYCL_DEVICES='!rusticl' anycl devices   all but rusticl

Exit codes: 0 done, 2 bad usage or malformed ANYCL_DEVICES, 3 no usable device.)";

std::string features_of(const Capabilities& facts) {
  std::vector<std::string_view> names;
  if (facts.fp64) names.emplace_back("fp64");
  if (facts.fp16) names.emplace_back("fp16");
  if (facts.images) names.emplace_back("images");
  if (facts.sub_groups) names.emplace_back("sub-groups");
  if (facts.svm && facts.svm->coarse_grain_buffer) names.emplace_back("svm");
  if (facts.usm) names.emplace_back("usm");
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

/// One device after another, each fact on a line of its own.
void print_facts(const std::vector<ListedDevice>& devices) {
  for (const auto& [device, rank, reason] : devices) {
    if (&device != &devices.front().device) fmt::print("\n");
    Table table;
    table.add({"rank", rank ? std::to_string(*rank) : "-"});
    table.add({"reason", reason});
    for (auto& [name, value] : readable_facts(device_facts(device))) table.add({std::move(name), std::move(value)});
    table.print(stdout);
  }
}

void print_warnings(const Discovery& discovery, const std::vector<ListedDevice>& devices) {
  flush_results();  // below the table, also where both streams end in one file
  for (const auto& warning : discovery.warnings) say(fmt::format("anycl: warning: {}\n", printable(warning)));
  for (const auto& entry : devices)
    for (const auto& caution : cautions(entry.device))
      say(fmt::format("anycl: warning: {}: {}\n", printable(title(entry.device)), caution));
}

Json describe(const ListedDevice& entry) {
  Json document{{"rank", entry.rank ? Json(*entry.rank) : Json(nullptr)}, {"reason", entry.reason}};
  document.update(device_facts(entry.device));
  document["warnings"] = cautions(entry.device);
  return document;
}

void print_json(const Discovery& discovery, const std::vector<ListedDevice>& devices) {
  Json document = make_document("anycl.devices");
  document["loader"] = discovery.loader;
  document["devices"] = Json::array();
  for (const auto& entry : devices) document["devices"].push_back(describe(entry));
  document["warnings"] = discovery.warnings;
  print_document(document);
}

/// Says what is wrong when no device is left to use.
ExitCode verdict(const Discovery& discovery) {
  try {
    require_device(discovery);
    return ExitCode::done;
  } catch (const NoDevice& none) {
    flush_results();
    say(fmt::format("anycl: {}\n", printable(none.what())));
    return ExitCode::no_device;
  }
}

ExitCode run(bool json, bool all_facts) {
  const Discovery discovery = discover();
  const auto devices = list_devices(discovery);
  if (json) {
    print_json(discovery, devices);
    return verdict(discovery);
  }
  all_facts ? print_facts(devices) : print_table(devices);
  print_warnings(discovery, devices);
  return verdict(discovery);
}

}  // namespace

Command add_devices(CLI::App& parent, const bool& json) {
  CLI::App* parser = parent.add_subcommand("devices", "The devices of this machine, in the order of their use");
  const auto all_facts = std::make_shared<bool>(false);
  parser->add_flag("-v,--verbose", *all_facts, "All that is known of each device, one fact a line");
  parser->footer(kExplanation);
  return {parser, [&json, all_facts] { return run(json, *all_facts); }};
}

}  // namespace anycl::command
