#include "program/build_log.hpp"

#include <charconv>

namespace anycl::detail {
namespace {

/// Cuts `:number` off the end of `text`; nothing when it does not end so.
std::optional<std::size_t> take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

std::string_view without_trailing(std::string_view text, std::string_view characters) {
  const auto last = text.find_last_not_of(characters);
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

/// Splits `file:line[:column]`.
std::optional<BuildMessage> parse_place(std::string_view place) {
  const auto last = take_number(place);
  if (!last) return std::nullopt;
  BuildMessage message;
  message.line = *last;
  if (const auto before = take_number(place)) {
    message.line = *before;
    message.column = *last;
  }
  message.file = std::string(place);
  return message;
}

/// "file:2:3: fatal error: text", as clang writes it.
std::optional<BuildMessage> parse_place_first(std::string_view before, std::string_view after) {
  before = without_trailing(before, ": ");
  if (before.ends_with("fatal")) before = without_trailing(before.substr(0, before.size() - 5), ": ");
  auto message = parse_place(before);
  if (message) message->text = std::string(after);
  return message;
}

/// "error: file:2:3: text", as PoCL writes it.
std::optional<BuildMessage> parse_place_second(std::string_view after) {
  const auto colon = after.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  auto message = parse_place(after.substr(0, colon));
  if (message) message->text = std::string(after.substr(colon + 2));
  return message;
}

std::optional<BuildMessage> parse_line(std::string_view line) {
  constexpr std::string_view kMark = "error: ";
  const auto mark = line.find(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view after = line.substr(mark + kMark.size());
  if (auto message = parse_place_first(line.substr(0, mark), after)) return message;
  return parse_place_second(after);
}

}  // namespace

std::optional<BuildMessage> first_error(std::string_view log) {
  while (!log.empty()) {
    const auto end = log.find('\n');
    if (auto message = parse_line(log.substr(0, end))) return message;
    if (end == std::string_view::npos) break;
    log.remove_prefix(end + 1);
  }
  return std::nullopt;
}

}  // namespace anycl::detail
