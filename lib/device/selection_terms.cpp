#include "device/selection_terms.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/quote.hpp"

namespace anycl::detail {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

constexpr std::array kKindWords{
    KindWord{"gpu", [](DeviceKind k) { return k == DeviceKind::discrete_gpu || k == DeviceKind::integrated_gpu; }},
    KindWord{"discrete", [](DeviceKind k) { return k == DeviceKind::discrete_gpu; }},
    KindWord{"integrated", [](DeviceKind k) { return k == DeviceKind::integrated_gpu; }},
    KindWord{"cpu", [](DeviceKind k) { return k == DeviceKind::cpu; }},
    KindWord{"accelerator", [](DeviceKind k) { return k == DeviceKind::accelerator; }},
    KindWord{"emulator", [](DeviceKind k) { return k == DeviceKind::emulator; }},
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const auto first = part.find_first_not_of(" \t");
    parts.emplace_back(first == std::string_view::npos ? std::string_view{}
                                                       : part.substr(first, part.find_last_not_of(" \t") - first + 1));
    begin = end + 1;
  }
  return parts;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Term parse_term(const std::string& text, std::string_view origin) {
  Term term;
  term.text = text;
  term.excludes = text.front() == '!';
  const auto parts = split(std::string_view(text).substr(term.excludes ? 1 : 0), ':');
  if (parts.front().starts_with('!')) refuse_term(origin, text, "has '!' twice");
  if (parts.size() > 3) refuse_term(origin, text, "has more than three parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    const bool last = i + 1 == parts.size();
    if (part.empty()) refuse_term(origin, text, "has an empty part");
    if (const KindWord* kind = find_kind(part); kind != nullptr) {
      if (term.kind != nullptr) refuse_term(origin, text, "has two kinds");
      term.kind = kind;
    } else if (last && is_number(part)) {
      std::size_t index = 0;
      const auto parsed = std::from_chars(part.data(), part.data() + part.size(), index);
      if (parsed.ec != std::errc{}) refuse_term(origin, text, "has an index that is too large");
      term.index = index;
    } else if (last) {
      term.name = part;
    } else if (i == 0) {
      term.platform = part;
    } else {
      refuse_term(origin, text, fmt::format("has {} where a kind must stand", quote(part)));
    }
  }
  return term;
}

}  // namespace

const KindWord* find_kind(std::string_view word) {
  const auto* found = std::find_if(kKindWords.begin(), kKindWords.end(),
                                   [word](const KindWord& entry) { return same_word(entry.word, word); });
  return found == kKindWords.end() ? nullptr : found;
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] != '*' && lower(pattern[p]) == lower(text[t])))) {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool is_platform(std::string_view pattern, const Device& device) {
  return glob_matches(pattern, device.platform_alias()) || glob_matches(pattern, device.platform_name());
}

bool Term::matches_but_index(const Device& device) const {
  if (!platform.empty() && !is_platform(platform, device)) return false;
  if (kind != nullptr && !kind->accepts(device.kind())) return false;
  if (name.empty() || glob_matches(name, device.name())) return true;
  return platform.empty() && is_platform(name, device);
}

std::vector<Term> parse_terms(std::string_view text, std::string_view origin) {
  std::vector<Term> terms;
  for (const auto& part : split(text, ',')) {
    if (part.empty() || part == "!") refuse_term(origin, text, "has an empty term");
    terms.push_back(parse_term(part, origin));
  }
  return terms;
}

void refuse_term(std::string_view origin, std::string_view term, std::string_view why) {
  throw InvalidArgument(
      fmt::format("{}: {} {}; a term is [!][platform:][kind:][name|index]", origin, quote(term), why));
}

}  // namespace anycl::detail
