/// \file  Kernels that the stub can run: C++ functions found by the text of the kernel they stand for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel_declaration.hpp"
#include "nd_range.hpp"

namespace anycl::stub {

/// An argument as a kernel command keeps it.
struct BoundArgument {
  std::array<std::byte, 16> small{};  ///< a value of up to 16 bytes, which most are
  std::vector<std::byte> large;       ///< a longer one
  std::byte* memory = nullptr;        ///< of a memory object; null for a null one
  std::size_t local_bytes = 0;

  [[nodiscard]] const std::byte* value() const noexcept { return large.empty() ? small.data() : large.data(); }
};

/// One command, as a function here sees it.
struct Launch {
  NdRange range;
  std::vector<BoundArgument> arguments;
  std::vector<std::int64_t> literals;  ///< what stood where the line of the table has `#`
};

using BuiltinFunction = void (*)(const Launch&);

struct Builtin {
  BuiltinFunction run;
  std::vector<std::int64_t> literals;
};

/// The function that stands for `kernel`; null when the stub knows none, and the kernel does nothing.
[[nodiscard]] std::unique_ptr<const Builtin> find_builtin(const KernelDeclaration& kernel,
                                                          const ProgramDeclarations& program);

}  // namespace anycl::stub
