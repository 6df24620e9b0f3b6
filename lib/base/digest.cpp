#include "base/digest.hpp"

#include <sodium.h>

#include <algorithm>
#include <vector>

#include "anycl/base/error.hpp"

namespace anycl {
namespace {

const unsigned char* as_uchar(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }
unsigned char* as_uchar(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

/// libsodium wants this before the first call; it is safe from any thread and cheap when done already.
void prepare_sodium() {
  if (sodium_init() < 0) throw Error("libsodium: no source of random bytes on this system");
}

}  // namespace

struct FieldHasher::State {
  crypto_hash_sha256_state sha256{};
};

FieldHasher::FieldHasher() : state_(std::make_unique<State>()) {
  prepare_sodium();
  crypto_hash_sha256_init(&state_->sha256);
}

FieldHasher::~FieldHasher() = default;

void FieldHasher::add(std::string_view field) {
  std::array<unsigned char, 8> size{};
  for (std::size_t i = 0; i < size.size(); ++i)
    size[i] = static_cast<unsigned char>((static_cast<std::uint64_t>(field.size()) >> (8 * i)) & 0xffu);
  crypto_hash_sha256_update(&state_->sha256, size.data(), size.size());
  crypto_hash_sha256_update(&state_->sha256, reinterpret_cast<const unsigned char*>(field.data()), field.size());
}

Digest FieldHasher::finish() {
  Digest digest{};
  crypto_hash_sha256_final(&state_->sha256, as_uchar(digest.data()));
  return digest;
}

Digest keyed_digest(std::span<const std::byte> content, const Digest& key) {
  prepare_sodium();
  Digest digest{};
  crypto_generichash(as_uchar(digest.data()), digest.size(), as_uchar(content.data()), content.size(),
                     as_uchar(key.data()), key.size());
  return digest;
}

bool same_digest(const Digest& a, const Digest& b) noexcept { return sodium_memcmp(a.data(), b.data(), a.size()) == 0; }

Digest random_digest() {
  prepare_sodium();
  Digest digest{};
  randombytes_buf(digest.data(), digest.size());
  return digest;
}

std::string to_hex(std::span<const std::byte> bytes) {
  std::string text(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), as_uchar(bytes.data()), bytes.size());
  text.pop_back();
  return text;
}

std::string random_hex(std::size_t digits) {
  prepare_sodium();
  std::vector<std::byte> bytes(digits / 2 + 1);  // one at least: libsodium wants a place even for none
  randombytes_buf(bytes.data(), bytes.size());
  return to_hex(bytes).substr(0, digits);
}

}  // namespace anycl
