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

bool is_vector_width(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWidths{"2", "3", "4", "8", "16"};
  return std::find(kWidths.begin(), kWidths.end(), text) != kWidths.end();
}

/// "half", "half4" for `scalar` half.
bool is_type(std::string_view word, std::string_view scalar) {
  if (!word.starts_with(scalar)) return false;
  word.remove_prefix(scalar.size());
  return word.empty() || is_vector_width(word);
}

/// "convert_half4_rte", "as_double": functions that give a `scalar` or a vector of it.
bool is_conversion(std::string_view word, std::string_view scalar) {
  for (const std::string_view begin : {"convert_", "as_"}) {
    if (!word.starts_with(begin)) continue;
    const std::string_view rest = word.substr(begin.size());
    return is_type(rest.substr(0, rest.find('_')), scalar);
  }
  return false;
}

/// The functions of cl_khr_subgroups and of those that extend it. A program may have names of its own that look alike.
bool is_sub_group_function(std::string_view word) {
  constexpr std::array<std::string_view, 6> kNames{"get_sub_group_size", "get_max_sub_group_size",
                                                   "get_num_sub_groups", "get_enqueued_num_sub_groups",
                                                   "get_sub_group_id",   "get_sub_group_local_id"};
  constexpr std::array<std::string_view, 16> kBeginnings{
      "sub_group_barrier",  "sub_group_all",     "sub_group_any",       "sub_group_broadcast",
      "sub_group_reduce_",  "sub_group_scan_",   "sub_group_shuffle",   "sub_group_elect",
      "sub_group_ballot",   "sub_group_rotate",  "sub_group_clustered", "sub_group_non_uniform_",
      "sub_group_inverse_", "get_sub_group_eq_", "get_sub_group_g",     "intel_sub_group_"};
  return std::find(kNames.begin(), kNames.end(), word) != kNames.end() || word.starts_with("get_sub_group_l") ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](auto begin) { return word.starts_with(begin); });
}

/// Those of the 64-bit atomics have the names of the 32-bit ones; a compiler that lacks them cannot choose.
std::string_view extension_of_atomic(std::string_view word) {
  constexpr std::array<std::string_view, 6> kBase{"atom_add", "atom_sub", "atom_xchg",
                                                  "atom_inc", "atom_dec", "atom_cmpxchg"};
  constexpr std::array<std::string_view, 5> kExtended{"atom_min", "atom_max", "atom_and", "atom_or", "atom_xor"};
  if (std::find(kBase.begin(), kBase.end(), word) != kBase.end()) return "cl_khr_int64_base_atomics";
  if (std::find(kExtended.begin(), kExtended.end(), word) != kExtended.end()) return "cl_khr_int64_extended_atomics";
  return {};
}

/// A compiler's first message about a program, in words.
class Message {
 public:
  explicit Message(std::string_view text) : text_(text), words_(words_of(text)) {}

  [[nodiscard]] bool says(std::string_view part) const { return text_.find(part) != std::string_view::npos; }
  [[nodiscard]] bool does_not_know_a_name() const {
    return says("undeclared") || says("implicit declaration") || says("unknown type name");
  }
  template <class Predicate>
  [[nodiscard]] std::string_view find(Predicate&& predicate) const {
    const auto found = std::find_if(words_.begin(), words_.end(), predicate);
    return found == words_.end() ? std::string_view() : *found;
  }

 private:
  std::string_view text_;
  std::vector<std::string_view> words_;
};

/// Whether the message is about the floating-point type `scalar`. Pointers to half are right without the extension, so a
/// message that only mentions the type may be about them.
bool misses_type(const Message& message, std::string_view scalar) {
  const auto is_use = [&](std::string_view word) { return is_type(word, scalar) || is_conversion(word, scalar); };
  return (message.says("is not allowed") || message.does_not_know_a_name()) && !message.find(is_use).empty();
}

}  // namespace

std::string missing_extension(std::string_view text, const Capabilities& facts) {
  const Message message(text);
  if (const auto named = message.find(names_extension); !named.empty())
    return facts.has_extension(named) ? std::string() : std::string(named);
  if (!facts.fp16 && misses_type(message, "half")) return "cl_khr_fp16";
  if (!facts.fp64 && misses_type(message, "double")) return "cl_khr_fp64";
  if (!facts.sub_groups && message.does_not_know_a_name() && !message.find(is_sub_group_function).empty())
    return "cl_khr_subgroups";
  if (!message.says("ambiguous") && !message.does_not_know_a_name()) return {};
  const std::string_view extension =
      extension_of_atomic(message.find([](std::string_view word) { return !extension_of_atomic(word).empty(); }));
  return extension.empty() || facts.has_extension(extension) ? std::string() : std::string(extension);
}

}  // namespace anycl::detail
