#include "doctor/raw_answers.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device_list.hpp"
#include "quantity.hpp"
#include "self_test/loader_functions.hpp"

namespace anycl::command {
namespace {

constexpr cl_uint kMostHandles = 1024;  // no machine has more

struct RawQueries {
  LoaderFunctions loader{};
  ANYCL_LOADER_FUNCTION(clGetPlatformIDs);
  ANYCL_LOADER_FUNCTION(clGetPlatformInfo);
  ANYCL_LOADER_FUNCTION(clGetDeviceIDs);
  ANYCL_LOADER_FUNCTION(clGetDeviceInfo);
};

/// Empty for a list that makes sense; `nothing` says that it is empty.
std::string fault_of_count(cl_int code, cl_int nothing, cl_uint count) {
  if (code == nothing) return {};
  if (code != CL_SUCCESS) return fmt::format("is refused with {}", describe_code(code));
  if (count > kMostHandles) return fmt::format("has {} entries, by its count", count);
  return {};
}

std::string name_of(const RawQueries& cl, cl_platform_id platform) {
  std::array<char, 1024> name{};
  if (cl.clGetPlatformInfo(platform, CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr) != CL_SUCCESS) return {};
  return name.data();
}

std::optional<BadList> bad_devices(const RawQueries& cl, cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int code = cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  const std::string fault = fault_of_count(code, CL_DEVICE_NOT_FOUND, count);
  if (fault.empty()) return std::nullopt;
  const std::string name = name_of(cl, platform);
  return BadList{name, fmt::format("{}: its list of devices {}", name, fault)};
}

/// Zero where the driver does not tell.
template <class T>
T ask(const RawQueries& cl, const Device& device, cl_device_info what) {
  T value{};
  if (cl.clGetDeviceInfo(interop::native_device(device), what, sizeof value, &value, nullptr) != CL_SUCCESS) return {};
  return value;
}

/// Limits with which no kernel runs, or no memory can be had.
std::vector<std::string> unusable_limits(const RawQueries& cl, const Device& device) {
  const Capabilities& facts = device.capabilities();
  std::vector<std::string> limits;
  if (ask<size_t>(cl, device, CL_DEVICE_MAX_WORK_GROUP_SIZE) == 0) limits.emplace_back("groups of 0 work-items");
  const auto sizes = ask<std::array<size_t, 3>>(cl, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  if (std::count(sizes.begin(), sizes.end(), 0U) > 0)
    limits.push_back(fmt::format("groups of {} work-items", fmt::join(sizes, " x ")));
  if (facts.global_memory_bytes == 0) limits.emplace_back("no memory");
  if (facts.max_allocation_bytes == 0) limits.emplace_back("buffers of 0 bytes");
  if (facts.local_memory_bytes == 0) limits.emplace_back("no local memory");
  return limits;
}

/// Numbers that no device has yet, by far.
std::vector<std::string> absurd_limits(const Capabilities& facts) {
  constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 50;
  constexpr std::uint64_t kMostLocalMemory = std::uint64_t{1} << 32;
  constexpr std::size_t kMostItems = std::size_t{1} << 24;
  constexpr std::uint32_t kMostUnits = 1U << 20;
  std::vector<std::string> limits;
  if (facts.compute_units > kMostUnits) limits.push_back(fmt::format("{} compute units", facts.compute_units));
  if (facts.max_group_size > kMostItems) limits.push_back(fmt::format("groups of {}", facts.max_group_size));
  if (facts.global_memory_bytes > kMostMemory)
    limits.push_back(fmt::format("a memory of {}", bytes_text(facts.global_memory_bytes)));
  if (facts.max_allocation_bytes > facts.global_memory_bytes && facts.global_memory_bytes != 0)
    limits.push_back(fmt::format("buffers of {} in a memory of {}", bytes_text(facts.max_allocation_bytes),
                                 bytes_text(facts.global_memory_bytes)));
  if (facts.local_memory_bytes > kMostLocalMemory)
    limits.push_back(fmt::format("a local memory of {}", bytes_text(facts.local_memory_bytes)));
  if (facts.address_bits != 32 && facts.address_bits != 64)
    limits.push_back(fmt::format("addresses of {} bits", facts.address_bits));
  return limits;
}

}  // namespace

std::vector<BadList> find_bad_lists() {
  const RawQueries cl;
  cl_uint count = 0;
  const cl_int code = cl.clGetPlatformIDs(0, nullptr, &count);
  constexpr cl_int kNoPlatform = -1001;
  if (std::string fault = fault_of_count(code, kNoPlatform, count); !fault.empty())
    return {{{}, "its list of platforms " + fault}};
  std::vector<cl_platform_id> platforms(count);
  if (count == 0 || cl.clGetPlatformIDs(count, platforms.data(), &count) != CL_SUCCESS) return {};
  platforms.resize(std::min<std::size_t>(count, platforms.size()));
  std::vector<BadList> bad;
  for (const cl_platform_id platform : platforms) {
    if (platform == nullptr) return {{{}, "its list of platforms has null in it"}};
    if (auto list = bad_devices(cl, platform)) bad.push_back(*std::move(list));
  }
  return bad;
}

Findings judge_facts(const Device& device) {
  const Capabilities& facts = device.capabilities();
  if (!facts.available)
    return {{"facts", Status::fail, "the driver calls it not available", "close what uses it alone, or reset it"}};
  const std::string replace =
      fmt::format("update its driver, or leave it out: ANYCL_DEVICES='!{}'", device.platform_alias());
  if (const auto limits = unusable_limits(RawQueries(), device); !limits.empty())
    return {
        {"facts", Status::fail, fmt::format("the driver tells nonsense of it: {}", fmt::join(limits, ", ")), replace}};
  if (const auto limits = absurd_limits(facts); !limits.empty())
    return {{"facts", Status::warn, fmt::format("the driver tells what cannot be right: {}", fmt::join(limits, ", ")),
             "do not rely on these limits; update its driver"}};
  if (const std::string missing = missing_facts(facts); !missing.empty())
    return {{"facts", Status::warn, "it does not tell " + missing, "update its driver"}};
  return {{"facts", Status::ok, "told"}};
}

}  // namespace anycl::command
