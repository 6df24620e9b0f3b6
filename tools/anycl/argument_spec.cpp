#include "argument_spec.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/scaled_number.hpp"

namespace anycl::command {
namespace {

using Kind = ArgumentSpec::Kind;

struct Word {
  std::string_view text;
  Kind kind;
};

constexpr std::array kWords{Word{"local:", Kind::local}, Word{"zeros:", Kind::zeros}, Word{"iota:", Kind::iota},
                            Word{"random:", Kind::random}, Word{"raw:", Kind::raw}};

std::uint64_t parse_size(std::string_view text, std::string_view what) {
  const auto size = parse_scaled_number(text);
  if (!size) throw InvalidArgument(fmt::format("'{}' is no number of {}, such as 1000 or 64K", text, what));
  return *size;
}

/// Cuts off `TYPE:`.
std::optional<ElementType> take_type(std::string_view& text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto type = element_type(text.substr(0, colon));
  if (type) text.remove_prefix(colon + 1);
  return type;
}

/// Whether what stands ahead of `@OUT` can have an @ itself.
bool may_be_file(std::string_view text) {
  return text.starts_with("raw:") ||
         std::none_of(kWords.begin(), kWords.end(), [text](const Word& word) { return text.starts_with(word.text); });
}

/// Cuts off `@OUT`. A file with an @ in its name is written with one more behind it.
std::string take_output(std::string_view& text) {
  const bool of_file = may_be_file(text);
  const auto at = of_file ? text.rfind('@') : text.find('@');
  if (at == std::string_view::npos) return {};
  std::string output(text.substr(at + 1));
  text = text.substr(0, at);
  const bool ends_name = of_file && text.find('@') != std::string_view::npos;
  if (output.empty() && !ends_name) throw InvalidArgument("no file is named behind @");
  return output;
}

/// `N[:SEED]`
void read_random(ArgumentSpec& spec, std::string_view text) {
  const auto colon = std::min(text.find(':'), text.size());
  spec.size = parse_size(text.substr(0, colon), "elements");
  if (colon == text.size()) return;
  const auto seed = parse_scaled_number(text.substr(colon + 1));
  if (!seed) throw InvalidArgument(fmt::format("'{}' is no seed; a number is", text.substr(colon + 1)));
  spec.seed = *seed;
}

void read_words(ArgumentSpec& spec, std::string_view text) {
  switch (spec.kind) {
    case Kind::local:
      spec.size = parse_size(text, "bytes");
      break;
    case Kind::random:
      read_random(spec, text);
      break;
    case Kind::raw:
      if (text.empty()) throw InvalidArgument("raw: needs a file");
      spec.value = text;
      break;
    default:
      spec.size = parse_size(text, "elements");
  }
}

/// Numbers are told from misspelt words by how they begin.
bool begins_as_number(std::string_view text) {
  constexpr std::string_view kFirst = "0123456789+-.";
  return !text.empty() &&
         (kFirst.find(text.front()) != std::string_view::npos || text.starts_with("inf") || text.starts_with("nan"));
}

}  // namespace

ArgumentSpec parse_argument(std::string_view text) {
  ArgumentSpec spec;
  spec.type = take_type(text);
  spec.output = take_output(text);
  const auto* word =
      std::find_if(kWords.begin(), kWords.end(), [text](const Word& each) { return text.starts_with(each.text); });
  if (word != kWords.end()) {
    spec.kind = word->kind;
    read_words(spec, text.substr(word->text.size()));
  } else if (text == "null") {
    spec.kind = Kind::null;
  } else if (text.ends_with(".npy")) {
    spec.kind = Kind::npy;
    spec.value = text;
  } else if (begins_as_number(text)) {
    spec.value = text;
  } else {
    throw InvalidArgument(
        "it is none of NUMBER, local:BYTES, null, zeros:N, iota:N, random:N[:SEED], raw:FILE and FILE.npy");
  }
  if (!spec.output.empty() && !spec.is_buffer()) throw InvalidArgument("only a buffer is saved by @OUT");
  if (spec.type && (spec.kind == Kind::npy || spec.kind == Kind::local || spec.kind == Kind::null))
    throw InvalidArgument("TYPE: stands before numbers and buffers that have no type of their own");
  return spec;
}

}  // namespace anycl::command
