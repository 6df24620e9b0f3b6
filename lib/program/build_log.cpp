#include "program/build_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/plain_line.hpp"

namespace anycl::detail {
namespace {

using Severity = BuildMessage::Severity;

constexpr std::size_t kLongestText = 1000;  // of a message; templates of messages are shorter

struct Place {
  std::string_view file;
  std::size_t line = 0;
  std::size_t column = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The first line of `text`, which it loses.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<std::size_t> number_of(std::string_view digits) {
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failed != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// Cuts `:number` off the end of `text`; nothing when it does not end so.
std::optional<std::size_t> take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto number = number_of(text.substr(colon + 1));
  if (number) text = text.substr(0, colon);
  return number;
}

/// Splits `file:line[:column]`.
std::optional<Place> split_place(std::string_view text) {
  const auto last = take_number(text);
  if (!last) return std::nullopt;
  Place place{text, *last, 0};
  if (const auto before = take_number(text)) place = {text, *before, *last};
  return place.line > 0 ? std::optional(place) : std::nullopt;
}

/// Splits `"file", line 4`, as EDG writes it.
std::optional<Place> split_quoted_place(std::string_view text) {
  constexpr std::string_view kLine = "\", line ";
  const auto end = text.find(kLine);
  if (!text.starts_with('"') || end == std::string_view::npos) return std::nullopt;
  const auto line = number_of(text.substr(end + kLine.size()));
  return line.value_or(0) > 0 ? std::optional(Place{text.substr(1, end - 1), *line, 0}) : std::nullopt;
}

BuildMessage message_at(const Place& place, Severity severity, std::string_view text) {
  return {severity, plain_line(place.file), place.line, place.column, plain_line(trim(text).substr(0, kLongestText))};
}

struct Mark {
  std::string_view text;
  Severity severity;
};

// A longer word before those that it ends in.
constexpr std::array kMarks{
    Mark{"catastrophic error:", Severity::error},
    Mark{"fatal error:", Severity::error},
    Mark{"error:", Severity::error},
    Mark{"warning:", Severity::warning},
    Mark{"remark:", Severity::note},
    Mark{"note:", Severity::note},
};

/// "a.cl:2:3: error: text" and "\"a.cl\", line 2: error: text": the first mark with a place before it counts.
std::optional<BuildMessage> place_first(std::string_view line) {
  std::optional<BuildMessage> found;
  std::size_t found_at = line.size();
  for (const Mark& mark : kMarks) {
    const auto at = line.find(mark.text);
    if (at == std::string_view::npos || at == 0 || at >= found_at) continue;
    std::string_view before = trim(line.substr(0, at));
    if (!before.ends_with(':')) continue;
    before.remove_suffix(1);
    auto place = split_quoted_place(before);
    if (!place) place = split_place(before);
    if (!place) continue;
    found = message_at(*place, mark.severity, line.substr(at + mark.text.size()));
    found_at = at;
  }
  return found;
}

/// "error: a.cl:2:3: text", as PoCL writes it.
std::optional<BuildMessage> place_second(std::string_view line) {
  for (const Mark& mark : kMarks) {
    if (!line.starts_with(mark.text)) continue;
    const std::string_view rest = trim(line.substr(mark.text.size()));
    for (auto colon = rest.find(": "); colon != std::string_view::npos; colon = rest.find(": ", colon + 1))
      if (const auto place = split_place(rest.substr(0, colon)))
        return message_at(*place, mark.severity, rest.substr(colon + 1));
    return std::nullopt;
  }
  return std::nullopt;
}

/// A linker's way to say that a function has no definition: its name stands between `before` and the end of the name.
constexpr std::array<std::string_view, 7> kUndefined{
    "Cannot find symbol ",                  // PoCL
    "Unresolved external reference to \"",  // Mesa
    "Symbols not found: [ ",                // Intel on CPUs
    "undefined reference to `",             // Intel on GPUs
    "Unresolved extern function '",         // NVIDIA
    "undefined hidden symbol: ",            // AMD
    "undefined symbol: ",                   // AMD
};

bool is_part_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
}

std::optional<BuildMessage> undefined_function(std::string_view line) {
  for (const std::string_view before : kUndefined) {
    const auto at = line.find(before);
    if (at == std::string_view::npos) continue;
    std::string_view name = line.substr(at + before.size(), kLongestText);
    name = name.substr(
        0, static_cast<std::size_t>(std::find_if_not(name.begin(), name.end(), is_part_of_name) - name.begin()));
    if (!name.empty()) return BuildMessage{.text = fmt::format("function '{}' has no definition", name)};
  }
  return std::nullopt;
}

/// "ptxas error   : text", "LLVM ERROR: text", "error: text".
std::optional<BuildMessage> without_place(std::string_view line) {
  constexpr std::array<std::string_view, 7> kTools{"ptxas fatal", "ptxas error", "LLVM ERROR", "fatal error",
                                                   "error",       "Error",       "lld: error"};
  for (const std::string_view tool : kTools) {
    if (!line.starts_with(tool)) continue;
    const std::string_view rest = trim(line.substr(tool.size()));
    if (!rest.starts_with(':') || trim(rest.substr(1)).empty()) return std::nullopt;
    return BuildMessage{.text = plain_line(trim(rest.substr(1)).substr(0, kLongestText))};
  }
  return std::nullopt;
}

std::optional<BuildMessage> read_line(std::string_view line) {
  if (auto message = place_second(line))
    return message;  // before the other: PoCL's text may look like a place and a mark
  if (auto message = place_first(line)) return message;
  if (auto message = undefined_function(line)) return message;
  return without_place(line);
}

/// How far a compiler got, and how it counts.
bool is_progress(std::string_view line) {
  constexpr std::array<std::string_view, 9> kBegins{
      "Compilation started",     "Compilation done",       "Compilation failed",
      "Linking started",         "Linking done",           "Device build",
      "Options used by backend", "Failed to build device", "Error(s) while linking"};
  return line.ends_with(" generated.") ||
         std::any_of(kBegins.begin(), kBegins.end(), [line](auto begin) { return line.starts_with(begin); });
}

}  // namespace

std::vector<BuildMessage> read_build_log(std::string_view log) {
  std::vector<BuildMessage> messages;
  while (!log.empty() && messages.size() < kMostBuildMessages) {
    auto message = read_line(trim(take_line(log)));
    if (message && std::find(messages.begin(), messages.end(), *message) == messages.end())
      messages.push_back(std::move(*message));
  }
  return messages;
}

std::string telling_line(std::string_view log) {
  std::string_view first;
  while (!log.empty()) {
    const std::string_view line = trim(take_line(log));
    if (line.empty()) continue;
    if (!is_progress(line)) return plain_line(line.substr(0, kLongestText));
    if (first.empty()) first = line;
  }
  return plain_line(first.substr(0, kLongestText));
}

}  // namespace anycl::detail
