/// \file  UTF-8 as it must be. Layer 0 (base).
#pragma once

#include <cstddef>
#include <string_view>

namespace anycl {

/// Bytes of the first character of `text`, which is not empty: 1 to 4, or 0 when they are no UTF-8, a surrogate or overlong.
[[nodiscard]] std::size_t first_character(std::string_view text) noexcept;

/// Whether the first character of `text`, valid UTF-8, is a control character: one of C0 or C1, or DEL.
[[nodiscard]] bool begins_with_control(std::string_view text) noexcept;

}  // namespace anycl
