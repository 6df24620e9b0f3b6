/// \file  The words of a selection by text: `[!][platform:][kind:][name|index]`, comma-separated. Layer 1 (device).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/device/device.hpp"

namespace anycl::detail {

/// A word for kinds of devices.
struct KindWord {
  std::string_view word;
  bool (*accepts)(DeviceKind);
};

/// Null for a word that stands for no kind.
[[nodiscard]] const KindWord* find_kind(std::string_view word);

/// Case-insensitive match of all of `text`; `*` is any run, `?` any one character. Linear in practice: on a mismatch
/// only the last `*` is tried further, which is enough for globs.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

/// By alias or name.
[[nodiscard]] bool is_platform(std::string_view pattern, const Device& device);

struct Term {
  std::string text;
  bool excludes = false;
  std::string platform;            ///< empty: any
  const KindWord* kind = nullptr;  ///< null: any
  std::string name;                ///< of the platform or the device; empty: any
  std::optional<std::size_t> index;

  [[nodiscard]] bool matches_but_index(const Device& device) const;
};

/// `origin` stands first in messages: the variable or parameter that the text came in.
/// \throws InvalidArgument  for a malformed term; names it.
[[nodiscard]] std::vector<Term> parse_terms(std::string_view text, std::string_view origin);

/// The message of `parse_terms()` for what only the list of devices shows to be wrong.
[[noreturn]] void refuse_term(std::string_view origin, std::string_view term, std::string_view why);

}  // namespace anycl::detail
