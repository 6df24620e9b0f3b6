/// \file  The kernels that a program declares, read from its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <CL/cl.h>

#include "nd_range.hpp"
#include "program_text.hpp"

namespace anycl::stub {

struct Parameter {
  std::string name;
  std::string type;  ///< "float*", "uint", "pair_t"
  cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
  cl_kernel_arg_type_qualifier qualifiers = CL_KERNEL_ARG_TYPE_NONE;
  bool is_pointer = false;
  std::size_t size_bytes = 0;  ///< of a value; 0 where its type is known by name only

  [[nodiscard]] bool is_local() const noexcept { return space == CL_KERNEL_ARG_ADDRESS_LOCAL; }
  /// True where the argument is a memory object.
  [[nodiscard]] bool is_memory() const noexcept { return is_pointer && !is_local(); }
};

struct KernelDeclaration {
  std::string name;
  std::vector<Parameter> parameters;
  std::string attributes;       ///< "reqd_work_group_size(8,1,1)"
  Sizes required_group{};       ///< zeros: none
  std::size_t local_bytes = 0;  ///< of arrays that it declares
  std::vector<Token> body;      ///< without its braces
};

struct ProgramDeclarations {
  std::vector<KernelDeclaration> kernels;
  std::map<std::string, std::int64_t> constants;  ///< `constant int name = 5;`
};

/// \throws SourceError  for a kernel without a name or without parentheses.
[[nodiscard]] ProgramDeclarations read_declarations(const std::vector<Token>& tokens);

}  // namespace anycl::stub
