// A SPIR-V module. Input: its bytes.
#include <cstdint>
#include <cstring>
#include <span>

#include "anycl/base/error.hpp"
#include "anycl/program/source.hpp"
#include "fuzz/fuzz.hpp"
#include "program/spirv_module.hpp"

using namespace anycl;
using fuzz::require;

namespace {

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + 4 * index, 4);
  return word;
}

/// Walks the instructions as a driver does that trusts their sizes.
void check_layout(std::span<const std::byte> module) {
  require(module.size() % 4 == 0 && module.size() >= 20, "a module is whole words behind a header");
  const std::size_t words = module.size() / 4;
  std::size_t at = 5;
  while (at < words) {
    const std::size_t size = word_at(module, at) >> 16;
    require(size > 0, "a walk over the instructions ends");
    at += size;
  }
  require(at == words, "the last instruction ends with the module");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const Source source = Source::from_spirv(bytes, "m.spv");
    check_layout(source.module());
    require(source.module().size() == size, "a module is taken whole");
    const Version version = detail::spirv_version(source.module());
    require((version.major << 16 | version.minor << 8) == word_at(bytes, 1), "the version is the header's");
  } catch (const InvalidArgument& error) {
    fuzz::require_short_line(error.what());
  }
  return 0;
}
