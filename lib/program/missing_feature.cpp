#include "program/missing_feature.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace anycl::detail {
namespace {

bool is_part_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), is_part_of_word);
    const auto end = std::find_if_not(begin, text.end(), is_part_of_word);
    if (begin != end) words.emplace_back(begin, end);
    begin = end;
  }
  return words;
}

bool names_extension(std::string_view word) { return word.starts_with("cl_khr_") || word.starts_with("cl_intel_"); }

bool is_half(std::string_view word) {
  constexpr std::array<std::string_view, 6> kTypes{"half", "half2", "half3", "half4", "half8", "half16"};
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}

/// The functions of cl_khr_subgroups and of those that extend it. A program may have names of its own that look alike.
bool is_sub_group_function(std::string_view word) {
  constexpr std::array<std::string_view, 6> kNames{"get_sub_group_size", "get_max_sub_group_size",
                                                   "get_num_sub_groups", "get_enqueued_num_sub_groups",
                                                   "get_sub_group_id",   "get_sub_group_local_id"};
  constexpr std::array<std::string_view, 8> kBeginnings{"sub_group_barrier",   "sub_group_all",     "sub_group_any",
                                                        "sub_group_broadcast", "sub_group_reduce_", "sub_group_scan_",
                                                        "sub_group_shuffle",   "intel_sub_group_"};
  return std::find(kNames.begin(), kNames.end(), word) != kNames.end() ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](auto begin) { return word.starts_with(begin); });
}

}  // namespace

std::string missing_extension(std::string_view message, const Capabilities& facts) {
  const auto words = words_of(message);
  const auto found = std::find_if(words.begin(), words.end(), names_extension);
  if (found != words.end()) return facts.has_extension(*found) ? std::string() : std::string(*found);
  // Pointers to half are right without the extension, so other messages may be about them.
  const bool refuses_type = message.find("is not allowed") != std::string_view::npos;
  if (!facts.fp16 && refuses_type && std::any_of(words.begin(), words.end(), is_half)) return "cl_khr_fp16";
  const bool unknown = message.find("undeclared") != std::string_view::npos ||
                       message.find("implicit declaration") != std::string_view::npos;
  if (!facts.sub_groups && unknown && std::any_of(words.begin(), words.end(), is_sub_group_function))
    return "cl_khr_subgroups";
  return {};
}

}  // namespace anycl::detail
