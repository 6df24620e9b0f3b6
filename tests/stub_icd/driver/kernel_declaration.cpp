#include "kernel_declaration.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

namespace anycl::stub {
namespace {

using Tokens = std::span<const Token>;

struct ScalarType {
  std::string_view word;
  std::size_t size;
};

constexpr ScalarType kScalars[] = {
    {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},    {"uint", 4},
    {"long", 8}, {"ulong", 8}, {"half", 2},  {"float", 4},  {"double", 8}, {"sampler_t", sizeof(cl_sampler)},
};

/// "float4" has four; a vector of three takes the room of four. 0 for types of the program's own.
std::size_t size_of_type(std::string_view type) {
  const auto letters = type.find_last_not_of("0123456789") + 1;
  const std::string_view digits = type.substr(letters);
  const std::size_t width = digits.empty() ? 1 : std::strtoull(std::string(digits).c_str(), nullptr, 10);
  for (const ScalarType& scalar : kScalars)
    if (scalar.word == type.substr(0, letters)) return scalar.size * (width == 3 ? 4 : width);
  return 0;
}

/// Qualifiers may be written with two underscores in front.
std::string_view plain(std::string_view word) {
  if (word.starts_with("__")) word.remove_prefix(2);
  if (word.ends_with("__")) word.remove_suffix(2);
  return word;
}

/// Where the bracket that stands at `open` is closed; the end when it is not.
std::size_t partner_of(Tokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string& mark = tokens[i].text;
    if (mark == "(" || mark == "[" || mark == "{") ++depth;
    if ((mark == ")" || mark == "]" || mark == "}") && --depth == 0) return i;
  }
  return tokens.size();
}

std::vector<Tokens> split_at_commas(Tokens tokens) {
  std::vector<Tokens> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text == "(" || tokens[i].text == "[") i = std::min(partner_of(tokens, i), tokens.size() - 1);
    if (tokens[i].text != ",") continue;
    parts.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  if (!tokens.empty()) parts.push_back(tokens.subspan(begin));
  return parts;
}

/// What one qualifier does to a parameter; false for other words.
bool apply_qualifier(Parameter& parameter, std::string_view word) {
  word = plain(word);
  if (word == "global") {
    parameter.space = CL_KERNEL_ARG_ADDRESS_GLOBAL;
  } else if (word == "constant") {
    parameter.space = CL_KERNEL_ARG_ADDRESS_CONSTANT;
    parameter.qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
  } else if (word == "local") {
    parameter.space = CL_KERNEL_ARG_ADDRESS_LOCAL;
  } else if (word == "const") {
    parameter.qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
  } else if (word == "restrict") {
    parameter.qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
  } else if (word == "volatile") {
    parameter.qualifiers |= CL_KERNEL_ARG_TYPE_VOLATILE;
  } else if (word == "read_only") {
    parameter.access = CL_KERNEL_ARG_ACCESS_READ_ONLY;
  } else if (word == "write_only") {
    parameter.access = CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  } else if (word == "read_write") {
    parameter.access = CL_KERNEL_ARG_ACCESS_READ_WRITE;
  } else {
    return word == "private" || word == "struct" || word == "signed";
  }
  return true;
}

/// Drops `__attribute__((...))`.
std::vector<Token> without_attributes(Tokens tokens) {
  std::vector<Token> rest;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (plain(tokens[i].text) == "attribute")
      i = partner_of(tokens, i + 1);
    else
      rest.push_back(tokens[i]);
  }
  return rest;
}

std::string type_of_words(const std::vector<std::string>& words) {
  const bool is_unsigned = std::find(words.begin(), words.end(), "unsigned") != words.end();
  const std::string& last = words.back();
  if (!is_unsigned) return last;
  return last == "unsigned" ? "uint" : "u" + last;
}

bool is_image(std::string_view type) {
  constexpr std::string_view kinds[]{"image1d_", "image2d_", "image3d_"};
  return type.ends_with("_t") && std::any_of(std::begin(kinds), std::end(kinds),
                                             [type](std::string_view kind) { return type.starts_with(kind); });
}

Parameter read_parameter(Tokens tokens) {
  Parameter parameter;
  std::vector<std::string> words;
  std::string stars;
  for (const Token& token : without_attributes(tokens)) {
    if (token.text == "*" || token.text == "[")
      stars += '*';
    else if (token.kind != Token::Kind::word || (!stars.empty() && plain(token.text) == "const"))
      continue;  // `* const`: the pointer is constant, not what it points to
    else if (!apply_qualifier(parameter, token.text))
      words.push_back(token.text);
  }
  if (words.size() > 1) {
    parameter.name = words.back();
    words.pop_back();
  }
  const std::string type = words.empty() ? "int" : type_of_words(words);
  parameter.is_pointer = !stars.empty() || is_image(type);
  parameter.type = type + stars;
  parameter.size_bytes = parameter.is_pointer ? 0 : size_of_type(type);
  if (is_image(type)) {
    parameter.space = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    if (parameter.access == CL_KERNEL_ARG_ACCESS_NONE) parameter.access = CL_KERNEL_ARG_ACCESS_READ_ONLY;
  }
  // The qualifiers of a value say nothing to its caller.
  if (!parameter.is_pointer) parameter.qualifiers = CL_KERNEL_ARG_TYPE_NONE;
  return parameter;
}

/// Bytes of `local float tile[64];` and the like.
std::size_t local_arrays(Tokens body) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i + 4 < body.size(); ++i) {
    if (plain(body[i].text) != "local" || body[i + 3].text != "[") continue;
    bytes += size_of_type(body[i + 1].text) * std::strtoull(body[i + 4].text.c_str(), nullptr, 0);
  }
  return bytes;
}

/// Walks the outermost level of a program.
class Reader {
 public:
  explicit Reader(Tokens tokens) : tokens_(tokens) {}

  ProgramDeclarations run() {
    while (at_ < tokens_.size()) {
      if (plain(word()) == "kernel")
        take_kernel();
      else if (plain(word()) == "constant")
        take_constant();
      else if (word() == "{")
        at_ = partner_of(tokens_, at_) + 1;
      else
        ++at_;
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? std::string_view(tokens_[at_ + ahead].text) : std::string_view();
  }

  void take_kernel() {
    const Place place = tokens_[at_].place;
    KernelDeclaration kernel;
    ++at_;
    take_attributes(kernel);
    while (at_ < tokens_.size() && word(1) != "(") {
      ++at_;
      take_attributes(kernel);
    }
    if (at_ >= tokens_.size() || tokens_[at_].kind != Token::Kind::word)
      throw SourceError{place, "expected a kernel's name and parameters"};
    kernel.name = word();
    ++at_;
    take_parameters(kernel);
    take_attributes(kernel);
    if (word() == "{") take_body(std::move(kernel));
  }

  /// `__attribute__((reqd_work_group_size(8, 1, 1)))`, wherever it may stand.
  void take_attributes(KernelDeclaration& kernel) {
    while (plain(word()) == "attribute") {
      const std::size_t end = partner_of(tokens_, at_ + 1);
      const Tokens inside = tokens_.subspan(at_ + 1, end - at_ - 1);
      for (std::size_t i = 0; i + 6 < inside.size(); ++i)
        if (plain(inside[i].text) == "reqd_work_group_size") read_group(kernel, inside.subspan(i + 2, 5));
      at_ = std::min(end + 1, tokens_.size());
    }
  }

  static void read_group(KernelDeclaration& kernel, Tokens sizes) {
    for (std::size_t d = 0; d < 3; ++d) kernel.required_group[d] = std::strtoull(sizes[2 * d].text.c_str(), nullptr, 0);
    kernel.attributes = "reqd_work_group_size(" + sizes[0].text + "," + sizes[2].text + "," + sizes[4].text + ")";
  }

  void take_parameters(KernelDeclaration& kernel) {
    const std::size_t end = partner_of(tokens_, at_);
    const Tokens list = tokens_.subspan(at_ + 1, end - at_ - 1);
    const bool none = list.size() == 1 && list.front().text == "void";
    for (const Tokens part : none ? std::vector<Tokens>{} : split_at_commas(list))
      kernel.parameters.push_back(read_parameter(part));
    at_ = std::min(end + 1, tokens_.size());
  }

  void take_body(KernelDeclaration kernel) {
    const std::size_t end = partner_of(tokens_, at_);
    const Tokens body = tokens_.subspan(at_ + 1, end - at_ - 1);
    kernel.body.assign(body.begin(), body.end());
    kernel.local_bytes = local_arrays(body);
    found_.kernels.push_back(std::move(kernel));
    at_ = end + 1;
  }

  void take_constant() {
    if (word(3) == "=" && word(5) == ";")
      found_.constants[std::string(word(2))] = std::strtoll(std::string(word(4)).c_str(), nullptr, 0);
    ++at_;
  }

  Tokens tokens_;
  std::size_t at_ = 0;
  ProgramDeclarations found_;
};

}  // namespace

ProgramDeclarations read_declarations(const std::vector<Token>& tokens) { return Reader(tokens).run(); }

}  // namespace anycl::stub
