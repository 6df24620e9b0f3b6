/// \file  All that a kernel source holds. Layer 3 (program).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "anycl/base/build_message.hpp"
#include "anycl/context/context.hpp"
#include "anycl/export.hpp"
#include "anycl/program/build_options.hpp"
#include "anycl/program/kernel.hpp"
#include "anycl/program/preparation.hpp"
#include "anycl/program/source.hpp"

namespace anycl {

namespace detail {
class ProgramCore;
}

/// A source for all devices of a context, for those who want to know what is in it: to launch a kernel of a known name, a
/// `Kernel` is enough. Builds as that does, when something is first asked for a device, and shares its builds and caches.
/// What asks for a device builds first, if need be: it throws as `Preparation::wait()`, and InvalidArgument when the device
/// is not of the context.
/// A cheap handle: copies share what was built. Immutable; any thread.
class ANYCL_API Program {
 public:
  /// \throws InvalidArgument  as Kernel's constructor.
  Program(Context& context, const Source& source, const BuildOptions& options = {});

  /// Begins to build for all devices of the context, on threads of the library, and returns at once.
  /// \throws Unsupported  when a device lacks what the options ask for.
  Preparation prepare() const;

  /// The same for some of them.
  /// \throws InvalidArgument  when one is not of the context.
  Preparation prepare(std::span<const Device> devices) const;
  Preparation prepare(const Device& device) const { return prepare(std::span(&device, 1)); }

  /// Names of the kernels, in the driver's order; the preprocessor may leave another set to each device.
  /// \throws Unsupported  when the driver does not tell them.
  [[nodiscard]] std::vector<std::string> kernel_names(const Device& device) const;

  /// The kernel of that name, which is the same as one made from source, name and options. Builds nothing.
  [[nodiscard]] Kernel kernel(std::string name) const;

  /// What the compiler said of the source that it built: warnings and notes, with their places and lines. The disk cache keeps
  /// them with the build. Mesa's rusticl tells nothing of a build that works; PoCL takes
  /// what it said, or did not say, from a cache of its own when it has built the same code before, whatever its file was.
  [[nodiscard]] std::vector<BuildMessage> messages(const Device& device) const;

  /// What the driver makes of the source, in a format of its own: an ELF file, assembly, bitcode. Some drivers take a second
  /// to give it, keep launches of the program waiting meanwhile, and compile a part only at the first launch.
  /// \throws Unsupported  when the driver gives none.
  [[nodiscard]] std::vector<std::byte> binary(const Device& device) const;

 private:
  std::shared_ptr<detail::ProgramCore> core_;
};

}  // namespace anycl
