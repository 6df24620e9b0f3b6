#include "program_text.hpp"

#include <cstdlib>
#include <optional>

namespace anycl::stub {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Scanner {
 public:
  explicit Scanner(std::string_view source) : rest_(source) {}

  std::vector<Token> run() {
    while (!rest_.empty()) {
      if (!skip()) take_token();
    }
    return std::move(tokens_);
  }

 private:
  /// Leaves out what is no token; false when there is one.
  bool skip() {
    if (rest_.starts_with("\\\n")) {
      advance(2);
    } else if (rest_.front() == '\n') {
      advance(1);
      starts_line_ = true;
    } else if (is_blank(rest_.front())) {
      advance(1);
    } else if (rest_.starts_with("//")) {
      while (!rest_.empty() && rest_.front() != '\n') advance(rest_.starts_with("\\\n") ? 2 : 1);
    } else if (rest_.starts_with("/*")) {
      const auto end = rest_.find("*/", 2);
      if (end == std::string_view::npos) throw SourceError{place_, "unterminated /* comment"};
      advance(end + 2);
    } else {
      return false;
    }
    after_blank_ = true;
    return true;
  }

  void take_token() {
    const char first = rest_.front();
    if (is_letter(first)) {
      add(Token::Kind::word, run_of([](char c) { return is_letter(c) || is_digit(c); }));
    } else if (is_digit(first)) {
      add(Token::Kind::number, run_of([](char c) { return is_letter(c) || is_digit(c) || c == '.'; }));
    } else if (first == '"' || first == '\'') {
      add(Token::Kind::text, quoted(first));
    } else {
      add(Token::Kind::mark, 1);
    }
  }

  template <class Accepts>
  std::size_t run_of(Accepts&& accepts) const {
    std::size_t size = 1;
    while (size < rest_.size() && accepts(rest_[size])) ++size;
    return size;
  }

  /// The size of a string or character constant.
  std::size_t quoted(char quote) const {
    for (std::size_t i = 1; i < rest_.size() && rest_[i] != '\n'; ++i) {
      if (rest_[i] == quote) return i + 1;
      if (rest_[i] == '\\') ++i;
    }
    throw SourceError{place_, std::string("missing terminating ") + quote + " character"};
  }

  void add(Token::Kind kind, std::size_t size) {
    tokens_.push_back({kind, std::string(rest_.substr(0, size)), place_, starts_line_, after_blank_});
    starts_line_ = after_blank_ = false;
    advance(size);
  }

  void advance(std::size_t size) {
    for (const char c : rest_.substr(0, size)) {
      ++place_.column;
      if (c != '\n') continue;
      ++place_.line;
      place_.column = 1;
    }
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  Place place_;
  bool starts_line_ = true;
  bool after_blank_ = false;
  std::vector<Token> tokens_;
};

/// Obeys directives, line by line.
class Preprocessor {
 public:
  explicit Preprocessor(std::string_view options) {
    macros_["__OPENCL_VERSION__"] = scan("300");
    macros_["__OPENCL_C_VERSION__"] = scan("120");
    read_options(options);
  }

  std::vector<Token> run(std::vector<Token> tokens) {
    for (std::size_t begin = 0; begin < tokens.size();) {
      std::size_t end = begin + 1;
      while (end < tokens.size() && !tokens[end].starts_line) ++end;
      take_line(
          {tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(end)});
      begin = end;
    }
    return std::move(output_);
  }

 private:
  using Line = std::vector<Token>;

  struct Condition {
    bool outer;  ///< the text around it is read
    bool holds;  ///< this branch is read, if the text around it is
    bool taken;  ///< a branch was read already
  };

  void read_options(std::string_view options) {
    for (std::size_t at = 0; (at = options.find("-D", at)) != std::string_view::npos; ++at) {
      std::string_view definition = options.substr(at + 2);
      while (definition.starts_with(' ')) definition.remove_prefix(1);
      definition = definition.substr(0, definition.find(' '));
      const auto equals = definition.find('=');
      const std::string name(definition.substr(0, equals));
      macros_[name] = scan(equals == std::string_view::npos ? "1" : definition.substr(equals + 1));
    }
  }

  void take_line(Line line) {
    for (Token& token : line) move_to_shown_place(token);
    if (line.front().text == "#") {
      if (line.size() > 1) obey(line);
    } else if (active()) {
      for (const Token& token : line) expand(token, 0);
    }
  }

  void move_to_shown_place(Token& token) const {
    token.place.line = token.place.line + shown_line_ - real_line_;
    token.place.file = file_;
  }

  [[nodiscard]] bool active() const {
    return conditions_.empty() || (conditions_.back().outer && conditions_.back().holds);
  }

  void obey(const Line& line) {
    const std::string& word = line[1].text;
    const Line rest(line.begin() + 2, line.end());
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      open(word == "if" ? holds(rest) : is_defined(rest) == (word == "ifdef"));
    } else if (word == "elif" || word == "else") {
      turn(word == "else" || holds(rest));
    } else if (word == "endif") {
      if (!conditions_.empty()) conditions_.pop_back();
    } else if (active()) {
      obey_active(word, line, rest);
    }
  }

  void obey_active(const std::string& word, const Line& line, const Line& rest) {
    if (word == "error") throw SourceError{line.front().place, joined(rest)};
    if (rest.empty()) return;
    if (word == "undef") {
      macros_.erase(rest.front().text);
    } else if (word == "line") {
      move_lines(line, rest);
    } else if (word == "define" && !takes_parameters(rest)) {
      macros_[rest.front().text] = Line(rest.begin() + 1, rest.end());
    }
  }

  static bool takes_parameters(const Line& rest) {
    return rest.size() > 1 && rest[1].text == "(" && !rest[1].after_blank;
  }

  /// `#line NUMBER ["file"]` speaks of the line after it.
  void move_lines(const Line& line, const Line& rest) {
    real_line_ += line.front().place.line + 1 - shown_line_;
    shown_line_ = std::strtoull(rest.front().text.c_str(), nullptr, 10);
    if (rest.size() > 1 && rest[1].text.size() > 1) file_ = rest[1].text.substr(1, rest[1].text.size() - 2);
  }

  void open(bool condition) { conditions_.push_back({active(), condition, condition}); }

  void turn(bool condition) {
    if (conditions_.empty()) return;
    Condition& current = conditions_.back();
    current.holds = condition && !current.taken;
    current.taken = current.taken || current.holds;
  }

  [[nodiscard]] bool is_defined(const Line& rest) const {
    for (const Token& token : rest)
      if (token.kind == Token::Kind::word && token.text != "defined") return macros_.contains(token.text);
    return false;
  }

  [[nodiscard]] bool holds(const Line& rest) const {
    const bool negated = !rest.empty() && rest.front().text == "!";
    const Line condition(rest.begin() + (negated ? 1 : 0), rest.end());
    if (!condition.empty() && condition.front().text == "defined" && condition.size() <= 4)
      return is_defined(condition) != negated;
    if (condition.size() != 1) return true;
    return (value_of(condition.front()) != 0) != negated;
  }

  [[nodiscard]] long value_of(const Token& token) const {
    const auto macro = macros_.find(token.text);
    const bool replaced = macro != macros_.end() && !macro->second.empty();
    return std::strtol((replaced ? macro->second.front() : token).text.c_str(), nullptr, 0);
  }

  void expand(const Token& token, int depth) {
    const auto macro = token.kind == Token::Kind::word ? macros_.find(token.text) : macros_.end();
    if (macro == macros_.end() || depth > 20) {  // a macro may name itself
      output_.push_back(token);
      return;
    }
    for (Token part : macro->second) {
      part.place = token.place;
      expand(part, depth + 1);
    }
  }

  static std::string joined(const Line& tokens) {
    std::string text;
    for (const Token& token : tokens) text += (text.empty() || !token.after_blank ? "" : " ") + token.text;
    return text;
  }

  std::map<std::string, Line> macros_;
  std::vector<Condition> conditions_;
  // Line `real_line_` of the text is called `shown_line_` of `file_`.
  std::size_t real_line_ = 1;
  std::size_t shown_line_ = 1;
  std::string file_ = Place{}.file;
  std::vector<Token> output_;
};

std::optional<char> partner_of(const std::string& mark) {
  if (mark == "(") return ')';
  if (mark == "[") return ']';
  if (mark == "{") return '}';
  return std::nullopt;
}

}  // namespace

std::vector<Token> scan(std::string_view source) { return Scanner(source).run(); }

std::vector<Token> preprocess(std::string_view source, std::string_view options) {
  return Preprocessor(options).run(scan(source));
}

void check_tokens(const std::vector<Token>& tokens) {
  std::vector<char> open;
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::word && token.text.starts_with("undeclared"))
      throw SourceError{token.place, "use of undeclared identifier '" + token.text + "'"};
    if (token.kind != Token::Kind::mark) continue;
    if (const auto partner = partner_of(token.text)) {
      open.push_back(*partner);
    } else if (token.text == ")" || token.text == "]" || token.text == "}") {
      if (open.empty()) throw SourceError{token.place, "extraneous '" + token.text + "'"};
      if (token.text.front() != open.back())
        throw SourceError{token.place, std::string("expected '") + open.back() + "'"};
      open.pop_back();
    }
  }
  if (!open.empty()) throw SourceError{tokens.back().place, std::string("expected '") + open.back() + "'"};
}

}  // namespace anycl::stub
