/// \file  Handles that were made through the layer, with the references that the application has to them.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "entries.hpp"
#include "handle_types.hpp"

namespace anycl::test_layer {

/// Handles that came another way (from an extension's function) are not known, and nothing is said of them.
class Handles {
 public:
  /// Never destroyed.
  [[nodiscard]] static Handles& instance();

  /// The application was given a new handle by the call of that number.
  template <CountedHandle Handle>
  void made(Handle handle, Entry by, std::uint64_t call) {
    if (handle != nullptr) add(type_of(handle), handle, by, call);
  }

  template <CountedHandle Handle>
  void retained(Handle handle) {
    change(type_of(handle), handle, +1);
  }

  /// False for a release too many. To be called before the driver is: afterwards another thread may have been given the
  /// same address.
  template <CountedHandle Handle>
  [[nodiscard]] bool released(Handle handle) {
    return change(type_of(handle), handle, -1);
  }

  /// So many have references left.
  [[nodiscard]] std::int64_t live(HandleType type) const;

  /// Queues that have references left.
  [[nodiscard]] std::vector<cl_command_queue> live_queues() const;

  /// "2 buffers (3 references), the first from call 17, clCreateBuffer", or nothing when none is left.
  [[nodiscard]] std::string leak_of(HandleType type) const;

 private:
  /// Kept when the references are gone, to tell a release too many from an unknown handle.
  struct Origin {
    std::int64_t references;
    Entry by;
    std::uint64_t call;
  };
  using Origins = std::unordered_map<const void*, Origin>;

  void add(HandleType type, const void* handle, Entry by, std::uint64_t call);
  bool change(HandleType type, const void* handle, std::int64_t references);

  mutable std::mutex mutex_;
  std::array<Origins, kHandleTypeNames.size()> origins_;
  std::array<std::int64_t, kHandleTypeNames.size()> live_{};
};

}  // namespace anycl::test_layer
