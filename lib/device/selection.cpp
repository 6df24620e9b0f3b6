#include "anycl/device/selection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "anycl/base/error.hpp"
#include "base/environment.hpp"
#include "base/quote.hpp"
#include "device/icd_files.hpp"

namespace anycl {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// Case-insensitive match of all of `text`; `*` is any run, `?` any one character. Linear in practice: on a mismatch
/// only the last `*` is tried further, which is enough for globs.
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

struct KindWord {
  std::string_view word;
  bool (*accepts)(DeviceKind);
};

constexpr std::array kKindWords{
    KindWord{"gpu", [](DeviceKind k) { return k == DeviceKind::discrete_gpu || k == DeviceKind::integrated_gpu; }},
    KindWord{"discrete", [](DeviceKind k) { return k == DeviceKind::discrete_gpu; }},
    KindWord{"integrated", [](DeviceKind k) { return k == DeviceKind::integrated_gpu; }},
    KindWord{"cpu", [](DeviceKind k) { return k == DeviceKind::cpu; }},
    KindWord{"accelerator", [](DeviceKind k) { return k == DeviceKind::accelerator; }},
    KindWord{"emulator", [](DeviceKind k) { return k == DeviceKind::emulator; }},
};

const KindWord* find_kind(std::string_view word) {
  const auto* found = std::find_if(kKindWords.begin(), kKindWords.end(),
                                   [word](const KindWord& entry) { return same_word(entry.word, word); });
  return found == kKindWords.end() ? nullptr : found;
}

bool is_platform(std::string_view pattern, const Device& device) {
  return glob_matches(pattern, device.platform_alias()) || glob_matches(pattern, device.platform_name());
}

/// One `[!][platform:][kind:][name|index]`.
struct Term {
  std::string text;
  bool excludes = false;
  std::string platform;            ///< empty: any
  const KindWord* kind = nullptr;  ///< null: any
  std::string name;                ///< of the platform or the device; empty: any
  std::optional<std::size_t> index;

  [[nodiscard]] bool matches_but_index(const Device& device) const {
    if (!platform.empty() && !is_platform(platform, device)) return false;
    if (kind != nullptr && !kind->accepts(device.kind())) return false;
    if (name.empty() || glob_matches(name, device.name())) return true;
    return platform.empty() && is_platform(name, device);
  }
};

[[noreturn]] void refuse(std::string_view origin, std::string_view term, std::string_view why) {
  throw InvalidArgument(
      fmt::format("{}: {} {}; a term is [!][platform:][kind:][name|index]", origin, quote(term), why));
}

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
  if (parts.size() > 3) refuse(origin, text, "has more than three parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    const bool last = i + 1 == parts.size();
    if (part.empty()) refuse(origin, text, "has an empty part");
    if (const KindWord* kind = find_kind(part); kind != nullptr && term.kind == nullptr) {
      term.kind = kind;
    } else if (last && is_number(part)) {
      std::size_t index = 0;
      const auto parsed = std::from_chars(part.data(), part.data() + part.size(), index);
      if (parsed.ec != std::errc{}) refuse(origin, text, "has an index that is too large");
      term.index = index;
    } else if (last) {
      term.name = part;
    } else if (i == 0) {
      term.platform = part;
    } else {
      refuse(origin, text, fmt::format("has {} where a kind must stand", quote(part)));
    }
  }
  return term;
}

std::vector<Term> parse_terms(std::string_view text, std::string_view origin) {
  std::vector<Term> terms;
  for (const auto& part : split(text, ',')) {
    if (part.empty() || part == "!") refuse(origin, text, "has an empty term");
    terms.push_back(parse_term(part, origin));
  }
  return terms;
}

/// CPU drivers by measured speed of the same kernels on one processor, fastest first; others stand between.
int driver_rank(const Device& device) {
  if (device.kind() != DeviceKind::cpu) return 0;
  if (device.platform_alias() == "intel") return 0;
  if (device.platform_alias() == "pocl") return 1;
  if (device.platform_alias() == "rusticl") return 3;
  return 2;
}

std::uint64_t estimated_throughput(const Device& device) {
  const Capabilities& facts = device.capabilities();
  return std::uint64_t{facts.compute_units} * std::max<std::uint32_t>(1, facts.clock_mhz);
}

/// A total order that does not depend on what order the loader gives: ends with the stable id.
bool ranks_before(const Device& a, const Device& b) {
  const auto key = [](const Device& d) { return std::make_tuple(d.kind(), driver_rank(d)); };
  if (key(a) != key(b)) return key(a) < key(b);
  if (estimated_throughput(a) != estimated_throughput(b)) return estimated_throughput(a) > estimated_throughput(b);
  return std::tie(a.platform_alias(), a.id()) < std::tie(b.platform_alias(), b.id());
}

/// The same text for two devices that are one piece of silicon under two drivers.
std::string silicon_of(const Device& device) {
  if (device.kind() == DeviceKind::cpu) return "cpu";  // one host, one set of processors
  return device.id();
}

void leave_out(DeviceRanking& ranking, const Device& device, std::string reason) {
  ranking.left_out.push_back({device, std::move(reason)});
}

std::size_t platform_count(const std::vector<Device>& devices) {
  std::set<std::string> names;
  for (const auto& device : devices) names.insert(device.platform_name());
  return names.size();
}

/// Devices that `term` names, best first; the one at its index if it has one.
std::vector<Device> matches_of(const Term& term, const std::vector<Device>& devices, std::string_view origin) {
  std::vector<Device> found;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(found),
               [&](const Device& device) { return term.matches_but_index(device); });
  if (!term.index) {
    std::stable_sort(found.begin(), found.end(), ranks_before);
    return found;
  }
  const bool bare = term.platform.empty() && term.kind == nullptr;
  if (bare && platform_count(devices) > 1) refuse(origin, term.text, "is ambiguous with several platforms");
  if (*term.index >= found.size()) return {};
  return {found[*term.index]};
}

bool contains(const std::vector<Device>& devices, const Device& device) {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool contains(const std::vector<ChosenDevice>& chosen, const Device& device) {
  return std::any_of(chosen.begin(), chosen.end(), [&](const ChosenDevice& c) { return c.device == device; });
}

/// Drops devices that `!` terms name. Indices count within `visible`, however much other terms take away.
std::vector<Device> without_excluded(const std::vector<Term>& terms, const std::vector<Device>& visible,
                                     std::string_view origin, DeviceRanking& ranking) {
  std::vector<Device> kept = visible;
  for (const Term& term : terms) {
    if (!term.excludes) continue;
    for (const Device& out : matches_of(term, visible, origin))
      if (std::erase(kept, out) != 0)
        leave_out(ranking, out, fmt::format("left out by {} {}", origin, quote(term.text)));
  }
  return kept;
}

std::string text_of(const std::vector<Term>& terms) {
  std::string text;
  for (const Term& term : terms) text += (text.empty() ? "" : ",") + term.text;
  return text;
}

/// Those of `kept` that a term names; as in without_excluded(), indices count within `visible`.
void choose_named(const std::vector<Term>& terms, const std::vector<Device>& visible, const std::vector<Device>& kept,
                  std::string_view origin, DeviceRanking& ranking) {
  for (const Term& term : terms) {
    if (term.excludes) continue;
    for (const Device& device : matches_of(term, visible, origin))
      if (contains(kept, device) && !contains(ranking.chosen, device))
        ranking.chosen.push_back({device, fmt::format("named by {} {}", origin, quote(term.text))});
  }
  for (const Device& device : kept)
    if (!contains(ranking.chosen, device))
      leave_out(ranking, device, fmt::format("not named by {} {}", origin, quote(text_of(terms))));
}

void choose_default(std::vector<Device> devices, DeviceRanking& ranking) {
  std::stable_sort(devices.begin(), devices.end(), ranks_before);
  std::set<std::string> taken;
  for (const Device& device : devices) {
    if (device.kind() == DeviceKind::emulator) {
      leave_out(ranking, device, "an emulator is used only when named");
    } else if (!device.capabilities().has_compiler) {
      leave_out(ranking, device, "has no compiler");
    } else if (taken.insert(silicon_of(device)).second) {
      const bool first = ranking.chosen.empty();
      ranking.chosen.push_back({device, fmt::format("{} {} of {} found", first ? "best" : "next",
                                                    to_string(device.kind()), devices.size())});
    } else {
      leave_out(ranking, device, "same processor under a slower driver; name it to use it");
    }
  }
}

std::vector<Device> usable(const Discovery& discovery, DeviceRanking& ranking) {
  std::vector<Device> devices = discovery.devices();
  std::erase_if(devices, [&](const Device& device) {
    const bool out = !device.capabilities().available;
    if (out) leave_out(ranking, device, "the driver says it is not available");
    return out;
  });
  return devices;
}

std::vector<Device> devices_of(const std::vector<ChosenDevice>& chosen) {
  std::vector<Device> devices;
  for (const auto& entry : chosen) devices.push_back(entry.device);
  return devices;
}

bool names_devices(const std::vector<Term>& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return !term.excludes; });
}

/// One selection over `visible`; an empty one keeps all that the default takes.
std::vector<Device> narrow(std::string_view selection, std::vector<Device> visible, std::string_view origin,
                           DeviceRanking& ranking, bool& named) {
  if (selection.empty()) return visible;
  const auto terms = parse_terms(selection, origin);
  std::vector<Device> kept = without_excluded(terms, visible, origin, ranking);
  // What the mask named and a '!' here takes away:
  std::erase_if(ranking.chosen, [&](const ChosenDevice& chosen) { return !contains(kept, chosen.device); });
  if (!names_devices(terms)) return kept;
  named = true;
  ranking.chosen.clear();
  choose_named(terms, visible, kept, origin, ranking);
  return devices_of(ranking.chosen);
}

[[noreturn]] void throw_none(const Discovery& discovery, const DeviceRanking& ranking) {
  if (discovery.platforms.empty())
    throw NoDevice(fmt::format("no OpenCL platform: {}; install a driver, for example pocl-opencl-icd",
                               detail::describe_icd_files()));
  if (ranking.left_out.empty())
    throw NoDevice(fmt::format("no OpenCL device: {}", fmt::join(discovery.warnings, "; ")));
  std::vector<std::string> lines;
  for (const auto& [device, reason] : ranking.left_out)
    lines.push_back(fmt::format("{} '{}' ({})", device.platform_alias(), device.name(), reason));
  throw NoDevice(fmt::format("no device left to use: {}", fmt::join(lines, "; ")));
}

}  // namespace

DeviceRanking rank_devices(const Discovery& discovery, std::string_view selection) {
  DeviceRanking ranking;
  bool named = false;
  std::vector<Device> devices = usable(discovery, ranking);
  devices = narrow(environment("ANYCL_DEVICES").value_or(""), std::move(devices), "ANYCL_DEVICES", ranking, named);
  devices = narrow(selection, std::move(devices), "selection", ranking, named);
  if (!named) choose_default(std::move(devices), ranking);
  return ranking;
}

std::vector<ChosenDevice> choose_devices(const Discovery& discovery, std::string_view selection) {
  DeviceRanking ranking = rank_devices(discovery, selection);
  if (ranking.chosen.empty()) throw_none(discovery, ranking);
  return std::move(ranking.chosen);
}

}  // namespace anycl
