#include "rule_text.hpp"

#include <algorithm>

namespace anycl::test_layer {
namespace {

constexpr std::string_view kBlanks = " \t\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_option(std::string_view word) { return word.find('=') != std::string_view::npos; }

}  // namespace

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

RuleText::RuleText(std::string_view rule, std::size_t number, std::size_t column)
    : rule_(trimmed(rule)), number_(number) {
  for (std::size_t end = 0;;) {
    const std::size_t start = rule.find_first_not_of(kBlanks, end);
    if (start == std::string_view::npos) return;
    end = std::min(rule.find_first_of(kBlanks, start), rule.size());
    words_.push_back({rule.substr(start, end - start), column + start});
  }
}

std::optional<RuleText::Word> RuleText::optional_subject() const {
  if (words_.size() < 2 || is_option(words_[1].text)) return std::nullopt;
  return words_[1];
}

RuleText::Word RuleText::subject(std::string_view what) const {
  if (const auto subject = optional_subject()) return *subject;
  refuse(verb(), "needs " + std::string(what) + " after it");
}

std::optional<RuleText::Word> RuleText::take(std::string_view key) {
  taken_.emplace_back(key);
  for (const Word& word : words_)
    if (word.text.size() > key.size() && word.text.starts_with(key) && word.text[key.size()] == '=')
      return Word{word.text.substr(key.size() + 1), word.column + key.size() + 1};
  return std::nullopt;
}

void RuleText::expect_all_taken() const {
  for (std::size_t i = optional_subject() ? 2 : 1; i < words_.size(); ++i) {
    const std::string_view key = words_[i].text.substr(0, words_[i].text.find('='));
    if (!is_option(words_[i].text)) refuse(words_[i], "should be KEY=VALUE");
    if (std::find(taken_.begin(), taken_.end(), key) == taken_.end())
      refuse(words_[i], "is nothing that '" + std::string(verb().text) + "' knows");
  }
}

void RuleText::refuse(const Word& word, std::string_view why) const {
  throw RuleError("rule " + std::to_string(number_) + " '" + std::string(rule_) + "', column " +
                  std::to_string(word.column) + ": '" + std::string(word.text) + "' " + std::string(why));
}

}  // namespace anycl::test_layer
