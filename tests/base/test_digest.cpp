// Needs: no driver
#include "base/digest.hpp"

#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace anycl;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string hash_of(const std::vector<std::string>& fields) {
  FieldHasher hasher;
  for (const std::string& field : fields) hasher.add(field);
  return to_hex(hasher.finish());
}

}  // namespace

// Made with Python's hashlib: sha256 over, for each field, its length in 8 little-endian bytes, then the field.
TEST_CASE("a field hash is SHA-256 over length-prefixed fields", "[base][digest]") {
  CHECK(hash_of({}) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_of({""}) == "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc");
  CHECK(hash_of({"abc"}) == "ce91dc5eec0139adf091900d225971d6ad246a845bad791b5693a9d0d55dd391");
  CHECK(hash_of({"ab", "c"}) == "43ee655579de01ca739b3f95c1c2d3f46d353b2c0df818064ea594506cdb2617");
  CHECK(hash_of({std::string(100000, 'x'), std::string("\0\xff", 2)}) ==
        "63966c7f6d466baf630a0aa07196a32aa289208d171bb3db3f29d78bfe87a69d");
}

TEST_CASE("moving a border between fields changes the hash", "[base][digest]") {
  const std::set<std::string> hashes{hash_of({"abc"}),     hash_of({"ab", "c"}), hash_of({"a", "bc"}),
                                     hash_of({"", "abc"}), hash_of({"abc", ""}), hash_of({"a", "b", "c"})};

  CHECK(hashes.size() == 6);
}

// Made with Python's hashlib: blake2b(content, key=bytes(range(32)), digest_size=32).
TEST_CASE("a keyed digest is BLAKE2b-256 with that key", "[base][digest]") {
  Digest key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);

  CHECK(to_hex(keyed_digest(bytes_of(""), key)) == "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d");
  CHECK(to_hex(keyed_digest(bytes_of("abc"), key)) ==
        "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f");
}

TEST_CASE("a keyed digest depends on every bit of content and key", "[base][digest]") {
  const std::string content = "some content";
  Digest key{};
  const Digest plain = keyed_digest(bytes_of(content), key);

  for (std::size_t bit = 0; bit < 8 * content.size(); ++bit) {
    std::string changed = content;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    CHECK_FALSE(same_digest(plain, keyed_digest(bytes_of(changed), key)));
  }
  for (std::size_t bit = 0; bit < 8 * key.size(); ++bit) {
    Digest changed = key;
    changed[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    CHECK_FALSE(same_digest(plain, keyed_digest(bytes_of(content), changed)));
  }
  CHECK(same_digest(plain, keyed_digest(bytes_of(content), key)));
}

TEST_CASE("random digests and names do not repeat", "[base][digest]") {
  std::set<std::string> seen;

  for (int i = 0; i < 1000; ++i) {
    seen.insert(to_hex(random_digest()));
    seen.insert(random_hex(16));
  }

  CHECK(seen.size() == 2000);
}

TEST_CASE("a random name has as many digits as asked, all hexadecimal", "[base][digest]") {
  const auto digits = GENERATE(as<std::size_t>{}, 0, 1, 2, 15, 16, 33);

  const std::string text = random_hex(digits);

  CHECK(text.size() == digits);
  CHECK(text.find_first_not_of("0123456789abcdef") == std::string::npos);
}
