// Needs: no driver
#include "program/cache_entry.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/random.hpp"

using namespace anycl;
using detail::CacheEntry;
using detail::CacheKey;
using detail::decode;
using detail::encode;
using detail::Parameter;

namespace {

CacheKey some_key() { return {Digest{}, "the key's fields"}; }

Digest some_secret() {
  Digest secret{};
  secret[0] = std::byte{1};
  return secret;
}

CacheEntry some_entry() {
  Parameter value;
  value.name = "n";
  value.type = "uint";
  value.resolve_type();
  Parameter pointer;
  pointer.name = "src";
  pointer.type = "float*";
  pointer.space = Parameter::Space::global;
  pointer.is_const = true;
  pointer.resolve_type();
  CacheEntry entry;
  entry.kernels["blur"] = {{{pointer, value}, true}, 64, 8, 1024, 48, std::array<std::size_t, 3>{8, 4, 1}};
  entry.kernels["mute"] = {{{Parameter{}, Parameter{}}, false}};
  entry.kernels["none"] = {{{}, true}};
  entry.messages = {{BuildMessage::Severity::warning, "blur.cl", 3, 14, "unused variable 'x'"},
                    {BuildMessage::Severity::note, "", 0, 0, "one warning more"}};
  for (int i = 0; i < 100; ++i) entry.binary.push_back(static_cast<std::byte>(i));
  return entry;
}

}  // namespace

TEST_CASE("an entry comes back whole", "[program][cache_entry]") {
  CacheEntry entry = some_entry();
  entry.complete = GENERATE(true, false);

  const auto back = decode(encode(entry, some_key(), some_secret()), some_key(), some_secret());

  REQUIRE(back.has_value());
  CHECK(back->binary == entry.binary);
  CHECK(back->complete == entry.complete);
  CHECK(back->messages == entry.messages);
  REQUIRE(back->kernels.size() == 3);
  const auto& facts = back->kernels.at("blur");
  CHECK(facts.max_group_size == 64);
  CHECK(facts.preferred_multiple == 8);
  CHECK(facts.local_memory_bytes == 1024);
  CHECK(facts.private_memory_bytes == 48);
  CHECK(facts.required_group == std::array<std::size_t, 3>{8, 4, 1});
  const auto& blur = facts.signature;
  CHECK(blur.described);
  REQUIRE(blur.parameters.size() == 2);
  CHECK(blur.parameters[0].name == "src");
  CHECK(blur.parameters[0].type == "float*");
  CHECK(blur.parameters[0].space == Parameter::Space::global);
  CHECK(blur.parameters[0].is_const);
  CHECK(blur.parameters[0].element.scalar == detail::ScalarType::float32);
  CHECK(blur.parameters[1].element.scalar == detail::ScalarType::uint32);
  CHECK(blur.parameters[1].size_bytes == 4);
  CHECK_FALSE(back->kernels.at("mute").signature.described);
  CHECK(back->kernels.at("mute").signature.parameters.size() == 2);
  CHECK_FALSE(back->kernels.at("mute").private_memory_bytes.has_value());
  CHECK_FALSE(back->kernels.at("mute").required_group.has_value());
  CHECK(back->kernels.at("none").signature.described);
}

TEST_CASE("an entry cut at any length is nothing", "[program][cache_entry][OCL-085]") {
  const auto bytes = encode(some_entry(), some_key(), some_secret());

  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    REQUIRE_FALSE(decode(std::span(bytes).first(size), some_key(), some_secret()).has_value());
  }
}

TEST_CASE("an entry with any one bit changed is nothing", "[program][cache_entry]") {
  const auto bytes = encode(some_entry(), some_key(), some_secret());

  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto changed = bytes;
    changed[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    CAPTURE(bit);
    REQUIRE_FALSE(decode(changed, some_key(), some_secret()).has_value());
  }
}

TEST_CASE("an entry with bytes added, moved or replaced is nothing", "[program][cache_entry]") {
  const auto bytes = encode(some_entry(), some_key(), some_secret());
  test::Random random(23);

  for (int round = 0; round < 5000; ++round) {
    auto changed = bytes;
    const std::size_t edits = 1 + random.below(8);
    for (std::size_t i = 0; i < edits; ++i) {
      const auto at = changed.begin() + static_cast<std::ptrdiff_t>(random.below(changed.size()));
      switch (random.below(3)) {
        case 0:
          changed.insert(at, static_cast<std::byte>(random.below(256)));
          break;
        case 1:
          changed.erase(at);
          break;
        default:
          *at = static_cast<std::byte>(random.below(256));
      }
    }
    if (changed != bytes) REQUIRE_FALSE(decode(changed, some_key(), some_secret()).has_value());
  }
}

TEST_CASE("an entry is for one key and one secret", "[program][cache_entry][OCL-076]") {
  const auto bytes = encode(some_entry(), some_key(), some_secret());
  const CacheKey other_key{Digest{}, "the key's fieldz"};

  CHECK_FALSE(decode(bytes, other_key, some_secret()).has_value());
  CHECK_FALSE(decode(bytes, some_key(), Digest{}).has_value());
}

TEST_CASE("a record with a right digest and wrong insides is nothing", "[program][cache_entry]") {
  // What only a holder of the secret can make; an older format of ours, for example.
  const auto sealed = [](std::vector<std::byte> content) {
    const Digest digest = keyed_digest(content, some_secret());
    content.insert(content.end(), digest.begin(), digest.end());
    return decode(content, some_key(), some_secret()).has_value();
  };
  auto content = encode(some_entry(), some_key(), some_secret());
  content.resize(content.size() - sizeof(Digest));

  REQUIRE(sealed(content));
  for (std::size_t size = 0; size < content.size(); ++size)
    REQUIRE_FALSE(sealed({content.begin(), content.begin() + static_cast<std::ptrdiff_t>(size)}));
  auto longer = content;
  longer.push_back(std::byte{0});
  CHECK_FALSE(sealed(longer));
  test::Random random(29);
  for (int round = 0; round < 5000; ++round) {
    auto changed = content;
    changed[random.below(changed.size())] = static_cast<std::byte>(random.below(256));
    static_cast<void>(sealed(changed));  // may be an entry; must not be a crash
  }
}

TEST_CASE("an entry of another version is told from a damaged one", "[program][cache_entry][OCL-076]") {
  const auto ours = encode(some_entry(), some_key(), some_secret());
  auto other = std::vector<std::byte>(ours.begin(), ours.end() - static_cast<std::ptrdiff_t>(Digest{}.size()));
  other[18] = std::byte{'1'};  // behind "anycl cache entry "
  const Digest digest = keyed_digest(other, some_secret());
  other.insert(other.end(), digest.begin(), digest.end());

  CHECK(detail::is_of_another_version(other, some_secret()));
  CHECK_FALSE(decode(other, some_secret()));
  CHECK_FALSE(detail::is_of_another_version(other, Digest{}));
  CHECK_FALSE(detail::is_of_another_version(ours, some_secret()));
  CHECK_FALSE(detail::is_of_another_version({}, some_secret()));
  other.back() ^= std::byte{1};
  CHECK_FALSE(detail::is_of_another_version(other, some_secret()));
}

TEST_CASE("an entry without a binary is nothing", "[program][cache_entry]") {
  CacheEntry entry = some_entry();
  entry.binary.clear();

  CHECK_FALSE(decode(encode(entry, some_key(), some_secret()), some_key(), some_secret()).has_value());
}
