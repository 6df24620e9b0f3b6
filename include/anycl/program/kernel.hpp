/// \file  A function of a kernel source. Layer 3 (program).
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "anycl/context/context.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/export.hpp"
#include "anycl/program/build_options.hpp"
#include "anycl/program/kernel_info.hpp"
#include "anycl/program/preparation.hpp"
#include "anycl/program/source.hpp"

namespace anycl {

namespace detail {
class KernelCore;
}

/// One kernel for all devices of a context. Nothing is built here: each device builds it when a launch first needs it
/// there, or `prepare()` asks for it; once however many threads ask. The caches keep it. Carries no arguments.
/// A cheap handle: copies share what was built. Immutable; any thread.
class ANYCL_API Kernel {
 public:
  /// `name` is the kernel function's name in `source`.
  /// \throws InvalidArgument  for source that includes itself, or whose text could reach files that are not the source's.
  ///                          An `#include` that is nowhere to be found is a BuildError where the compiler gets to it. For a
  ///                          SPIR-V module with definitions or a language.
  Kernel(Context& context, const Source& source, std::string name, const BuildOptions& options = {});

  /// The same for the context that `queue` belongs to.
  /// \throws Cancelled  when that context is gone.
  Kernel(const Queue& queue, const Source& source, std::string name, const BuildOptions& options = {});

  /// A variant: the same kernel with further definitions, `{{"RADIUS", 3}, {"T", type<float>}}`, which replace those of
  /// their names. Neither reads the source again nor builds; equal variants, and kernels made with the same options, share
  /// their builds. Errors of its build name the definitions.
  /// \throws InvalidArgument  for a kernel of a SPIR-V module, whose macros are gone.
  [[nodiscard]] Kernel specialise(std::initializer_list<Definition> definitions) const;
  [[nodiscard]] Kernel specialise(std::span<const Definition> definitions) const;

  [[nodiscard]] const std::string& name() const noexcept;

  /// Begins to build it for all devices of the context, on threads of the library, and returns at once. A launch that comes
  /// before the end waits for it.
  /// \throws Unsupported  when a device lacks what the options ask for.
  Preparation prepare() const;

  /// The same for some of them.
  /// \throws InvalidArgument  when one is not of the context.
  Preparation prepare(std::span<const Device> devices) const;
  Preparation prepare(const Device& device) const { return prepare(std::span(&device, 1)); }

  /// What the compiler of `device` made of it; builds it for that device first, if need be.
  /// \throws  as `Preparation::wait()`; InvalidArgument when `device` is not of the context.
  [[nodiscard]] KernelInfo info(const Device& device) const;

  /// A local size for `global` work-items that divides it in each dimension and suits the device; what the kernel requires,
  /// if it does. Builds as `info()`, and throws the same.
  [[nodiscard]] Extents suggested_local_size(const Device& device, const Extents& global) const;

  /// Library internals; not part of the API.
  [[nodiscard]] const std::shared_ptr<detail::KernelCore>& core() const noexcept { return core_; }

 private:
  friend class Program;
  explicit Kernel(std::shared_ptr<detail::KernelCore> core) noexcept : core_(std::move(core)) {}

  std::shared_ptr<detail::KernelCore> core_;
};

}  // namespace anycl
