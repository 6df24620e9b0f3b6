#include "program/spirv_module.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "anycl/base/error.hpp"

namespace anycl::detail {
namespace {

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::uint32_t kMagicSwapped = 0x03022307;
constexpr std::size_t kHeaderWords = 5;  // magic, version, generator, bound of ids, reserved
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::uint32_t kEntryPoint = 15;      // OpEntryPoint
constexpr std::uint32_t kKernelModel = 6;      // its execution model for OpenCL
constexpr std::uint32_t kEntryPointWords = 4;  // with an empty name

/// The words of a module, which may begin at any address.
class Words {
 public:
  explicit Words(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() / sizeof(std::uint32_t); }
  [[nodiscard]] std::uint32_t operator[](std::size_t index) const noexcept {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes_.data() + index * sizeof word, sizeof word);
    return word;
  }

 private:
  std::span<const std::byte> bytes_;
};

/// What is wrong with the header; empty for nothing.
std::string fault_of_header(std::span<const std::byte> module) {
  const Words words(module);
  if (module.size() > kMostBytes) return fmt::format("{} bytes are over the limit of {}", module.size(), kMostBytes);
  if (words.size() < kHeaderWords) return fmt::format("{} bytes hold no header", module.size());
  if (words[0] == kMagicSwapped) return "its bytes are in the order of another kind of machine";
  if (words[0] != kMagic) return fmt::format("it begins with {:#010x}, not with {:#010x}", words[0], kMagic);
  if (module.size() % sizeof(std::uint32_t) != 0) return fmt::format("{} bytes are not whole words", module.size());
  if ((words[1] & 0xff0000ffu) != 0 || words[3] == 0 || words[4] != 0)
    return fmt::format("its header says version {:#010x}, bound {} and schema {}", words[1], words[3], words[4]);
  return {};
}

/// The same for the instructions behind it.
std::string fault_of_instructions(const Words& words) {
  bool has_kernel = false;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::uint32_t code = words[at] & 0xffffu;
    const std::uint32_t size = words[at] >> 16;
    if (size == 0 || size > words.size() - at)
      return fmt::format("instruction {} at word {} of {} claims {} words", code, at, words.size(), size);
    has_kernel = has_kernel || (code == kEntryPoint && size >= kEntryPointWords && words[at + 1] == kKernelModel);
    at += size;
  }
  return has_kernel ? "" : "it has no kernel: modules for graphics have none";
}

}  // namespace

void check_spirv(std::span<const std::byte> module, std::string_view name) {
  std::string fault = fault_of_header(module);
  if (fault.empty()) fault = fault_of_instructions(Words(module));
  if (!fault.empty()) throw InvalidArgument(fmt::format("{} is no SPIR-V module for kernels: {}", name, fault));
}

Version spirv_version(std::span<const std::byte> module) noexcept {
  const std::uint32_t version = Words(module)[1];
  return {(version >> 16) & 0xffu, (version >> 8) & 0xffu};
}

}  // namespace anycl::detail
