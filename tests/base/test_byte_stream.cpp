// Needs: no driver
#include "base/byte_stream.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/random.hpp"

using namespace anycl;

TEST_CASE("numbers are written in eight little-endian bytes", "[base][byte_stream]") {
  ByteWriter writer;

  writer.number(0x0102030405060708u);

  const std::vector<std::byte> want{std::byte{8}, std::byte{7}, std::byte{6}, std::byte{5},
                                    std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}};
  CHECK(writer.bytes() == want);
}

TEST_CASE("what was written is read back, in order, to the end", "[base][byte_stream]") {
  const std::string text("with a \0 zero", 13);
  const std::vector<std::byte> blob(1000, std::byte{0xab});
  ByteWriter writer;

  writer.number(0);
  writer.number(~std::uint64_t{0});
  writer.text(text);
  writer.text("");
  writer.blob(blob);
  writer.raw(blob);

  ByteReader reader(writer.bytes());
  CHECK(reader.number() == 0);
  CHECK(reader.number() == ~std::uint64_t{0});
  CHECK(reader.text() == text);
  CHECK(reader.text().empty());
  const auto read_blob = reader.blob();
  CHECK(std::vector<std::byte>(read_blob.begin(), read_blob.end()) == blob);
  CHECK_FALSE(reader.at_end());
  CHECK(reader.raw(1000).size() == 1000);
  CHECK(reader.at_end());
  CHECK_FALSE(reader.failed());
}

TEST_CASE("a record cut anywhere fails instead of giving something else", "[base][byte_stream]") {
  ByteWriter writer;
  writer.number(42);
  writer.text("some text");
  writer.blob(std::vector<std::byte>(20));
  const auto& whole = writer.bytes();

  for (std::size_t size = 0; size < whole.size(); ++size) {
    ByteReader reader{std::span(whole).first(size)};
    static_cast<void>(reader.number());
    static_cast<void>(reader.text());
    static_cast<void>(reader.blob());
    CAPTURE(size);
    CHECK(reader.failed());
    CHECK(reader.at_end());
  }
}

TEST_CASE("a length beyond the end is refused, however large", "[base][byte_stream]") {
  const auto length =
      GENERATE(as<std::uint64_t>{}, 1, 9, std::uint64_t{1} << 32, ~std::uint64_t{0}, ~std::uint64_t{0} - 7);
  ByteWriter writer;
  writer.number(length);

  ByteReader reader(writer.bytes());

  CHECK(reader.text().empty());
  CHECK(reader.failed());
}

TEST_CASE("random bytes never make the reader run out of its record", "[base][byte_stream]") {
  test::Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> bytes(random.below(64));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(4) == 0 ? random.below(256) : 0);
    ByteReader reader(bytes);
    std::size_t taken = 0;
    while (!reader.failed() && !reader.at_end())
      taken += random.below(2) == 0 ? reader.blob().size() : reader.raw(1).size();
    CHECK(taken <= bytes.size());
  }
}
