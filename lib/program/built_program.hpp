/// \file  A source built for one device. Layer 3 (program).
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/base/build_message.hpp"
#include "anycl/program/source.hpp"
#include "context/native_context.hpp"
#include "program/build_input.hpp"
#include "program/cache_entry.hpp"
#include "program/kernel_facts.hpp"
#include "program/kernel_pool.hpp"

namespace anycl::detail {

class BuiltProgram;

/// One kernel function of a built program: what a launch must know, and native kernels to launch with.
struct BuiltKernel : KernelFacts {
  BuiltKernel(BuiltProgram& owner, cl_program native, const std::string& kernel_name, const Lifetime& lifetime)
      : program(owner), pool(native, kernel_name, lifetime) {}

  BuiltProgram& program;
  KernelPool pool;
};

class BuiltProgram {
 public:
  /// What a compiler gave.
  struct Compiled {
    cl_int code = CL_SUCCESS;  ///< of the build
    std::string log;
    cl::Program handle;
  };

  /// \throws ClError, OutOfMemory  when the compiler is not reached
  /// \throws Unsupported           for a module that the device does not take
  [[nodiscard]] static Compiled compile(NativeContext& context, const Device& device, const CompilerInput& input,
                                        const std::string& options);

  /// Compiles. \throws BuildError, Unsupported
  [[nodiscard]] static std::shared_ptr<BuiltProgram> from_source(std::shared_ptr<NativeContext> context,
                                                                 const Device& device, const BuildInput& input,
                                                                 const std::string& options);

  /// Null when the driver refuses the binary, however and whenever it does.
  [[nodiscard]] static std::shared_ptr<BuiltProgram> from_entry(std::shared_ptr<NativeContext> context,
                                                                const Device& device, const Source& source,
                                                                CacheEntry entry, const std::string& options);

  /// `messages`: what the compiler said of the source, without excerpts.
  BuiltProgram(std::shared_ptr<NativeContext> context, Device device, std::string_view source_name, cl::Program handle,
               std::vector<BuildMessage> messages);
  ~BuiltProgram();
  BuiltProgram(const BuiltProgram&) = delete;
  BuiltProgram& operator=(const BuiltProgram&) = delete;

  [[nodiscard]] const std::string& source_name() const noexcept { return source_name_; }

  /// \throws InvalidArgument  when the source has no such kernel; lists what it has.
  [[nodiscard]] BuiltKernel& kernel(const std::string& name);

  /// Nothing when the driver refuses to tell.
  [[nodiscard]] std::optional<std::vector<std::string>> kernel_names() const;

  /// What the compiler said, whether it was asked now or the build comes from the disk cache. Without excerpts.
  [[nodiscard]] const std::vector<BuildMessage>& messages() const noexcept { return messages_; }

  /// Empty when the driver gives none. Slow on some drivers, and see DriverFaults::binary_query_blocks.
  [[nodiscard]] std::vector<std::byte> binary() const;

  /// Of all its kernels, by name.
  [[nodiscard]] std::map<std::string, KernelFacts> facts();

  /// What to store on disk; nothing when the driver gives no binary.
  [[nodiscard]] std::optional<CacheEntry> make_entry();

  /// Changes while kernels of the program are launched.
  [[nodiscard]] std::uint64_t uses();

  /// True where `make_entry()` should wait until the program is not in use.
  [[nodiscard]] bool entry_blocks() const noexcept;

  /// True for one caller, the first: the program's binary is complete only after a launch.
  [[nodiscard]] bool first_launch() noexcept {
    return awaits_launch.load(std::memory_order_relaxed) && awaits_launch.exchange(false, std::memory_order_relaxed);
  }

  std::atomic<bool> awaits_launch{false};  ///< set where somebody wants to know of the first launch

  /// Whether an entry, maybe an incomplete one, is on disk.
  [[nodiscard]] bool entry_is_stored() const noexcept { return entry_is_stored_.load(std::memory_order_relaxed); }
  void note_stored_entry() noexcept { entry_is_stored_.store(true, std::memory_order_relaxed); }

 private:
  [[nodiscard]] std::unique_ptr<BuiltKernel> describe_kernel(const std::string& name);
  std::shared_ptr<NativeContext> context_;
  Device device_;
  std::string source_name_;
  cl::Program handle_;
  std::vector<BuildMessage> messages_;
  std::map<std::string, KernelFacts> stored_facts_;
  std::atomic<bool> entry_is_stored_{false};
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<BuiltKernel>> kernels_;
};

}  // namespace anycl::detail
