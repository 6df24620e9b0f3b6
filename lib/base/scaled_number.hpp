/// \file  Numbers as people write sizes. Layer 0 (base).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace anycl {

/// "4096", "4K", "1G": K, M, G and T stand for powers of 1024. Nothing when it is anything else, or over 2^64 - 1.
[[nodiscard]] std::optional<std::uint64_t> parse_scaled_number(std::string_view text) noexcept;

}  // namespace anycl
