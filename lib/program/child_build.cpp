#include "program/child_build.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/base/version.hpp"
#include "anycl/context/context.hpp"
#include "base/byte_stream.hpp"
#include "base/cache_place.hpp"
#include "base/logging.hpp"
#include "base/os_child.hpp"
#include "base/os_file.hpp"
#include "base/os_temporary_folder.hpp"
#include "base/plain_line.hpp"
#include "base/worker_file.hpp"
#include "context/context_core.hpp"
#include "device/device_record.hpp"
#include "device/entry_points.hpp"
#include "device/native_lists.hpp"
#include "device/vendor_folder.hpp"
#include "program/build_failure.hpp"
#include "program/build_log.hpp"
#include "program/built_program.hpp"
#include "program/cache_key.hpp"

namespace anycl::detail {
namespace {

using End = os::ChildResult::End;
using Clock = std::chrono::steady_clock;

constexpr const char* kRequestFile = "build";
constexpr std::size_t kLargestRequest = std::size_t{64} << 20;
constexpr std::string_view kNoOptimiser = " -cl-opt-disable";

/// What crosses to the worker.
struct Order {
  std::string device;  ///< its id
  CompilerInput input;
  std::string options;
  std::uint64_t memory = 0;
};

/// What comes back.
struct Answer {
  enum class Kind : std::uint64_t { built, refused, failed };

  Kind kind = Kind::failed;
  cl_int code = CL_SUCCESS;        ///< of a build that was refused
  std::string text;                ///< its log; what else went wrong
  std::vector<std::byte> entry{};  ///< of one that was not
};

/// Said before anything else, so that a program which is not our worker is not taken for a compiler that crashes.
std::string greeting() { return fmt::format("anycl-worker {} builds\n", version()); }

/// A pipe needs no secret: whoever could change what is in it could do anything in our name.
constexpr Digest kNoSecret{};

std::vector<std::byte> to_bytes(const Order& order) {
  ByteWriter writer;
  for (const std::string* text : {&order.device, &order.input.name, &order.input.label, &order.input.bytes,
                                  &order.input.key_text, &order.options})
    writer.text(*text);
  writer.number(order.input.is_module ? 1 : 0);
  writer.number(order.memory);
  return std::move(writer.bytes());
}

std::optional<Order> order_from(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Order order;
  for (std::string* text : {&order.device, &order.input.name, &order.input.label, &order.input.bytes,
                            &order.input.key_text, &order.options})
    *text = reader.text();
  order.input.is_module = reader.number() != 0;
  order.memory = reader.number();
  if (reader.failed() || !reader.at_end()) return std::nullopt;
  return order;
}

std::string to_text(const Answer& answer) {
  ByteWriter writer;
  writer.number(static_cast<std::uint64_t>(answer.kind));
  writer.number(static_cast<std::uint64_t>(static_cast<std::int64_t>(answer.code)));
  writer.text(answer.text);
  writer.blob(answer.entry);
  return {reinterpret_cast<const char*>(writer.bytes().data()), writer.bytes().size()};
}

std::optional<Answer> answer_from(std::string_view text) {
  ByteReader reader(std::as_bytes(std::span(text.data(), text.size())));
  Answer answer;
  answer.kind = static_cast<Answer::Kind>(std::min<std::uint64_t>(reader.number(), 2));
  answer.code = static_cast<cl_int>(static_cast<std::int64_t>(reader.number()));
  answer.text = reader.text();
  const auto entry = reader.blob();
  answer.entry.assign(entry.begin(), entry.end());
  if (reader.failed() || !reader.at_end()) return std::nullopt;
  return answer;
}

/// A part of a device is built for as the whole.
const Device& whole_of(const Device& device) {
  const Device* whole = &device;
  while (whole->record().parent) whole = &*whole->record().parent;
  return *whole;
}

/// What a compiler says as it goes down is in its last line, as a rule.
std::string last_words(std::string_view errors) {
  while (errors.ends_with('\n')) errors.remove_suffix(1);
  if (errors.empty()) return {};
  return fmt::format(", saying '{}'", plain_line(errors.substr(errors.rfind('\n') + 1)));
}

/// Where there is no place for temporary files: the cache's own folder; empty when that may not be written to.
std::string fallback_folder() {
  std::string ignored;
  const CachePlace cache = CachePlace::from_environment(ignored);
  return cache.writable() ? cache.settings.folder : std::string();
}

/// The process that builds, and the files it reads.
class Worker {
 public:
  /// Nothing, with the reason in `problem`, where there can be none.
  [[nodiscard]] static std::optional<Worker> make(const Device& device, std::string& problem) {
    const auto program = find_worker(problem);
    if (!program) return std::nullopt;
    const std::string driver = driver_file(device.record().platform);
    if (driver.empty()) problem = fmt::format("the file of {}'s driver is not known", device.name());
    if (driver.empty()) return std::nullopt;
    const std::string fallback = fallback_folder();
    auto drivers = PrivateVendorFolder::naming(driver, problem, fallback);
    auto folder = os::TemporaryFolder::make(problem, fallback);
    if (!drivers || !folder) return std::nullopt;
    return Worker(*program, std::move(*drivers), std::move(*folder));
  }

  /// Not started, with the reason in `problem`, when the order cannot be written.
  [[nodiscard]] os::ChildResult run(const Order& order, Clock::time_point until, std::string& problem) const {
    const auto folder = os::PrivateFolder::open(folder_.path(), problem, os::PrivateFolder::IfMissing::fail);
    if (!folder || !folder->replace(kRequestFile, to_bytes(order), problem)) return {};
    auto environment = drivers_.variables();
    environment.insert(environment.end(), {"ANYCL_PROBE=inline", "ANYCL_CACHE=off", "ANYCL_BUILD=inline",
                                           "ANYCL_DRIVERS", "ANYCL_DEVICES"});
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    return os::run_child({.program = program_,
                          .arguments = {"build", entry_points().library, folder_.path()},
                          .environment = environment,
                          .limit = std::max(left, std::chrono::milliseconds(1)),
                          .output_limit = kLargestEntry + kLargestRequest});
  }

  [[nodiscard]] const std::string& program() const noexcept { return program_; }

 private:
  Worker(std::string program, PrivateVendorFolder drivers, os::TemporaryFolder folder)
      : program_(std::move(program)), drivers_(std::move(drivers)), folder_(std::move(folder)) {}

  std::string program_;
  PrivateVendorFolder drivers_;
  os::TemporaryFolder folder_;
};

/// What a worker said, if it came up and came to an end.
struct Outcome {
  bool came_up = false;
  std::optional<Answer> answer{};
  os::ChildResult result{};

  [[nodiscard]] bool timed_out() const { return result.end == End::timed_out; }
  [[nodiscard]] bool crashed() const { return came_up && !answer && !timed_out(); }
  [[nodiscard]] std::string how() const { return result.description() + last_words(result.errors); }
};

Outcome run(const Worker& worker, const Order& order, Clock::time_point until, std::string& problem) {
  Outcome outcome;
  outcome.result = worker.run(order, until, problem);
  const std::string_view output = outcome.result.output;
  outcome.came_up = output.starts_with(greeting());
  if (outcome.came_up) {
    outcome.answer = answer_from(output.substr(greeting().size()));
  } else if (problem.empty()) {
    problem = fmt::format("{} is no worker of version {}: it {}", worker.program(), version(), outcome.how());
  }
  return outcome;
}

[[noreturn]] void throw_crash(const Outcome& outcome, const BuildRequest& request) {
  throw BuildError(fmt::format("build of {} for {}: the process with the compiler {}", request.input.label(),
                               request.device.name(), outcome.how()),
                   std::string(request.input.source().name()), request.options, outcome.result.errors);
}

/// The entry of an answer that is there.
CacheEntry entry_of(const Answer& answer, const BuildRequest& request, const CacheKey& key) {
  if (answer.kind == Answer::Kind::refused)
    throw_build_failure(answer.code, answer.text, request.device, request.input, request.options);
  auto entry = decode(answer.entry, key, kNoSecret);
  if (answer.kind == Answer::Kind::built && entry) return *std::move(entry);
  throw BuildError(fmt::format("build of {} for {}: the process with the compiler says: {}", request.input.label(),
                               request.device.name(), answer.text),
                   std::string(request.input.source().name()), request.options, answer.text);
}

Answer build(const Order& order) {
  const auto devices = discover().devices();
  const auto device =
      std::find_if(devices.begin(), devices.end(), [&](const Device& each) { return each.id() == order.device; });
  if (device == devices.end()) return {.text = fmt::format("device {} is not there", order.device)};
  const Context context{std::span(&*device, 1)};
  const auto& native = context.core()->native(0);
  // The worker's own options may have one more: an entry is stored under those that were asked for.
  std::string options = order.options;
  if (options.ends_with(kNoOptimiser)) options.resize(options.size() - kNoOptimiser.size());
  auto compiled = BuiltProgram::compile(*native, *device, order.input, order.options);
  if (compiled.code != CL_SUCCESS) return {Answer::Kind::refused, compiled.code, compiled.log};
  BuiltProgram program(native, *device, order.input.name, std::move(compiled.handle), read_build_log(compiled.log));
  auto entry = program.make_entry();
  if (!entry) return {.text = "the driver gives no binary"};
  entry->complete = false;
  return {Answer::Kind::built, CL_SUCCESS, compiled.log,
          encode(*entry, make_cache_key(order.input.name, order.input.key_text, options, *device), kNoSecret)};
}

Answer build_from(const std::string& folder) {
  std::string problem;
  const auto files = os::PrivateFolder::open(folder, problem, os::PrivateFolder::IfMissing::fail);
  const auto bytes = files ? files->read(kRequestFile, kLargestRequest) : std::nullopt;
  const auto order = bytes ? order_from(*bytes) : std::nullopt;
  if (!order) return {.text = fmt::format("{} holds no build to be made {}", folder, problem)};
  os::limit_own_memory(order->memory);
  try {
    return build(*order);
  } catch (const std::exception& error) {
    return {.text = error.what()};
  }
}

}  // namespace

std::optional<CacheEntry> build_in_child(const BuildRequest& request, const CacheKey& key,
                                         const BuildSettings& settings, std::string& problem) {
  const Device& whole = whole_of(request.device);
  const auto worker = Worker::make(whole, problem);
  if (!worker) return std::nullopt;
  const auto until = Clock::now() + settings.limit;
  Order order{whole.id(), request.input.for_compiler(), request.options, settings.memory};
  Outcome outcome = run(*worker, order, until, problem);
  if (!outcome.came_up && !outcome.timed_out()) return std::nullopt;
  if (outcome.crashed()) {
    log::warn("build of {} for {}: the process with the compiler {}; trying without the optimiser",
              request.input.label(), request.device.name(), outcome.how());
    order.options += kNoOptimiser;
    Outcome second = run(*worker, order, until, problem);
    if (second.crashed() || second.timed_out()) throw_crash(outcome, request);
    outcome = std::move(second);
  }
  if (outcome.timed_out())
    throw Timeout(fmt::format("build of {} for {} has not ended within {} s; ANYCL_BUILD_LIMIT sets that limit",
                              request.input.label(), request.device.name(), settings.limit.count()));
  if (!outcome.answer) return std::nullopt;
  return entry_of(*outcome.answer, request, key);
}

void report_build(const std::string& loader, const std::string& folder) {
  const os::PrivateOutput output;
  use_loader(loader);
  static_cast<void>(entry_points());
  output.say(greeting());
  output.say(to_text(build_from(folder)));
}

}  // namespace anycl::detail
