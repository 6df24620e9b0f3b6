/// \file  Moving elements between host and buffers, and between buffers. Layer 4 (memory).
///
/// All of these are ordered after earlier uses of the buffers, on any queue, and before later ones. Positions and counts
/// are in elements. None blocks unless it says so.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "anycl/context/queue.hpp"
#include "anycl/memory/buffer.hpp"

namespace anycl {

namespace detail {

/// \throws InvalidArgument  unless [first, first + count) lies within `size`.
ANYCL_API void check_elements(std::string_view verb, std::size_t first, std::size_t count, std::size_t size);

// Offsets and sizes in bytes, checked already. `keep` stays alive until the work is done.
ANYCL_API Event read_bytes(Queue& queue, const std::shared_ptr<Resource>& from, std::size_t offset,
                           std::span<std::byte> to);
ANYCL_API Event write_bytes(Queue& queue, const std::shared_ptr<Resource>& to, std::size_t offset,
                            std::span<const std::byte> from, std::shared_ptr<void> keep);
ANYCL_API Event copy_bytes(Queue& queue, const std::shared_ptr<Resource>& from, std::size_t from_offset,
                           const std::shared_ptr<Resource>& to, std::size_t to_offset, std::size_t size_bytes);
ANYCL_API Event fill_bytes(Queue& queue, const std::shared_ptr<Resource>& to, std::size_t offset,
                           std::size_t size_bytes, std::span<const std::byte> pattern);
ANYCL_API void read_bytes_now(const std::shared_ptr<Resource>& from, std::span<std::byte> to);

}  // namespace detail

/// Elements [first, first + host.size()) -> host. `host` is borrowed until the event completes.
/// \throws InvalidArgument  if the range ends past `size()`.
template <class T>
Event read(Queue& queue, const Buffer<T>& buffer, std::span<std::type_identity_t<T>> host, std::size_t first = 0) {
  detail::check_elements("read", first, host.size(), buffer.size());
  return detail::read_bytes(queue, buffer.storage(), first * sizeof(T), std::as_writable_bytes(host));
}

/// Host -> elements [first, first + host.size()). `host` is borrowed until the event completes.
/// \throws InvalidArgument  if the range ends past `size()`.
template <class T>
Event write(Queue& queue, Buffer<T>& buffer, std::span<const std::type_identity_t<T>> host, std::size_t first = 0) {
  detail::check_elements("write", first, host.size(), buffer.size());
  return detail::write_bytes(queue, buffer.storage(), first * sizeof(T), std::as_bytes(host), nullptr);
}

/// The same, but `host` is taken over and kept until the event completes.
template <class T>
Event write(Queue& queue, Buffer<T>& buffer, std::vector<T>&& host, std::size_t first = 0) {
  detail::check_elements("write", first, host.size(), buffer.size());
  const auto kept = std::make_shared<std::vector<T>>(std::move(host));
  return detail::write_bytes(queue, buffer.storage(), first * sizeof(T), std::as_bytes(std::span(*kept)), kept);
}

/// Elements [from_first, from_first + count) of `from` -> [to_first, to_first + count) of `to`.
/// \throws InvalidArgument  if a range ends past its buffer, or both are of one buffer and overlap.
template <class T>
Event copy(Queue& queue, const Buffer<T>& from, std::size_t from_first, Buffer<T>& to, std::size_t to_first,
           std::size_t count) {
  detail::check_elements("copy from", from_first, count, from.size());
  detail::check_elements("copy to", to_first, count, to.size());
  return detail::copy_bytes(queue, from.storage(), from_first * sizeof(T), to.storage(), to_first * sizeof(T),
                            count * sizeof(T));
}

/// All of `from` -> the beginning of `to`.
template <class T>
Event copy(Queue& queue, const Buffer<T>& from, Buffer<T>& to) {
  return copy(queue, from, 0, to, 0, from.size());
}

/// `value` -> elements [first, first + count).
/// \throws InvalidArgument  if the range ends past `size()`.
template <class T>
Event fill(Queue& queue, Buffer<T>& buffer, const std::type_identity_t<T>& value, std::size_t first,
           std::size_t count) {
  detail::check_elements("fill", first, count, buffer.size());
  return detail::fill_bytes(queue, buffer.storage(), first * sizeof(T), count * sizeof(T),
                            std::as_bytes(std::span(&value, 1)));
}

/// `value` -> all elements.
template <class T>
Event fill(Queue& queue, Buffer<T>& buffer, const std::type_identity_t<T>& value) {
  return fill(queue, buffer, value, 0, buffer.size());
}

/// All elements, after earlier uses of the buffer. Blocks. A buffer that was never written gives zeros.
/// \throws  the error of the work that should have written the buffer, if that failed.
template <class T>
[[nodiscard]] std::vector<T> to_host(const Buffer<T>& buffer) {
  std::vector<T> host(buffer.size());
  detail::read_bytes_now(buffer.storage(), std::as_writable_bytes(std::span(host)));
  return host;
}

}  // namespace anycl
