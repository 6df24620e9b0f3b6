#include "program/signature.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "device/check.hpp"
#include "device/info.hpp"

namespace anycl::detail {
namespace {

struct ScalarFacts {
  ScalarType type;
  std::string_view word;
  std::string_view long_word;  ///< the other spelling drivers use
  std::size_t size;
};

// Sorted as the enumeration. OpenCL C's `char` is signed and `long` has 64 bits on every device.
constexpr std::array kScalars{
    ScalarFacts{ScalarType::none, "struct", "struct", 0},
    ScalarFacts{ScalarType::boolean, "bool", "bool", 1},
    ScalarFacts{ScalarType::int8, "char", "signed char", 1},
    ScalarFacts{ScalarType::uint8, "uchar", "unsigned char", 1},
    ScalarFacts{ScalarType::int16, "short", "signed short", 2},
    ScalarFacts{ScalarType::uint16, "ushort", "unsigned short", 2},
    ScalarFacts{ScalarType::int32, "int", "signed int", 4},
    ScalarFacts{ScalarType::uint32, "uint", "unsigned int", 4},
    ScalarFacts{ScalarType::int64, "long", "signed long", 8},
    ScalarFacts{ScalarType::uint64, "ulong", "unsigned long", 8},
    ScalarFacts{ScalarType::half, "half", "half", 2},
    ScalarFacts{ScalarType::float32, "float", "float", 4},
    ScalarFacts{ScalarType::float64, "double", "double", 8},
};

const ScalarFacts& facts_of(ScalarType type) { return kScalars[static_cast<std::size_t>(type)]; }

/// Cuts a vector width off the end of "float4"; 1 when there is none.
std::uint8_t take_width(std::string_view& type) {
  const auto digits = type.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == type.size()) return 1;
  std::uint8_t width = 0;
  std::from_chars(type.data() + digits + 1, type.data() + type.size(), width);
  if (width != 2 && width != 3 && width != 4 && width != 8 && width != 16) return 1;
  type = type.substr(0, digits + 1);
  return width;
}

Parameter::Space to_space(cl_kernel_arg_address_qualifier qualifier) {
  switch (qualifier) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL:
      return Parameter::Space::global;
    case CL_KERNEL_ARG_ADDRESS_CONSTANT:
      return Parameter::Space::constant;
    case CL_KERNEL_ARG_ADDRESS_LOCAL:
      return Parameter::Space::local;
    case CL_KERNEL_ARG_ADDRESS_PRIVATE:
      return Parameter::Space::value;
    default:
      return Parameter::Space::other;
  }
}

/// The last word of a type, without "read_only" and the like before it.
std::string_view last_word(std::string_view type) { return type.substr(type.find_last_of(' ') + 1); }

/// Images, samplers and what else is neither a value nor memory. A program may name its own types much like them.
bool is_opaque(std::string_view type) {
  constexpr std::array<std::string_view, 6> kWords{"sampler_t",   "event_t",      "queue_t",
                                                   "clk_event_t", "reserve_id_t", "pipe"};
  if (type.starts_with("pipe ")) return true;
  const std::string_view word = last_word(type);
  if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
  constexpr std::array<std::string_view, 3> kImages{"image1d_", "image2d_", "image3d_"};
  return word.ends_with("_t") && std::any_of(kImages.begin(), kImages.end(),
                                             [word](std::string_view image) { return word.starts_with(image); });
}

/// True for images and pipes, whatever name their type has.
bool has_access(cl_kernel kernel, cl_uint index, cl_kernel_arg_type_qualifier qualifier) {
  const auto access = read_value<cl_kernel_arg_access_qualifier>(
      info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER));
  return (qualifier & CL_KERNEL_ARG_TYPE_PIPE) != 0 ||
         access.value_or(CL_KERNEL_ARG_ACCESS_NONE) != CL_KERNEL_ARG_ACCESS_NONE;
}

std::optional<Parameter> read_parameter(cl_kernel kernel, cl_uint index) {
  const auto space = read_value<cl_kernel_arg_address_qualifier>(
      info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  const auto qualifier =
      read_value<cl_kernel_arg_type_qualifier>(info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER));
  const auto type = read_text(info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_TYPE_NAME));
  if (!space || !qualifier || !type) return std::nullopt;
  Parameter parameter;
  parameter.name = read_text(info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_NAME)).value_or("");
  parameter.type = *type;
  parameter.space = has_access(kernel, index, *qualifier) ? Parameter::Space::other : to_space(*space);
  parameter.is_const = (*qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0;
  parameter.resolve_type();
  return parameter;
}

}  // namespace

void Parameter::resolve_type() {
  if (is_opaque(type)) space = Space::other;
  std::string_view word = type;
  while (!word.empty() && (word.back() == '*' || word.back() == ' ')) word.remove_suffix(1);
  const std::uint8_t width = take_width(word);
  const auto* found = std::find_if(kScalars.begin() + 1, kScalars.end(), [word](const ScalarFacts& entry) {
    return entry.word == word || entry.long_word == word;
  });
  element = {};
  size_bytes = 0;
  if (found == kScalars.end()) return;
  element = {found->type, width};
  size_bytes = found->size * room_of(width);
}

Signature read_signature(cl_kernel kernel, std::string_view name, const Device& device) {
  constexpr cl_uint kMostArguments = 65536;  // many times what the parameter memory of any device holds
  cl_uint count = 0;
  ANYCL_CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
  if (count > kMostArguments)
    throw Unsupported(fmt::format("kernel '{}' on {}: the driver counts {} arguments; at most {} are supported", name,
                                  device.name(), count, kMostArguments));
  Signature signature;
  signature.described = true;
  for (cl_uint i = 0; i < count; ++i) {
    auto parameter = read_parameter(kernel, i);
    if (!parameter) return {std::vector<Parameter>(count), false};
    signature.parameters.push_back(std::move(*parameter));
  }
  return signature;
}

std::string_view scalar_word(ScalarType type) noexcept { return facts_of(type).word; }

std::string type_word(ElementType type) {
  return type.lanes == 1 ? std::string(scalar_word(type.scalar))
                         : fmt::format("{}{}", scalar_word(type.scalar), type.lanes);
}

std::size_t scalar_size(ScalarType type) noexcept { return facts_of(type).size; }

bool is_integer(ScalarType type) noexcept { return type >= ScalarType::boolean && type <= ScalarType::uint64; }

bool is_signed_integer(ScalarType type) noexcept {
  return type == ScalarType::int8 || type == ScalarType::int16 || type == ScalarType::int32 ||
         type == ScalarType::int64;
}

}  // namespace anycl::detail
