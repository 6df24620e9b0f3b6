#include "program/signature.hpp"

#include <algorithm>
#include <array>
#include <charconv>

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
std::size_t take_width(std::string_view& type) {
  const auto digits = type.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == type.size()) return 1;
  std::size_t width = 0;
  std::from_chars(type.data() + digits + 1, type.data() + type.size(), width);
  if (width != 2 && width != 3 && width != 4 && width != 8 && width != 16) return 1;
  type = type.substr(0, digits + 1);
  return width;
}

Parameter::Space to_space(cl_kernel_arg_address_qualifier qualifier) {
  switch (qualifier) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL: return Parameter::Space::global;
    case CL_KERNEL_ARG_ADDRESS_CONSTANT: return Parameter::Space::constant;
    case CL_KERNEL_ARG_ADDRESS_LOCAL: return Parameter::Space::local;
    case CL_KERNEL_ARG_ADDRESS_PRIVATE: return Parameter::Space::value;
    default: return Parameter::Space::other;
  }
}

std::optional<Parameter> read_parameter(cl_kernel kernel, cl_uint index) {
  const auto space = read_value<cl_kernel_arg_address_qualifier>(
      info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  const auto qualifier = read_value<cl_kernel_arg_type_qualifier>(
      info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER));
  const auto type = read_text(info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_TYPE_NAME));
  if (!space || !qualifier || !type) return std::nullopt;
  Parameter parameter;
  parameter.name = read_text(info(&clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_NAME)).value_or("");
  parameter.type = *type;
  parameter.space = to_space(*space);
  parameter.is_const = (*qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0;
  parameter.resolve_type();
  return parameter;
}

}  // namespace

void Parameter::resolve_type() {
  std::string_view word = type;
  while (!word.empty() && (word.back() == '*' || word.back() == ' ')) word.remove_suffix(1);
  const std::size_t width = take_width(word);
  const auto* found = std::find_if(kScalars.begin() + 1, kScalars.end(), [word](const ScalarFacts& entry) {
    return entry.word == word || entry.long_word == word;
  });
  scalar = found == kScalars.end() ? ScalarType::none : found->type;
  // A vector of three takes the room of four.
  size_bytes = scalar == ScalarType::none ? 0 : facts_of(scalar).size * (width == 3 ? 4 : width);
  if (width > 1 && space == Space::value) scalar = ScalarType::none;
}

Signature read_signature(cl_kernel kernel) {
  cl_uint count = 0;
  ANYCL_CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
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
std::size_t scalar_size(ScalarType type) noexcept { return facts_of(type).size; }

bool is_integer(ScalarType type) noexcept { return type >= ScalarType::boolean && type <= ScalarType::uint64; }

bool is_signed_integer(ScalarType type) noexcept {
  return type == ScalarType::int8 || type == ScalarType::int16 || type == ScalarType::int32 || type == ScalarType::int64;
}

}  // namespace anycl::detail
