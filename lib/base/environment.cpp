#include "base/environment.hpp"

#include <charconv>

#include "base/logging.hpp"

namespace anycl {

std::chrono::seconds seconds_from_environment(const char* name, std::chrono::seconds fallback) {
  const auto text = environment(name);
  if (!text) return fallback;
  unsigned seconds = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  if (failed == std::errc{} && end == text->data() + text->size()) return std::chrono::seconds(seconds);
  log::warn("{}='{}' is not a number of seconds; using {}", name, *text, fallback.count());
  return fallback;
}

}  // namespace anycl
