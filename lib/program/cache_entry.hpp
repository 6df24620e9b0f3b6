/// \file  One stored build. Layer 3 (program).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "anycl/base/build_message.hpp"
#include "base/digest.hpp"
#include "program/cache_key.hpp"
#include "program/kernel_facts.hpp"

namespace anycl::detail {

/// Bytes that a stored build may have.
inline constexpr std::size_t kLargestEntry = std::size_t{256} << 20;

/// A program's binary, what its kernels take and what the compiler said: drivers forget the latter two when they load a
/// binary.
struct CacheEntry {
  std::map<std::string, KernelFacts> kernels;
  std::vector<BuildMessage> messages;  ///< without excerpts, which are the source's
  std::vector<std::byte> binary;
  bool complete = true;  ///< false: taken before a launch, when some drivers have not compiled all of it
};

/// Bytes of an entry: magic, key fields, signatures, messages, binary, and a digest keyed with the user's secret over all of it.
[[nodiscard]] std::vector<std::byte> encode(const CacheEntry& entry, const CacheKey& key, const Digest& secret);

struct DecodedEntry {
  std::string key_fields;
  CacheEntry entry;
};

/// Nothing unless every byte is as `encode` wrote it with this secret, whatever the key. Any input is fine.
[[nodiscard]] std::optional<DecodedEntry> decode(std::span<const std::byte> bytes, const Digest& secret);

/// Whether an anycl of another version wrote these bytes with this secret. They are whole, and nothing to this one.
[[nodiscard]] bool is_of_another_version(std::span<const std::byte> bytes, const Digest& secret);

/// As `decode`, and nothing either when it was another key.
[[nodiscard]] std::optional<CacheEntry> decode(std::span<const std::byte> bytes, const CacheKey& key,
                                               const Digest& secret);

}  // namespace anycl::detail
