#include "filter_help.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "anycl/image/filter.hpp"

namespace anycl::command {
namespace {

constexpr std::size_t kIndent = 20;
constexpr std::size_t kWidth = 110;

constexpr std::string_view kRules =
    "Pixels are 8 bits a channel between steps, alpha passes through, borders mirror the picture with the edge\n"
    "pixel repeated (d c b a | a b c d | d c b a).\n";

/// `text` in lines of at most kWidth characters, the first begun already, the others indented.
std::string wrapped(std::string_view text) {
  std::string lines;
  std::size_t column = kIndent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column + end > kWidth && column > kIndent) {
      lines.back() = '\n';
      lines.append(kIndent, ' ');
      column = kIndent;
    }
    lines.append(text.substr(0, end)).append(" ");
    column += end + 1;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!lines.empty()) lines.back() = '\n';
  return lines;
}

std::string indented(std::string_view label, std::string_view text) {
  return std::string(kIndent, ' ') + wrapped(fmt::format("{}: {}", label, text));
}

std::string describe(const image::Filter& filter) {
  std::string text = fmt::format("\n  {:<{}}", usage(filter), kIndent - 2) + wrapped(filter.summary);
  for (const image::Parameter& parameter : filter.parameters) text += indented(parameter.name, allowed(parameter));
  return text + indented("formula", filter.formula) + indented("result", filter.exactness);
}

}  // namespace

std::string filter_help() {
  std::string text = fmt::format("Filters. {}", kRules);
  for (const image::Filter& filter : image::filters()) text += describe(filter);
  return text;
}

}  // namespace anycl::command
