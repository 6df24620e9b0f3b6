/// \file  Reading a compiler's log. Layer 3 (program).
#pragma once

#include <string_view>
#include <vector>

#include "anycl/base/build_message.hpp"

namespace anycl::detail {

inline constexpr std::size_t kMostBuildMessages = 1000;

/// What a compiler says in its log, in its order, each message once and without its excerpt: errors, warnings and notes with
/// their places, and functions that have no definition. Knows the wording of clang and of the drivers that are built on it
/// (PoCL, Intel, Mesa, NVIDIA, AMD, Apple), of NVIDIA's ptxas, and of EDG's compiler, which older AMD drivers have. Any bytes
/// and any length are fine; texts become plain lines.
[[nodiscard]] std::vector<BuildMessage> read_build_log(std::string_view log);

/// The line to show of a log in which no message is known: the first that says more than how far the compiler got. Empty
/// when there is none.
[[nodiscard]] std::string telling_line(std::string_view log);

}  // namespace anycl::detail
