#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace anycl {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) noexcept { return static_cast<unsigned char>(text[i]); }

/// Characters that begin with a byte of `first` to `last`.
struct Form {
  unsigned char first, last;
  std::size_t bytes;
  unsigned char second_from, second_to;  // narrower than 0x80 to 0xbf where the rest would be overlong or no character
};

constexpr std::array kForms{
    Form{0x00, 0x7f, 1, 0x80, 0xbf}, Form{0xc2, 0xdf, 2, 0x80, 0xbf}, Form{0xe0, 0xe0, 3, 0xa0, 0xbf},
    Form{0xe1, 0xec, 3, 0x80, 0xbf}, Form{0xed, 0xed, 3, 0x80, 0x9f}, Form{0xee, 0xef, 3, 0x80, 0xbf},
    Form{0xf0, 0xf0, 4, 0x90, 0xbf}, Form{0xf1, 0xf3, 4, 0x80, 0xbf}, Form{0xf4, 0xf4, 4, 0x80, 0x8f},
};

bool is_between(unsigned char byte, unsigned char from, unsigned char to) noexcept {
  return byte >= from && byte <= to;
}

}  // namespace

std::size_t first_character(std::string_view text) noexcept {
  const auto* form = std::find_if(kForms.begin(), kForms.end(), [first = byte_at(text, 0)](const Form& candidate) {
    return is_between(first, candidate.first, candidate.last);
  });
  if (form == kForms.end() || text.size() < form->bytes) return 0;
  if (form->bytes > 1 && !is_between(byte_at(text, 1), form->second_from, form->second_to)) return 0;
  for (std::size_t i = 2; i < form->bytes; ++i)
    if (!is_between(byte_at(text, i), 0x80, 0xbf)) return 0;
  return form->bytes;
}

bool begins_with_control(std::string_view text) noexcept {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x20 || first == 0x7f) return true;
  return first == 0xc2 && byte_at(text, 1) < 0xa0;
}

}  // namespace anycl
