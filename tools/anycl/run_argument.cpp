#include "run_argument.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "anycl/memory/transfer.hpp"
#include "npy.hpp"
#include "os_input_file.hpp"
#include "os_output_file.hpp"

namespace anycl::command {
namespace {

using Kind = ArgumentSpec::Kind;
using Space = ParameterInfo::Space;

constexpr std::size_t kLargestFile = std::size_t{16} << 30;
constexpr std::size_t kMostShown = 8;

/// S. Vigna's splitmix64: the same numbers from a seed on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t bits() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In [0, 1), and exact as a float.
  double fraction() noexcept { return static_cast<double>(bits() >> 40) * 0x1p-24; }

 private:
  std::uint64_t state_;
};

bool is_pointer(const ParameterInfo& parameter) {
  return parameter.space == Space::global || parameter.space == Space::constant;
}

/// The type that the kernel's own declaration gives.
std::optional<ElementType> declared_type(const ParameterInfo* parameter, bool of_buffer) {
  if (parameter == nullptr) return std::nullopt;
  return of_buffer ? pointee_type(parameter->type) : element_type(parameter->type);
}

/// "global float*", "image2d_t"
std::string declaration_of(const ParameterInfo& parameter) {
  const auto space = to_string(parameter.space);
  return space.empty() ? parameter.type : fmt::format("{} {}", space, parameter.type);
}

std::string what_lacks_type(const ParameterInfo* parameter) {
  return parameter == nullptr ? "the driver tells no types of this kernel"
                              : fmt::format("'{}' is no type of numbers that is known here", parameter->type);
}

/// Whether the elements of a buffer can be read as `wanted`, as a launch sees it: bytes can, others have size and kind in common.
bool can_be_read_as(ElementType wanted, ElementType given) {
  const std::size_t size = scalar_bytes(given.scalar);
  const bool half = given.scalar == detail::ScalarType::half || wanted.scalar == detail::ScalarType::half;
  return size == 1 ||
         (size == scalar_bytes(wanted.scalar) && (half || is_floating(given.scalar) == is_floating(wanted.scalar)));
}

/// Writes what `part` says, or tells why not.
void take_part(std::string_view part, detail::ScalarType scalar, std::span<std::byte> to) {
  const std::string word = to_string({scalar, 1});
  switch (write_number(part, scalar, to)) {
    case NumberText::fits:
      return;
    case NumberText::out_of_range:
      throw InvalidArgument(fmt::format("'{}' does not fit a {}: {}", part, word, range_text(scalar)));
    case NumberText::no_number:
      throw InvalidArgument(fmt::format("'{}' is no {}", part, word));
  }
}

/// Splits at commas.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (auto comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

RunArgument::RunArgument(Context& context, ArgumentSpec spec, const ParameterInfo* parameter)
    : spec_(std::move(spec)), name_(parameter == nullptr ? "" : parameter->name) {
  if (parameter != nullptr && parameter->space == Space::other)
    throw InvalidArgument(
        fmt::format("the kernel takes {}; 'anycl run' gives no images, samplers or pipes", parameter->type));
  if (spec_.kind == Kind::number) take_number(parameter);
  if (!spec_.is_buffer()) return;
  read_only_ = parameter != nullptr && (parameter->is_const || parameter->space == Space::constant);
  if (parameter != nullptr && !is_pointer(*parameter))
    throw InvalidArgument("a buffer is given where the kernel takes " + declaration_of(*parameter));
  const auto type = spec_.type ? spec_.type : declared_type(parameter, true);
  if (type) type_ = *type;
  if (!type && spec_.kind != Kind::npy && spec_.kind != Kind::raw)
    throw InvalidArgument(what_lacks_type(parameter) + "; write one ahead, such as float:zeros:1000");
  make_buffer(context);
  if (parameter != nullptr) check_elements(*parameter);
}

void RunArgument::check_elements(const ParameterInfo& parameter) const {
  const auto wanted = declared_type(&parameter, true);
  if (!wanted || can_be_read_as(*wanted, type_)) return;
  const bool is_array = spec_.kind == Kind::npy;
  throw InvalidArgument(fmt::format("{} numbers of type {}, but the kernel takes {}{}",
                                    is_array ? spec_.value + " holds" : "these are", to_string({type_.scalar, 1}),
                                    declaration_of(parameter),
                                    is_array ? "; save it with numpy's astype() first" : ""));
}

void RunArgument::take_number(const ParameterInfo* parameter) {
  if (parameter != nullptr && parameter->space != Space::value)
    throw InvalidArgument("a number is given where the kernel takes " + declaration_of(*parameter));
  const auto type = spec_.type ? spec_.type : declared_type(parameter, false);
  if (!type)
    throw InvalidArgument(what_lacks_type(parameter) +
                          "; write one ahead, such as int:3, unless it is a struct: 'anycl run' gives none");
  type_ = *type;
  if (type_.scalar == detail::ScalarType::half) throw InvalidArgument("numbers of type half cannot be given");
  const auto parts = parts_of(spec_.value);
  if (parts.size() != 1 && parts.size() != type_.lanes)
    throw InvalidArgument(fmt::format("{} numbers are given for a {}", parts.size(), to_string(type_)));
  contents_.resize(element_bytes(type_));
  const std::size_t each = scalar_bytes(type_.scalar);
  for (std::size_t i = 0; i < type_.lanes; ++i) {
    const std::string_view part = parts[parts.size() == 1 ? 0 : i];
    take_part(part, type_.scalar, std::span(contents_).subspan(i * each));
  }
}

void RunArgument::make_buffer(Context& context) {
  if (spec_.kind == Kind::npy || spec_.kind == Kind::raw) {
    fill(read_file(spec_.value, kLargestFile));
    buffer_.emplace(context, std::span<const std::byte>(contents_));
    return;
  }
  const std::size_t each = element_bytes(type_);
  if (spec_.size > std::numeric_limits<std::ptrdiff_t>::max() / each)
    throw InvalidArgument(fmt::format("{} elements of {} bytes are more than any memory", spec_.size, each));
  static_cast<void>(Buffer<std::byte>(context, spec_.size * each));  // refused before the host's memory is taken
  generate();
  buffer_.emplace(context, std::span<const std::byte>(contents_));
}

void RunArgument::fill(const std::vector<std::uint8_t>& file) {
  std::size_t offset = 0;
  if (spec_.kind == Kind::npy) {
    try {
      NpyHeader header = parse_npy(file);
      offset = header.data_offset;
      shape_ = std::move(header.shape);
      if (header.scalar != type_.scalar) type_ = {header.scalar, 1};
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("{}: {}", spec_.value, error.what()));
    }
  }
  const auto bytes = std::as_bytes(std::span(file)).subspan(offset);
  contents_.assign(bytes.begin(), bytes.end());
  if (spec_.kind == Kind::npy && type_.lanes == 3) spread_threes();
  if (contents_.size() % element_bytes(type_) != 0)
    throw InvalidArgument(
        fmt::format("{}: its {} bytes are no whole number of {}", spec_.value, contents_.size(), to_string(type_)));
  if (type_.scalar == detail::ScalarType::none && spec_.output.ends_with(".npy"))
    throw InvalidArgument(
        fmt::format("{} needs a type; write one ahead, such as float:raw:{}", spec_.output, spec_.value));
}

void RunArgument::spread_threes() {
  const std::size_t last = shape_.empty() ? 0 : shape_.back();
  if (last == 4) return;  // with the fourth numbers, as in memory
  if (last != 3)
    throw InvalidArgument(
        fmt::format("{}: its last dimension is not 3, which {} needs", spec_.value, to_string(type_)));
  const std::size_t each = 3 * scalar_bytes(type_.scalar);
  std::vector<std::byte> spread(contents_.size() / each * element_bytes(type_));
  for (std::size_t i = 0; i < contents_.size() / each; ++i) {
    const auto three = std::span(contents_).subspan(i * each, each);
    std::copy(three.begin(), three.end(), std::span(spread).subspan(i * element_bytes(type_)).begin());
  }
  contents_ = std::move(spread);
}

std::vector<std::byte> RunArgument::saved_bytes() const {
  const bool in_threes = type_.lanes == 3 && (shape_.empty() || shape_.back() == 3);
  if (!in_threes || !spec_.output.ends_with(".npy")) return contents_;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < numbers(); ++i) {
    const auto number = number_at(i).first(scalar_bytes(type_.scalar));
    bytes.insert(bytes.end(), number.begin(), number.end());
  }
  return bytes;
}

void RunArgument::generate() {
  const bool floating = is_floating(type_.scalar);
  contents_.resize(spec_.size * element_bytes(type_));
  if (spec_.kind == Kind::zeros) return;
  if (type_.scalar == detail::ScalarType::half)
    throw InvalidArgument("halves are made by zeros: or read from a file only");
  Random random(spec_.seed);
  for (std::size_t i = 0; i < numbers(); ++i) {
    const auto to = std::span(contents_).subspan(offset_of(i));
    const bool counts = spec_.kind == Kind::iota;
    if (floating)
      write_value(counts ? static_cast<double>(i) : random.fraction(), type_.scalar, to);
    else
      write_bits(counts ? i : random.bits(), type_.scalar, to);
  }
}

detail::BoundArgument RunArgument::bound() const {
  if (spec_.kind == Kind::null) return detail::bind_argument(nullptr);
  if (spec_.kind == Kind::local) return detail::bind_argument(LocalMemory{spec_.size});
  detail::BoundArgument bound;
  if (!buffer_) {
    if (type_.lanes == 1) bound.type.scalar = type_.scalar;  // vectors are compared by size
    bound.size_bytes = contents_.size();
    bound.data = contents_.data();
    return bound;
  }
  bound = bind_argument(*buffer_);
  if (type_.scalar == detail::ScalarType::none) return bound;  // bytes, which fit any parameter
  bound.type.scalar = type_.scalar;
  bound.size_bytes = scalar_bytes(type_.scalar);
  return bound;
}

void RunArgument::restore(Queue& queue) {
  if (is_result()) write(queue, *buffer_, contents_);
}

void RunArgument::fetch() {
  if (buffer_) contents_ = to_host(*buffer_);
}

void RunArgument::save() const {
  const bool as_npy = spec_.output.ends_with(".npy");
  std::string header;
  if (as_npy) {
    std::vector<std::size_t> shape = shape_.empty() ? std::vector{elements()} : shape_;
    if (shape_.empty() && type_.lanes > 1) shape.push_back(type_.lanes);
    header = npy_header(type_.scalar, shape);
  }
  OutputFile file(spec_.output);
  if (std::fwrite(header.data(), 1, header.size(), file.stream()) != header.size()) file.fail(errno);
  const std::vector<std::byte> bytes = saved_bytes();
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.stream()) != bytes.size()) file.fail(errno);
  file.commit();
}

std::size_t RunArgument::elements() const {
  return type_.scalar == detail::ScalarType::none ? contents_.size() : contents_.size() / element_bytes(type_);
}

std::size_t RunArgument::numbers() const { return contents_.size() / element_bytes(type_) * type_.lanes; }

std::size_t RunArgument::offset_of(std::size_t number) const {
  return (number / type_.lanes * detail::room_of(type_.lanes) + number % type_.lanes) * scalar_bytes(type_.scalar);
}

std::size_t RunArgument::shown() const { return std::min(kMostShown, numbers()); }

std::span<const std::byte> RunArgument::number_at(std::size_t index) const {
  return std::span(contents_).subspan(offset_of(index));
}

std::string RunArgument::type_text() const {
  if (spec_.kind == Kind::null) return "null";
  if (spec_.kind == Kind::local) return fmt::format("{} bytes of local memory", spec_.size);
  const std::string word = type_.scalar == detail::ScalarType::none ? "byte" : to_string(type_);
  return buffer_ ? fmt::format("{}[{}]", word, elements()) : word;
}

std::string RunArgument::values_text() const {
  std::string text;
  for (std::size_t i = 0; i < shown(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " ", number_text(type_.scalar, number_at(i)));
  return shown() < numbers() ? text + " ..." : text;
}

Json RunArgument::describe() const {
  Json document{{"name", name_.empty() ? Json(nullptr) : Json(name_)}, {"type", type_text()}};
  document["values"] = Json::array();
  for (std::size_t i = 0; i < shown(); ++i) document["values"].push_back(number_json(type_.scalar, number_at(i)));
  document["changed"] = is_result();
  document["saved"] = spec_.output.empty() ? Json(nullptr) : Json(spec_.output);
  return document;
}

}  // namespace anycl::command
