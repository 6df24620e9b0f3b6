/// \file  Sizes in bytes as one writes them: `4_GiB`. Layer 0 (base).
#pragma once

#include <cstdint>

namespace anycl::literals {

constexpr std::uint64_t operator""_KiB(unsigned long long count) { return std::uint64_t{count} << 10; }
constexpr std::uint64_t operator""_MiB(unsigned long long count) { return std::uint64_t{count} << 20; }
constexpr std::uint64_t operator""_GiB(unsigned long long count) { return std::uint64_t{count} << 30; }

}  // namespace anycl::literals
