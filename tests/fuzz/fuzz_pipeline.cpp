// The text of a filter pipeline. Input: the text.
#include <charconv>
#include <string>

#include "anycl/base/error.hpp"
#include "anycl/image/pipeline.hpp"
#include "fuzz/fuzz.hpp"

using namespace anycl;
using fuzz::require;

namespace {

bool same_steps(const image::Pipeline& a, const image::Pipeline& b) {
  return std::equal(
      a.steps().begin(), a.steps().end(), b.steps().begin(), b.steps().end(),
      [](const image::Step& x, const image::Step& y) { return x.filter == y.filter && x.arguments == y.arguments; });
}

void check_numbers(const image::Step& step) {
  require(step.arguments.size() == step.filter->parameters.size(), "a step has all its numbers");
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    const image::Parameter& bounds = step.filter->parameters[i];
    require(step.arguments[i] >= bounds.lowest && step.arguments[i] <= bounds.highest, "a number is within its bounds");
  }
}

void check_parsed(const image::Pipeline& pipeline, std::string_view text) {
  require(!pipeline.steps().empty() && pipeline.steps().size() <= text.size(), "there are no more steps than text");
  for (const image::Step& step : pipeline.steps()) check_numbers(step);
  const std::string normal = to_string(pipeline);
  const auto again = image::Pipeline::parse(normal);
  require(same_steps(pipeline, again), "the normal form parses to the same steps");
  require(to_string(again) == normal, "the normal form of the normal form is itself");
}

void check_refused(std::string_view message, std::string_view text) {
  fuzz::require_short_line(message);
  require(message.starts_with("pipeline: "), "an error says whose it is");
  constexpr std::string_view kColumn = " at column ";
  const auto mark = message.rfind(kColumn);
  require(mark != std::string_view::npos, "an error names a column");
  std::size_t column = 0;
  std::from_chars(message.data() + mark + kColumn.size(), message.data() + message.size(), column);
  require(column >= 1 && column <= text.size() + 1, "the column is in the text or just behind it");
  for (const char c : message) require(c >= ' ' && c <= '~', "an error holds plain ASCII alone");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  try {
    check_parsed(image::Pipeline::parse(text), text);
  } catch (const InvalidArgument& error) {
    check_refused(error.what(), text);
  }
  return 0;
}
