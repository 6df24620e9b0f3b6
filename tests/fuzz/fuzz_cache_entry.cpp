// Reading a stored build. Input: a letter, then bytes of a cache file:
//   r  the whole file: the digest guards it
//   s  the file without its digest, which is made right here: an older format of ours, or a holder of the user's secret
//   b  the file without magic, key and digest, all made right here: reaches what stands behind them at once
#include <string>
#include <utility>
#include <vector>

#include "base/byte_stream.hpp"
#include "fuzz/fuzz.hpp"
#include "program/cache_entry.hpp"

using namespace anycl;
using detail::CacheEntry;
using detail::CacheKey;
using detail::decode;
using detail::encode;
using fuzz::require;

namespace {

using Bytes = std::vector<std::byte>;

const CacheKey kKey{Digest{}, "the key's fields"};
const Digest kSecret{std::byte{1}};

Bytes sealed(Bytes content) {
  const Digest digest = keyed_digest(content, kSecret);
  content.insert(content.end(), digest.begin(), digest.end());
  return content;
}

/// What an encoded entry begins with.
Bytes head() {
  Bytes bytes = encode({}, kKey, kSecret);
  // No kernels, no messages, a flag, no binary, digest.
  const std::size_t tail = 4 * sizeof(std::uint64_t) + sizeof(Digest);
  bytes.resize(bytes.size() - tail);
  return bytes;
}

Bytes file_of(char form, std::span<const std::byte> bytes) {
  Bytes content = form == 'b' ? head() : Bytes();
  content.insert(content.end(), bytes.begin(), bytes.end());
  return form == 'r' ? content : sealed(std::move(content));
}

bool same(const detail::Parameter& a, const detail::Parameter& b) {
  return a.name == b.name && a.type == b.type && a.space == b.space && a.is_const == b.is_const &&
         a.element == b.element && a.size_bytes == b.size_bytes;
}

bool same(const detail::Signature& a, const detail::Signature& b) {
  return a.described == b.described &&
         std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
                    [](const auto& x, const auto& y) { return same(x, y); });
}

bool same(const detail::KernelFacts& a, const detail::KernelFacts& b) {
  return same(a.signature, b.signature) && a.max_group_size == b.max_group_size &&
         a.preferred_multiple == b.preferred_multiple && a.local_memory_bytes == b.local_memory_bytes &&
         a.private_memory_bytes == b.private_memory_bytes && a.required_group == b.required_group;
}

bool same(const CacheEntry& a, const CacheEntry& b) {
  return a.binary == b.binary && a.complete == b.complete && a.messages == b.messages &&
         std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
}

/// Bytes that an entry takes at least: what a reader that believes a made-up count would exceed.
std::size_t least_size(const CacheEntry& entry) {
  std::size_t size = entry.binary.size();
  for (const auto& [name, facts] : entry.kernels) {
    size += name.size();
    for (const auto& parameter : facts.signature.parameters)
      size += parameter.name.size() + parameter.type.size() + 4 * 8;
  }
  for (const auto& message : entry.messages) size += message.file.size() + message.text.size() + 5 * 8;
  return size;
}

void check_entry(const CacheEntry& entry, const Bytes& file) {
  require(!entry.binary.empty(), "an entry has a binary");
  require(least_size(entry) <= file.size(), "an entry is no larger than its file");
  const Bytes written = encode(entry, kKey, kSecret);
  const auto again = decode(written, kKey, kSecret);
  require(again.has_value() && same(entry, *again), "an entry written again reads as the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char form = static_cast<char>(data[0]);
  const Bytes file = file_of(form, std::as_bytes(std::span(data, size)).subspan(1));
  const auto entry = decode(file, kKey, kSecret);
  if (!entry) return 0;
  check_entry(*entry, file);
  require(!decode(file, {Digest{}, "another key"}, kSecret), "an entry is for one key");
  require(!decode(file, kKey, Digest{}), "an entry is for one secret");
  if (form == 'r')
    require(file == encode(*entry, kKey, kSecret), "without the secret nothing but our own writing is read");
  return 0;
}
