/// \file  Typed memory shared by all devices of a context. Layer 4 (memory).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "anycl/context/context.hpp"
#include "anycl/context/queue.hpp"
#include "anycl/context/resource.hpp"
#include "anycl/export.hpp"
#include "anycl/program/argument.hpp"

namespace anycl {

namespace detail {
/// `host` null: uninitialized. \throws OutOfMemory
[[nodiscard]] ANYCL_API std::shared_ptr<Resource> make_storage(Context& context, std::size_t count,
                                                               std::size_t element_bytes, const void* host);
[[nodiscard]] ANYCL_API std::shared_ptr<Resource> make_storage(const Queue& queue, std::size_t count,
                                                               std::size_t element_bytes);
}  // namespace detail

/// `size()` elements of `T` that every device of one context sees coherently: what one device wrote, a later use on
/// another finds there. Within one driver nothing is copied for that; between drivers the contents move through the host
/// when they are needed, and the call that needs them blocks for it.
/// Move-only; contents start uninitialized. Destroying a buffer with work pending is safe and does not wait.
/// Thread safety: any thread may launch with, read or write a buffer; moving and destroying are exclusive.
/// Source: OpenCL 3.0 API, clCreateBuffer (one native memory object per native context, made on first use).
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device elements are copied as bytes");
  static_assert(!std::is_const_v<T>, "a buffer of const elements could never be written");

 public:
  /// `count` elements (not bytes); 0 is legal. No device memory is taken before first use.
  /// \throws OutOfMemory  when no device of `context` could ever hold it; names the bytes asked and the limit.
  Buffer(Context& context, std::size_t count)
      : size_(count), storage_(detail::make_storage(context, count, sizeof(T), nullptr)) {}

  /// The same in the context that `queue` belongs to.
  /// \throws Cancelled  when that context is gone.
  Buffer(const Queue& queue, std::size_t count)
      : size_(count), storage_(detail::make_storage(queue, count, sizeof(T))) {}

  /// A copy of `host`, made before this returns.
  /// \throws OutOfMemory
  Buffer(Context& context, std::span<const T> host)
      : size_(host.size()), storage_(detail::make_storage(context, host.size(), sizeof(T), host.data())) {}

  /// Leaves `other` empty.
  Buffer(Buffer&& other) noexcept : size_(std::exchange(other.size_, 0)), storage_(std::move(other.storage_)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(storage_, other.storage_);
    return *this;
  }

  /// Elements, not bytes.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }

  /// Library internals; not part of the API.
  [[nodiscard]] const std::shared_ptr<detail::Resource>& storage() const noexcept { return storage_; }

  friend detail::BoundArgument bind_argument(const Buffer& buffer) noexcept {
    return {detail::BoundArgument::Kind::resource,
            detail::element_type<T>,
            sizeof(T),
            nullptr,
            buffer.storage_.get(),
            alignof(T),
            detail::description_of<T>()};
  }

 private:
  std::size_t size_;
  std::shared_ptr<detail::Resource> storage_;
};

}  // namespace anycl
