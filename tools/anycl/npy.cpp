#include "npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/quote.hpp"

namespace anycl::command {
namespace {

using detail::ScalarType;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 64;  // NumPy 2's
constexpr std::size_t kLongestHeader = std::size_t{1} << 20;

struct Descr {
  ScalarType scalar;
  std::string_view text;
  std::size_t bytes;
};

constexpr std::array kDescrs{
    Descr{ScalarType::int8, "|i1", 1},    Descr{ScalarType::uint8, "|u1", 1},  Descr{ScalarType::int16, "<i2", 2},
    Descr{ScalarType::uint16, "<u2", 2},  Descr{ScalarType::int32, "<i4", 4},  Descr{ScalarType::uint32, "<u4", 4},
    Descr{ScalarType::int64, "<i8", 8},   Descr{ScalarType::uint64, "<u8", 8}, Descr{ScalarType::half, "<f2", 2},
    Descr{ScalarType::float32, "<f4", 4}, Descr{ScalarType::float64, "<f8", 8}};

[[noreturn]] void refuse(std::string_view why) { throw InvalidArgument(std::string(why)); }

/// The header's text: a Python literal, of which this reads the one form that NumPy writes, with its keys in any order.
class Literal {
 public:
  explicit Literal(std::string_view text) noexcept : rest_(text) {}

  NpyHeader read() {
    expect('{');
    while (!accept('}')) {
      read_member();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_blanks();
    if (!rest_.empty()) refuse("its header goes on behind its end");
    if (!descr_ || !order_ || !shape_) refuse("its header lacks 'descr', 'fortran_order' or 'shape'");
    NpyHeader header;
    header.scalar = *descr_;
    header.shape = std::move(*shape_);
    return header;
  }

 private:
  void skip_blanks() {
    const auto first = rest_.find_first_not_of(" \t\n");
    rest_.remove_prefix(std::min(first, rest_.size()));
  }

  bool accept(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) refuse(fmt::format("its header has no '{}' where one belongs", c));
  }

  std::string_view read_string() {
    const char mark = accept('"') ? '"' : '\'';
    if (mark == '\'') expect(mark);
    const auto end = rest_.find(mark);
    if (end == std::string_view::npos) refuse("its header has an open quote");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

  void read_member() {
    const std::string_view key = read_string();
    expect(':');
    if (key == "descr" && !descr_)
      descr_ = read_descr();
    else if (key == "fortran_order" && !order_)
      order_ = read_order();
    else if (key == "shape" && !shape_)
      shape_ = read_shape();
    else
      refuse(fmt::format("its header has {} where it does not belong", quote(key)));
  }

  ScalarType read_descr() {
    skip_blanks();
    if (rest_.starts_with('[')) refuse("its elements are records; a kernel needs numbers");
    const std::string_view text = read_string();
    // NumPy writes '|' for single bytes, others '<' too; '=' is this machine's order.
    const auto same = [text](const Descr& descr) {
      const bool any_order = descr.bytes == 1 || text.starts_with('=');
      return text == descr.text ||
             (any_order && text.size() == 3 && text[0] != '>' && text.substr(1) == descr.text.substr(1));
    };
    const auto* found = std::find_if(kDescrs.begin(), kDescrs.end(), same);
    if (found == kDescrs.end())
      refuse(fmt::format("its elements are {}; integers and floating-point numbers in little-endian order are read",
                         quote(text)));
    return found->scalar;
  }

  bool read_order() {
    skip_blanks();
    constexpr std::string_view kRows = "False";
    if (rest_.starts_with("True")) refuse("it is in Fortran order; save numpy.ascontiguousarray() of it");
    if (!rest_.starts_with(kRows)) refuse("its 'fortran_order' is neither True nor False");
    rest_.remove_prefix(kRows.size());
    return false;
  }

  std::vector<std::size_t> read_shape() {
    std::vector<std::size_t> shape;
    expect('(');
    while (!accept(')')) {
      if (shape.size() == kMostDimensions) refuse(fmt::format("it has over {} dimensions", kMostDimensions));
      shape.push_back(read_size());
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return shape;
  }

  std::size_t read_size() {
    skip_blanks();
    std::size_t size = 0;
    const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
    if (failed != std::errc{}) refuse("its 'shape' has something that is no size");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return size;
  }

  std::string_view rest_;
  std::optional<ScalarType> descr_;
  std::optional<bool> order_;
  std::optional<std::vector<std::size_t>> shape_;
};

std::size_t number_at(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t size) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number |= std::size_t{bytes[at + i]} << (8 * i);
  return number;
}

/// The product of the sizes, or nothing when it is past any file.
std::optional<std::size_t> product(std::span<const std::size_t> shape) {
  std::size_t count = 1;
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 16;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const std::size_t size : shape) {
    if (count > kMost / size) return std::nullopt;
    count *= size;
  }
  return count;
}

const Descr& descr_of(ScalarType scalar) {
  return *std::find_if(kDescrs.begin(), kDescrs.end(), [scalar](const Descr& each) { return each.scalar == scalar; });
}

}  // namespace

NpyHeader parse_npy(std::span<const std::uint8_t> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::size_t versions = kMagic.size() + 2;
  if (!text.starts_with(kMagic) || file.size() < versions + 4) refuse("it is no .npy file");
  const int major = file[kMagic.size()];
  if ((major != 1 && major != 2) || file[kMagic.size() + 1] != 0)
    refuse(fmt::format("its version is {}.{}; 1.0 and 2.0 are read", major, file[kMagic.size() + 1]));
  const std::size_t digits = major == 1 ? 2 : 4;
  const std::size_t begin = versions + digits;
  const std::size_t size = number_at(file, versions, digits);
  if (size > kLongestHeader || size > file.size() - begin) refuse("its header is cut");
  NpyHeader header = Literal(text.substr(begin, size)).read();
  header.data_offset = begin + size;
  const std::size_t bytes = file.size() - header.data_offset;
  const std::size_t each = descr_of(header.scalar).bytes;
  const auto count = product(header.shape);
  if (!count || *count != bytes / each || bytes % each != 0)
    refuse(fmt::format("its shape and its {} bytes of numbers do not agree", bytes));
  header.count = *count;
  return header;
}

std::string npy_header(ScalarType scalar, std::span<const std::size_t> shape) {
  std::string sizes;
  for (const std::size_t size : shape) sizes += fmt::format("{},{}", size, shape.size() == 1 ? "" : " ");
  if (shape.size() > 1) sizes.resize(sizes.size() - 2);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(scalar).text, sizes);
  constexpr std::size_t kAlignment = 64;
  const std::size_t ahead = kMagic.size() + 4;
  text.append(kAlignment - 1 - (ahead + text.size()) % kAlignment, ' ') += '\n';
  std::string header(kMagic);
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace anycl::command
