#include "entries.hpp"

namespace anycl::test_layer {

const char* name_of(Entry entry) noexcept { return kEntryNames[static_cast<std::size_t>(entry)]; }

EntrySet entries_matching(std::string_view glob) {
  EntrySet found;
  for (std::size_t i = 0; i < kEntryCount; ++i) found[i] = matches(glob, kEntryNames[i]);
  return found;
}

bool matches(std::string_view glob, std::string_view text) noexcept {
  if (glob.empty()) return text.empty();
  if (glob.front() == '*') return matches(glob.substr(1), text) || (!text.empty() && matches(glob, text.substr(1)));
  const bool first = !text.empty() && (glob.front() == '?' || glob.front() == text.front());
  return first && matches(glob.substr(1), text.substr(1));
}

}  // namespace anycl::test_layer
