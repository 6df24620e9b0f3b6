// Bytes moved and found where they should be.
#include <cstdint>
#include <numeric>

#include "anycl/memory/transfer.hpp"
#include "anycl/program/launch.hpp"
#include "self_test/tests.hpp"
#include "self_test_kernels.hpp"

namespace anycl::command::self_test {
namespace {

using Byte = std::uint8_t;

std::vector<Byte> pattern(std::size_t size) {
  std::vector<Byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<Byte>(i * 37 + i / 251 + 1);
  return bytes;
}

/// Writes, copies, fills and reads `size` bytes at places that no word begins at.
Outcome move_bytes(Rig& rig, std::size_t size) {
  constexpr std::size_t kAt = 3;
  constexpr std::size_t kCopyAt = 5;
  constexpr std::size_t kRoom = 32;
  const std::vector<Byte> bytes = pattern(size);
  Buffer<Byte> source(rig.context, size + kRoom);
  Buffer<Byte> target(rig.context, size + kRoom);
  fill(rig.queue, source, 0);
  fill(rig.queue, target, 0);
  write(rig.queue, source, std::span(bytes), kAt).wait();
  copy(rig.queue, source, kAt, target, kCopyAt, size);
  fill(rig.queue, target, 0xAB, kCopyAt + size, 7);

  std::vector<Byte> expected(size + kRoom, 0);
  std::copy(bytes.begin(), bytes.end(), expected.begin() + kCopyAt);
  std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(kCopyAt + size), 7, Byte{0xAB});
  Outcome outcome = compare(fmt::format("{} bytes copied to {}", size, kCopyAt), to_host(target), expected);
  if (outcome.status != Status::ok) return outcome;
  std::vector<Byte> read_back(size);
  read(rig.queue, target, std::span(read_back), kCopyAt).wait();
  return compare(fmt::format("{} bytes read from {}", size, kCopyAt), read_back, bytes);
}

}  // namespace

Outcome odd_copies(Rig& rig) {
  for (const std::size_t size : {1U, 7U, 63U, 4097U, 1'000'001U})
    if (Outcome outcome = move_bytes(rig, size); outcome.status != Status::ok) return outcome;
  return {};
}

Outcome wide_indices(Rig& rig) {
  if (rig.facts().address_bits != 64) return skipped(fmt::format("addresses have {} bits", rig.facts().address_bits));
  constexpr std::size_t kItems = 1001;
  constexpr std::uint64_t kStride = (std::uint64_t{1} << 32) + 1;
  std::vector<std::uint32_t> source(kItems);
  std::iota(source.begin(), source.end(), 1U);
  const Buffer<std::uint32_t> device_source(rig.context, source);
  Buffer<std::uint32_t> results(rig.context, kItems);
  fill(rig.queue, results, 0);
  const Kernel kernel(rig.context, kernels::indices, "wide_indices");
  launch(rig.queue, kernel, kItems, device_source, kStride, results);
  std::vector<std::uint32_t> expected(kItems);
  for (std::size_t i = 0; i < kItems; ++i) expected[i] = source[i] + static_cast<std::uint32_t>(i * kStride >> 32);
  return compare("elements found by indices beyond 2^32", to_host(results), expected);
}

}  // namespace anycl::command::self_test
