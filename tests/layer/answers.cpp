#include "answers.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "driver.hpp"
#include "rule_text.hpp"
#include "rules_in_force.hpp"
#include "sub_devices.hpp"

namespace anycl::test_layer {
namespace {

using Change = AnswerRule::Change;
using Bytes = std::string;

template <class Value>
Bytes bytes_of(Value value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

Bytes number_of_kind(InfoKind kind, std::uint64_t number) {
  switch (kind) {
    case InfoKind::uint64:
      return bytes_of(cl_ulong{number});
    case InfoKind::size:
    case InfoKind::sizes:
      return bytes_of(std::size_t{number});
    default:
      return bytes_of(static_cast<cl_uint>(number));
  }
}

/// Text as the driver gave it, without the NUL and what follows.
std::string text_in(const Bytes& bytes) { return bytes.c_str(); }

Bytes as_text(const std::string& text) { return {text.c_str(), text.size() + 1}; }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Bytes words_without(const Bytes& bytes, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& word : split_list(text_in(bytes), ' '))
    if (!contains(names, word)) text += (text.empty() ? "" : " ") + word;
  return as_text(text);
}

Bytes words_with(const Bytes& bytes, const std::vector<std::string>& names) {
  std::string text = text_in(bytes);
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return as_text(text);
}

Bytes name_versions_without(const Bytes& bytes, const std::vector<std::string>& names) {
  Bytes kept;
  for (std::size_t at = 0; at + sizeof(cl_name_version) <= bytes.size(); at += sizeof(cl_name_version)) {
    cl_name_version entry;
    std::memcpy(&entry, bytes.data() + at, sizeof(entry));
    if (!contains(names, entry.name)) kept += bytes_of(entry);
  }
  return kept;
}

Bytes name_versions_with(Bytes bytes, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    cl_name_version entry{CL_MAKE_VERSION(1, 0, 0), {}};
    name.copy(entry.name, sizeof(entry.name) - 1);
    bytes += bytes_of(entry);
  }
  return bytes;
}

Bytes list_of_kind(InfoKind kind, const std::vector<std::uint64_t>& numbers) {
  Bytes bytes;
  for (const std::uint64_t number : numbers) bytes += number_of_kind(kind, number);
  return bytes;
}

/// What the rule makes of the driver's answer.
Bytes changed(const Bytes& real, const AnswerRule& rule) {
  const bool is_text = rule.param.kind == InfoKind::text;
  switch (rule.change) {
    case Change::text:
      return as_text(rule.text);
    case Change::trailing_nuls:
      return real + Bytes(rule.numbers.front(), '\0');
    case Change::number:
    case Change::list:
      return list_of_kind(rule.param.kind, rule.numbers);
    case Change::without:
      return is_text ? words_without(real, rule.names) : name_versions_without(real, rule.names);
    case Change::with:
      return is_text ? words_with(real, rule.names) : name_versions_with(real, rule.names);
    case Change::error:
      break;  // has no answer
  }
  return real;
}

bool replaces_all(const AnswerRule& rule) {
  return rule.change == Change::text || rule.change == Change::number || rule.change == Change::list;
}

std::string real_name(cl_device_id device) {
  std::size_t size = 0;
  driver().clGetDeviceInfo(device, CL_DEVICE_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  driver().clGetDeviceInfo(device, CL_DEVICE_NAME, size, name.data(), nullptr);
  return name.c_str();
}

std::vector<const AnswerRule*> rules_for(const Query& query) {
  std::vector<const AnswerRule*> found;
  for (const AnswerRule& rule : rules_in_force().rules.answer)
    if (rule.param.entry == query.entry && rule.param.value == query.param &&
        (rule.device.empty() || matches(rule.device, real_name(query.device))))
      found.push_back(&rule);
  return found;
}

cl_int hand_over(const Bytes& bytes, const Query& query) {
  if (query.value != nullptr && query.size < bytes.size()) return CL_INVALID_VALUE;
  if (query.value != nullptr) std::memcpy(query.value, bytes.data(), bytes.size());
  if (query.size_ret != nullptr) *query.size_ret = bytes.size();
  return CL_SUCCESS;
}

cl_int changed_answer(const Query& query, const std::vector<const AnswerRule*>& rules) {
  for (const AnswerRule* rule : rules)
    if (rule->change == Change::error) return static_cast<cl_int>(rule->numbers.front());

  Bytes bytes;
  if (!replaces_all(*rules.front())) {  // what a driver does not know can still be answered
    std::size_t size = 0;
    if (const cl_int code = query.ask(query.param, 0, nullptr, &size); code != CL_SUCCESS) return code;
    bytes.resize(size);
    if (const cl_int code = query.ask(query.param, size, bytes.data(), nullptr); code != CL_SUCCESS) return code;
  }
  for (const AnswerRule* rule : rules) bytes = changed(bytes, *rule);
  return hand_over(bytes, query);
}

// ----------------------------------------------------------------------------------------- clock

cl_int time_stamp(const Query& query, cl_uint param, cl_ulong& stamp) {
  return query.ask(param, sizeof(stamp), &stamp, nullptr);
}

/// An end right before the start, even if the driver's two are equal.
cl_int reversed_stamp(const Query& query, cl_ulong& stamp) {
  const bool is_start = query.param == CL_PROFILING_COMMAND_START;
  const bool is_end = query.param == CL_PROFILING_COMMAND_END;
  if (!is_start && !is_end) return time_stamp(query, query.param, stamp);
  const cl_int code = time_stamp(query, is_start ? CL_PROFILING_COMMAND_END : CL_PROFILING_COMMAND_START, stamp);
  if (is_start) ++stamp;
  return code;
}

/// queued, submit, start, end and complete follow each other in steps of 1 ns.
cl_int ticking_stamp(const Query& query, cl_ulong& stamp) {
  const cl_int code = time_stamp(query, CL_PROFILING_COMMAND_QUEUED, stamp);
  stamp += query.param - CL_PROFILING_COMMAND_QUEUED;
  return code;
}

cl_int answer_of_clock(Clock clock, const Query& query) {
  cl_ulong stamp = 0;
  cl_int code = time_stamp(query, query.param, stamp);  // the driver's errors stay
  if (code != CL_SUCCESS || clock == Clock::untouched) return code;
  if (clock == Clock::zero) stamp = 0;
  if (clock == Clock::reversed) code = reversed_stamp(query, stamp);
  if (clock == Clock::tick) code = ticking_stamp(query, stamp);
  return code == CL_SUCCESS ? hand_over(bytes_of(stamp), query) : code;
}

// ----------------------------------------------------------------------------------------- lists

/// The num_entries, list, num_entries_ret protocol.
template <class Item>
cl_int hand_over(const std::vector<Item>& items, cl_uint capacity, Item* list, cl_uint* count) {
  if (list != nullptr) std::copy_n(items.begin(), std::min<std::size_t>(capacity, items.size()), list);
  if (count != nullptr) *count = static_cast<cl_uint>(items.size());
  return CL_SUCCESS;
}

/// No caller may ask for that: the driver shall refuse it.
bool asks_for_nothing(cl_uint capacity, const void* list, const cl_uint* count) {
  return (capacity == 0) != (list == nullptr) || (list == nullptr && count == nullptr);
}

}  // namespace

cl_int answer(const Query& query) {
  const Clock clock = rules_in_force().rules.clock;
  if (query.entry == Entry::clGetEventProfilingInfo && clock != Clock::real) return answer_of_clock(clock, query);
  const auto rules = rules_for(query);
  if (rules.empty()) return query.ask(query.param, query.size, query.value, query.size_ret);
  return changed_answer(query, rules);
}

cl_int answer_device_ids(cl_platform_id platform, cl_device_type type, cl_uint capacity, cl_device_id* devices,
                         cl_uint* count) {
  const cl_uint parts = rules_in_force().rules.split;
  if (parts < 2 || asks_for_nothing(capacity, devices, count))
    return driver().clGetDeviceIDs(platform, type, capacity, devices, count);

  cl_uint whole_count = 0;
  cl_int code = driver().clGetDeviceIDs(platform, type, 0, nullptr, &whole_count);
  if (code != CL_SUCCESS) return code;
  std::vector<cl_device_id> whole(whole_count);
  code = driver().clGetDeviceIDs(platform, type, whole_count, whole.data(), nullptr);
  if (code != CL_SUCCESS) return code;

  std::vector<cl_device_id> answered;
  for (const cl_device_id device : whole) {
    const auto sub_devices = sub_devices_of(device, parts);
    answered.insert(answered.end(), sub_devices.begin(), sub_devices.end());
  }
  return hand_over(answered, capacity, devices, count);
}

cl_int answer_image_formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint capacity,
                            cl_image_format* formats, cl_uint* count) {
  const auto& orders = rules_in_force().rules.formats;
  if (!orders) return driver().clGetSupportedImageFormats(context, flags, type, capacity, formats, count);

  cl_uint all_count = 0;
  cl_int code = driver().clGetSupportedImageFormats(context, flags, type, 0, nullptr, &all_count);
  if (code != CL_SUCCESS) return code;
  std::vector<cl_image_format> all(all_count);
  if (all_count > 0) code = driver().clGetSupportedImageFormats(context, flags, type, all_count, all.data(), nullptr);
  if (code != CL_SUCCESS) return code;

  std::erase_if(all, [&](const cl_image_format& format) {
    return std::find(orders->begin(), orders->end(), format.image_channel_order) == orders->end();
  });
  return hand_over(all, capacity, formats, count);
}

}  // namespace anycl::test_layer
