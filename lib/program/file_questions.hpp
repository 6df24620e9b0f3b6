/// \file  What makes a compiler look at files of the machine without an #include. Layer 3 (program).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace anycl::detail {

/// Where something stands, for messages.
struct TextPlace {
  std::string_view name;
  std::size_t line = 0;  ///< 0: what `name` names has no lines

  [[nodiscard]] std::string to_string() const;
};

/// Reads a kernel text and refuses what could ask a compiler for files: `__has_include` and its like, pragmas that look for
/// a file, and inline assembly, which reads files in whole. Such a word can be written out, or come about when macros are
/// expanded: by `##`, or by `#` for `_Pragma`. A word that `##` makes has a beginning of it as a word in the text, so it is
/// enough to know the text's words. Those of assembly begin as everyday names do: `prologue` takes their meaning. The
/// macros that drivers define before the text make none of these words (PoCL, Intel, Mesa, Oclgrind).
class FileQuestions {
 public:
  /// \param code  a line without comments and line joins
  /// \throws InvalidArgument  when it asks, or could ask together with what was read before.
  void read(std::string_view code, const TextPlace& place);

  /// Has to stand in front of the text that was read.
  [[nodiscard]] std::string_view prologue() const noexcept;

 private:
  struct Seen {
    std::string word;
    std::string place;
  };

  void read_word(std::string_view word, std::string_view rest, const TextPlace& place);
  void refuse_combinations(const TextPlace& place) const;

  std::optional<Seen> pasting_;           ///< ##
  std::optional<Seen> stem_;              ///< with which a word that asks begins
  std::optional<Seen> computed_pragma_;   ///< _Pragma of something else than a literal
  std::optional<Seen> pragma_word_;       ///< that such a pragma needs
  std::optional<Seen> pragma_word_stem_;  ///< with which that begins
};

}  // namespace anycl::detail
