/// \file  One rule as words: verb, subject, key=value... Reports what is wrong with its place in the text.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules.hpp"

namespace anycl::test_layer {

/// Comma-separated parts; an empty text has none.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text, char separator = ',');

class RuleText {
 public:
  struct Word {
    std::string_view text;
    std::size_t column;  ///< in the whole of the rules, from 1
  };

  /// `number` and `column` of the rule's first character count from 1.
  RuleText(std::string_view rule, std::size_t number, std::size_t column);

  /// Nothing but blanks.
  [[nodiscard]] bool empty() const noexcept { return words_.empty(); }
  [[nodiscard]] const Word& verb() const { return words_.front(); }

  /// The second word, if it is no key=value.
  [[nodiscard]] std::optional<Word> optional_subject() const;

  /// \throws RuleError  when there is none; `what` says what it should be.
  [[nodiscard]] Word subject(std::string_view what) const;

  /// The value of `key`, which thereby is a word that this rule knows.
  [[nodiscard]] std::optional<Word> take(std::string_view key);

  /// \throws RuleError  when it is not a number, or missing and there is no `otherwise`.
  template <class Number>
  [[nodiscard]] Number number(std::string_view key, std::optional<Number> otherwise = std::nullopt);

  template <class Number>
  [[nodiscard]] Number as_number(const Word& value) const;

  /// \throws RuleError  naming the first key=value that nobody took.
  void expect_all_taken() const;

  [[noreturn]] void refuse(const Word& word, std::string_view why) const;

 private:
  std::string_view rule_;
  std::size_t number_;
  std::vector<Word> words_;
  std::vector<std::string> taken_;
};

template <class Number>
Number RuleText::as_number(const Word& value) const {
  Number number{};
  const char* end = value.text.data() + value.text.size();
  const auto [stop, failed] = std::from_chars(value.text.data(), end, number);
  if (failed != std::errc{} || stop != end) refuse(value, "is not a number that fits here");
  return number;
}

template <class Number>
Number RuleText::number(std::string_view key, std::optional<Number> otherwise) {
  if (const auto value = take(key)) return as_number<Number>(*value);
  if (!otherwise) refuse(verb(), "needs " + std::string(key) + "=NUMBER");
  return *otherwise;
}

}  // namespace anycl::test_layer
