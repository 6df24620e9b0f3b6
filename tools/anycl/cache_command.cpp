#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"
#include "anycl/device/device.hpp"
#include "anycl/program/kernel_cache.hpp"
#include "anycl/program/stored_programs.hpp"
#include "base/scaled_number.hpp"
#include "command.hpp"
#include "device_list.hpp"
#include "diagnostics.hpp"
#include "json_document.hpp"
#include "printable.hpp"
#include "program_builds.hpp"
#include "quantity.hpp"
#include "standard_streams.hpp"
#include "table.hpp"

namespace anycl::command {
namespace {

constexpr const char* kExplanation =
    R"help(ANYCL_CACHE_DIR says where the cache is, ANYCL_CACHE_LIMIT how large it may grow, ANYCL_CACHE whether programs use it.
All of it can be removed at any time, while programs use it too: what is missing is built again. Beside the kernels lies what
came of trying drivers; 'clear' removes that too, so that each driver is tried again.

A program finds what 'warm' has built when it reads the same files by the same names, with the same definitions.
Compilers run in processes of their own, as in 'anycl build'.

Examples:
  anycl cache list
  anycl cache prune --limit 100M
  sudo anycl cache export /var/cache/anycl    # what root has built, for all users of this machine
  anycl cache warm kernels/*.cl -I common
  rm -r "$(anycl cache path)"

Exit codes: 0 done, 1 'verify' found damaged files or 'warm' could not build or
store all, 2 bad usage or a folder that cannot be used.)help";

/// "2026-11-30 17:05", of the place where the user is.
std::string time_text(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  std::array<char, 32> text{};
  if (::localtime_r(&time, &parts) == nullptr) return "-";
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

std::string share_text(const StoredPrograms& stored) {
  return fmt::format("{} of {}", bytes_text(stored.bytes), bytes_text(stored.limit));
}

Json describe(const StoredProgram& program) {
  return {{"file", program.file},
          {"source", program.source},
          {"kernels", program.kernels},
          {"device", program.device},
          {"platform", program.platform},
          {"driver_version", program.driver_version},
          {"library_version", program.library_version},
          {"options", program.options},
          {"bytes", program.bytes},
          {"used", program.used}};
}

Json describe(const std::vector<UnusedFile>& files) {
  Json list = Json::array();
  for (const UnusedFile& file : files) list.push_back({{"file", file.file}, {"bytes", file.bytes}});
  return list;
}

Json describe(const StoredPrograms& stored) {
  Json document = make_document("anycl.cache");
  document["folder"] = stored.folder;
  document["limit"] = stored.limit;
  document["bytes"] = stored.bytes;
  document["programs"] = Json::array();
  for (const StoredProgram& program : stored.programs) document["programs"].push_back(describe(program));
  document["of_other_versions"] = describe(stored.of_other_versions);
  document["damaged"] = describe(stored.damaged);
  return document;
}

ExitCode print_path(bool json) {
  if (!json) {
    fmt::print("{}\n", kernel_cache_folder());  // as it is: for scripts
    return ExitCode::done;
  }
  Json document = make_document("anycl.cache.path");
  document["folder"] = kernel_cache_folder();
  print_document(document);
  return ExitCode::done;
}

void print_list(const StoredPrograms& stored) {
  Table table;
  table.add({"last used", "size", "source", "kernels", "device", "driver"});
  for (const StoredProgram& program : stored.programs)
    table.add({time_text(program.used), bytes_text(program.bytes), program.source,
               fmt::format("{}", fmt::join(program.kernels, " ")), program.device, program.driver_version});
  if (!stored.programs.empty()) table.print(stdout);
  fmt::print("{} programs, {}\n", stored.programs.size(), share_text(stored));
}

/// How many programs there are for each device.
std::map<std::string, std::size_t> programs_by_device(const StoredPrograms& stored) {
  std::map<std::string, std::size_t> counts;
  for (const StoredProgram& program : stored.programs)
    ++counts[fmt::format("{} ({} {})", program.device, program.platform, program.driver_version)];
  return counts;
}

void print_statistics(const StoredPrograms& stored) {
  Table table;
  table.add({"folder", stored.folder});
  table.add({"programs", std::to_string(stored.programs.size())});
  table.add({"size", share_text(stored)});
  table.add({"of other versions", std::to_string(stored.of_other_versions.size())});
  table.add({"damaged", std::to_string(stored.damaged.size())});
  if (!stored.programs.empty()) {
    table.add({"last used", time_text(stored.programs.front().used)});
    table.add({"longest unused", time_text(stored.programs.back().used)});
  }
  for (const auto& [device, count] : programs_by_device(stored)) table.add({std::to_string(count) + " for", device});
  table.print(stdout);
}

ExitCode print_verdict(const StoredPrograms& stored) {
  fmt::print("{} programs are whole, {} are damaged", stored.programs.size(), stored.damaged.size());
  if (!stored.of_other_versions.empty())
    fmt::print(", {} were stored by other versions of anycl", stored.of_other_versions.size());
  fmt::print("\n");
  flush_results();
  for (const UnusedFile& damaged : stored.damaged)
    say(fmt::format("anycl: {}/{}: not what anycl wrote here; 'anycl cache prune' removes it\n",
                    printable(stored.folder), printable(damaged.file)));
  return stored.damaged.empty() ? ExitCode::done : ExitCode::answered_no;
}

ExitCode print_removed(const RemovedPrograms& removed, bool json) {
  if (!json) {
    fmt::print("{} programs removed, {}\n", removed.count, bytes_text(removed.bytes));
    return ExitCode::done;
  }
  Json document = make_document("anycl.cache.removed");
  document["count"] = removed.count;
  document["bytes"] = removed.bytes;
  print_document(document);
  return ExitCode::done;
}

ExitCode list(bool json) {
  const StoredPrograms stored = stored_programs();
  json ? print_document(describe(stored)) : print_list(stored);
  return ExitCode::done;
}

ExitCode show_statistics(bool json) {
  const StoredPrograms stored = stored_programs();
  json ? print_document(describe(stored)) : print_statistics(stored);
  return ExitCode::done;
}

ExitCode verify(bool json) {
  const StoredPrograms stored = stored_programs();
  if (!json) return print_verdict(stored);
  print_document(describe(stored));
  return stored.damaged.empty() ? ExitCode::done : ExitCode::answered_no;
}

ExitCode prune(std::uint64_t limit, bool json) {
  const RemovedPrograms damaged = remove_damaged_programs();
  const RemovedPrograms unused = prune_stored_programs(limit);
  return print_removed({damaged.count + unused.count, damaged.bytes + unused.bytes}, json);
}

ExitCode clear(bool json) {
  const std::size_t drivers = forget_tried_drivers();
  const ExitCode code = prune(0, json);
  if (!json && drivers != 0) fmt::print("{} drivers forgotten; each is tried again\n", drivers);
  return code;
}

ExitCode export_to(const std::string& folder, bool json) {
  if (folder.empty()) throw InvalidArgument("cache export: the name of FOLDER is empty");
  const std::string place = std::filesystem::absolute(folder).lexically_normal();
  const std::uint64_t count = export_stored_programs(place);
  if (!json) {
    fmt::print("{} programs copied to {}\n", count, printable(place));
    return ExitCode::done;
  }
  Json document = make_document("anycl.cache.exported");
  document["folder"] = place;
  document["count"] = count;
  print_document(document);
  return ExitCode::done;
}

/// Why programs are not in the cache, as far as that is known here.
std::string loss_text() {
  const char* use = std::getenv("ANYCL_CACHE");
  if (use != nullptr && std::string_view(use) == "off") return "it is off (ANYCL_CACHE)";
  try {
    return fmt::format(
        "they are over its limit of {} (ANYCL_CACHE_LIMIT), or it cannot be written to; warnings say which",
        bytes_text(stored_programs().limit));
  } catch (const Error& error) {  // the results are out: one document, and one line on what is lost
    return error.what();
  }
}

Json describe_failure(const ProgramBuild& build) {
  Json failure{{"file", build.file}, {"device", device_name(build.device)}};
  failure["error"] = {{"kind", build.failure_kind}, {"message", build.failure}};
  failure["messages"] = Json::array();
  for (const BuildMessage& message : build.messages) failure["messages"].push_back(command::describe(message));
  return failure;
}

/// What came of warming, as one line.
ExitCode print_warmed(const KernelCacheStatistics& done, const Json& failures, bool json) {
  const std::size_t failed = failures.size();
  const std::uint64_t lost = done.built - std::min(done.built, done.stored);
  if (json) {
    Json document = make_document("anycl.cache.warmed");
    document["built"] = done.built;
    document["from_disk"] = done.from_disk;
    document["stored"] = done.stored;
    document["failed"] = failed;
    document["failures"] = failures;
    print_document(document);
  } else {
    fmt::print("{} programs built and {} stored, {} were there, {} failed\n", done.built, done.stored, done.from_disk,
               failed);
  }
  flush_results();
  if (lost > 0) say(fmt::format("anycl: {} programs are not in the cache; {}\n", lost, loss_text()));
  return failed + lost == 0 ? ExitCode::done : ExitCode::answered_no;
}

ExitCode warm(const BuildOrder& order, bool json) {
  const auto devices = order.devices();
  const auto names = short_names(devices);
  Context context(devices);
  Json failures = Json::array();
  build_programs(order, context, [&](std::span<ProgramBuild> builds) {
    print_diagnostics(builds, names);
    for (const ProgramBuild& build : builds)
      if (build.failed()) failures.push_back(describe_failure(build));
  });
  flush_kernel_cache(context);
  return print_warmed(kernel_cache_statistics(context), failures, json);
}

/// \throws InvalidArgument
std::uint64_t limit_from(const std::string& text) {
  if (text.empty()) return stored_programs().limit;
  const auto limit = parse_scaled_number(text);
  if (!limit)
    throw InvalidArgument(fmt::format("--limit: '{}' is not a number of bytes such as 512M", printable(text)));
  return *limit;
}

}  // namespace

std::vector<Command> add_cache(CLI::App& parent, const bool& json) {
  CLI::App* cache = parent.add_subcommand("cache", "The kernels that are kept on disk");
  cache->require_subcommand(1);
  cache->footer(kExplanation);
  const auto add = [cache](const char* name, const char* meaning) { return cache->add_subcommand(name, meaning); };

  CLI::App* pruning = add("prune", "Remove damaged files, and the longest unused programs over a limit");
  CLI::App* exporting = add("export", "Copy all programs to a folder for all users of a machine");
  const auto target = std::make_shared<std::string>();
  exporting->add_option("FOLDER", *target, "Made if it is not there; ANYCL_SYSTEM_CACHE_DIR, /var/cache/anycl")
      ->required();
  const auto limit = std::make_shared<std::string>();
  pruning->add_option("--limit", *limit, "Bytes to leave, such as 512M; else ANYCL_CACHE_LIMIT");
  CLI::App* warming = add("warm", "Build files for devices, as 'anycl build' does, and keep what comes of it");
  const auto order = std::make_shared<BuildOrder>();
  order->add_to(*warming);
  return {
      {warming, [&json, order] { return warm(*order, json); }},
      {add("path", "Print the folder"), [&json] { return print_path(json); }},
      {add("list", "Each program: source, kernels, device, driver, last use"), [&json] { return list(json); }},
      {add("stats", "How many there are, for what, and how much they take"), [&json] { return show_statistics(json); }},
      {add("verify", "Check every file; exit code 1 if one is damaged"), [&json] { return verify(json); }},
      {pruning, [&json, limit] { return prune(limit_from(*limit), json); }},
      {exporting, [&json, target] { return export_to(*target, json); }},
      {add("clear", "Remove all programs, and what is remembered of drivers"), [&json] { return clear(json); }},
  };
}

}  // namespace anycl::command
