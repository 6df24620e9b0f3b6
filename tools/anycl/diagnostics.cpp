#include "diagnostics.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "printable.hpp"
#include "standard_streams.hpp"

namespace anycl::command {
namespace {

std::string_view word_of(BuildMessage::Severity severity) {
  switch (severity) {
    case BuildMessage::Severity::note:
      return "note";
    case BuildMessage::Severity::warning:
      return "warning";
    case BuildMessage::Severity::error:
      break;
  }
  return "error";
}

std::string place_of(const BuildMessage& message, const std::string& file) {
  std::string place = message.file.empty() ? file : message.file;
  for (const std::size_t number : {message.line, message.column}) {
    if (number == 0) break;
    place += fmt::format(":{}", number);
  }
  return place;
}

std::string line_of(const Diagnostic& diagnostic, const std::string& file, bool of_several) {
  const BuildMessage& message = diagnostic.message;
  std::string line = fmt::format("{}: {}: {}", place_of(message, file), word_of(message.severity), message.text);
  if (of_several) line += fmt::format(" [{}]", fmt::join(diagnostic.devices, ", "));
  return printable(line);
}

std::optional<std::size_t> line_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

void add_diagnostics(std::vector<Diagnostic>& all, const std::vector<BuildMessage>& messages,
                     const std::string& device) {
  for (const BuildMessage& message : messages) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Diagnostic& other) { return other.message == message; });
    if (known == all.end())
      all.push_back({message, {device}});
    else
      known->devices.push_back(device);
  }
}

void print_diagnostics(const std::vector<Diagnostic>& diagnostics, const std::string& file, bool of_several) {
  for (const Diagnostic& diagnostic : diagnostics) {
    say(line_of(diagnostic, file, of_several) + '\n');
    if (!diagnostic.message.excerpt.empty()) say(diagnostic.message.excerpt + '\n');
  }
}

Json describe(const BuildMessage& message) {
  return {{"severity", word_of(message.severity)},
          {"file", message.file.empty() ? Json(nullptr) : Json(message.file)},
          {"line", message.line == 0 ? Json(nullptr) : Json(message.line)},
          {"column", message.column == 0 ? Json(nullptr) : Json(message.column)},
          {"text", message.text},
          {"excerpt", message.excerpt.empty() ? Json(nullptr) : Json(message.excerpt)}};
}

BuildMessage error_message(const std::string& text, const std::string& file) {
  if (text.starts_with(file + ": ")) return {.text = text.substr(file.size() + 2)};
  const auto end = text.find(": ");
  const auto colon = end == std::string::npos ? end : text.rfind(':', end - 1);
  if (colon == std::string::npos) return {.text = text};
  const auto line = line_number(std::string_view(text).substr(colon + 1, end - colon - 1));
  if (!line) return {.text = text};
  return {.file = text.substr(0, colon), .line = *line, .text = text.substr(end + 2)};
}

}  // namespace anycl::command
