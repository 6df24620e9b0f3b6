/// \file  Plain OpenCL for the layer's own tests: nothing of anycl between them and the layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <CL/cl_icd.h>

namespace anycl::test {

/// The loader's functions; entries that the layer does not wrap are null.
[[nodiscard]] const cl_icd_dispatch& cl();

// clang-format off
inline void release(cl_context handle) { cl().clReleaseContext(handle); }
inline void release(cl_command_queue handle) { cl().clReleaseCommandQueue(handle); }
inline void release(cl_mem handle) { cl().clReleaseMemObject(handle); }
inline void release(cl_program handle) { cl().clReleaseProgram(handle); }
inline void release(cl_kernel handle) { cl().clReleaseKernel(handle); }
inline void release(cl_event handle) { cl().clReleaseEvent(handle); }
// clang-format on

/// One reference to an OpenCL object, or none.
template <class Handle>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() { reset(); }

  operator Handle() const { return handle_; }

  /// For calls that give a handle back through a pointer.
  [[nodiscard]] Handle* out() {
    reset();
    return &handle_;
  }
  void reset() {
    if (handle_ != nullptr) release(std::exchange(handle_, nullptr));
  }
  [[nodiscard]] Handle leak() { return std::exchange(handle_, nullptr); }

 private:
  Handle handle_ = nullptr;
};

/// The first device that the process sees, with a context and a queue of its own. All functions throw where OpenCL fails.
struct RawRig {
  explicit RawRig(cl_command_queue_properties properties = 0);

  [[nodiscard]] Owned<cl_mem> buffer(std::size_t size_bytes) const;
  [[nodiscard]] Owned<cl_mem> buffer_of(const std::vector<std::uint32_t>& content) const;
  [[nodiscard]] Owned<cl_command_queue> another_queue(cl_command_queue_properties properties = 0) const;
  [[nodiscard]] Owned<cl_program> program(const std::string& source) const;

  /// Does not block.
  [[nodiscard]] Owned<cl_event> write(cl_command_queue to, cl_mem buffer, const std::uint32_t& value) const;

  /// Blocks.
  [[nodiscard]] std::uint32_t read(cl_mem buffer) const;

  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  Owned<cl_context> context;
  Owned<cl_command_queue> queue;
};

/// \throws std::runtime_error  unless it is CL_SUCCESS.
void check(cl_int code, const char* what);

[[nodiscard]] Owned<cl_kernel> make_kernel(cl_program program, const char* name);

/// One value of a query, such as a number.
template <class Value, class Call, class... Objects>
[[nodiscard]] Value info(Call call, cl_uint param, Objects... objects) {
  Value value{};
  check(call(objects..., param, sizeof(value), &value, nullptr), "info");
  return value;
}

/// The bytes of an answer, whatever they are.
template <class Call, class... Objects>
[[nodiscard]] std::string info_bytes(Call call, cl_uint param, Objects... objects) {
  std::size_t size = 0;
  check(call(objects..., param, 0, nullptr, &size), "size of info");
  std::string bytes(size, '?');
  check(call(objects..., param, size, bytes.data(), nullptr), "info");
  return bytes;
}

/// A text without its NUL.
template <class Call, class... Objects>
[[nodiscard]] std::string info_text(Call call, cl_uint param, Objects... objects) {
  return info_bytes(call, param, objects...).c_str();
}

[[nodiscard]] cl_int status_of(cl_event event);

}  // namespace anycl::test
