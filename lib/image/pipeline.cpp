#include "anycl/image/pipeline.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <system_error>

#include "anycl/base/error.hpp"
#include "base/quote.hpp"

namespace anycl::image {
namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Letters to insert, drop or replace to turn `from` into `to` (Levenshtein).
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// The filter that `name` was probably meant to be: two typing errors away at most.
std::optional<std::string_view> nearest_name(std::string_view name) {
  constexpr std::size_t kTolerated = 2;
  constexpr std::size_t kLongestName = 40;  // the comparison takes time of this squared
  if (name.size() > kLongestName) return std::nullopt;
  std::string lower{name};
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;

  std::optional<std::string_view> nearest;
  std::size_t least = kTolerated + 1;
  for (const Filter& filter : filters()) {
    const std::size_t distance = edit_distance(lower, filter.name);
    if (distance < least) {
      least = distance;
      nearest = filter.name;
    }
  }
  return nearest;
}

std::string known_filters() {
  std::string names;
  for (const Filter& filter : filters()) names.append(names.empty() ? "" : ", ").append(usage(filter));
  return names;
}

bool fits(double number, const Parameter& parameter) noexcept {
  if (!(number >= parameter.lowest && number <= parameter.highest)) return false;  // false for NaN too
  if (parameter.type == NumberType::real) return true;
  if (number != std::floor(number)) return false;
  return parameter.type == NumberType::integer || std::fmod(number, 2.0) == 1.0;
}

/// Reads one pipeline from left to right, without going back.
class Parser {
 public:
  explicit Parser(std::string_view text) noexcept : text_(text) {}

  std::vector<Step> steps() {
    std::vector<Step> steps;
    do steps.push_back(step());
    while (take('|'));
    if (!at_end()) fail("unexpected " + quote(rest(1)) + at(position_) + "; expected '|' or the end");
    return steps;
  }

 private:
  Step step() {
    const Filter& filter = name();
    Step step{.filter = &filter, .arguments = {}};
    if (take('(')) step.arguments = arguments(filter);
    for (std::size_t i = step.arguments.size(); i < filter.parameters.size(); ++i) {
      const Parameter& missing = filter.parameters[i];
      if (!missing.fallback) {
        fail(std::string{filter.name} + " needs " + std::string{missing.name} + at(position_) + ": " +
             allowed(missing));
      }
      step.arguments.push_back(*missing.fallback);
    }
    return step;
  }

  const Filter& name() {
    skip_blanks();
    const std::size_t begin = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    const std::string_view name = text_.substr(begin, position_ - begin);
    if (name.empty()) {
      const std::string found = at_end() ? "nothing" : quote(rest(1));
      fail("expected a filter but found " + found + at(begin) + "; known: " + known_filters());
    }
    const Filter* filter = find_filter(name);
    if (filter != nullptr) return *filter;

    std::string text = "unknown filter " + quote(name) + at(begin) + "; ";
    if (const auto meant = nearest_name(name)) text.append("did you mean '").append(*meant).append("'? ");
    fail(text + "known: " + known_filters());
  }

  /// What stands behind the opening bracket, and the closing one.
  std::vector<double> arguments(const Filter& filter) {
    const std::size_t bracket = position_ - 1;
    std::vector<double> arguments;
    if (take(')')) return arguments;
    do {
      skip_blanks();
      if (arguments.size() == filter.parameters.size()) {
        fail("too many numbers for " + quote(filter.name) + at(position_) + "; usage: " + usage(filter));
      }
      arguments.push_back(number(filter, filter.parameters[arguments.size()]));
    } while (take(','));
    if (take(')')) return arguments;
    if (at_end()) fail("the bracket" + at(bracket) + " is never closed; add ')'");
    fail("unexpected " + quote(rest(1)) + at(position_) + "; expected ',' or ')'");
  }

  double number(const Filter& filter, const Parameter& parameter) {
    const std::size_t begin = position_;
    // All that could be meant as one number: so that a message shows all of '1.5x' or '-inf'.
    while (position_ < text_.size() && !is_blank(text_[position_]) &&
           std::string_view{"(),|"}.find(text_[position_]) == text_.npos) {
      ++position_;
    }
    const std::string_view word = text_.substr(begin, position_ - begin);
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;

    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole =
        !digits.empty() && !digits.starts_with('-') && error == std::errc{} && end == digits.data() + digits.size();
    if (whole && fits(value, parameter)) return value;

    fail(std::string{filter.name} + ": " + std::string{parameter.name} + " must be " + allowed(parameter) + ", not " +
         quote(word) + at(begin));
  }

  bool take(char expected) noexcept {
    skip_blanks();
    if (at_end() || text_[position_] != expected) return false;
    ++position_;
    return true;
  }

  void skip_blanks() noexcept {
    while (!at_end() && is_blank(text_[position_])) ++position_;
  }

  [[nodiscard]] bool at_end() const noexcept { return position_ == text_.size(); }
  [[nodiscard]] std::string_view rest(std::size_t size) const noexcept { return text_.substr(position_, size); }
  [[nodiscard]] static std::string at(std::size_t position) { return " at column " + std::to_string(position + 1); }
  [[noreturn]] static void fail(const std::string& text) { throw InvalidArgument("pipeline: " + text); }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

Pipeline Pipeline::parse(std::string_view text) { return Pipeline{Parser{text}.steps()}; }

std::string to_string(const Step& step) {
  std::string text{step.filter->name};
  std::string_view before = "(";
  for (const double argument : step.arguments) {
    text.append(before).append(to_string(argument));
    before = ", ";
  }
  if (!step.arguments.empty()) text += ')';
  return text;
}

std::string to_string(const Pipeline& pipeline) {
  std::string text;
  for (const Step& step : pipeline.steps()) text.append(text.empty() ? "" : " | ").append(to_string(step));
  return text;
}

}  // namespace anycl::image
