/// \file  The two picture formats, on bytes in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "anycl/image/picture.hpp"
#include "os_output_file.hpp"

namespace anycl::command {

using Bytes = std::span<const std::uint8_t>;

[[nodiscard]] bool is_png(Bytes file) noexcept;
[[nodiscard]] bool is_jpeg(Bytes file) noexcept;

// `path` is for messages. \throws InvalidArgument  for damaged, cut or unsupported files.
[[nodiscard]] image::Picture decode_png(Bytes file, const std::string& path);
[[nodiscard]] image::Picture decode_jpeg(Bytes file, const std::string& path);

// \throws IoError
void encode_png(OutputFile& file, const image::Picture& picture);
void encode_jpeg(OutputFile& file, const image::Picture& picture);

/// Throws what a decoder has against a file.
[[noreturn]] void refuse_picture(const std::string& path, std::string_view why);

/// An empty picture of that shape, once it is known to be one that can be worked with.
/// \throws InvalidArgument  for a side of 0 or more than kLargestSide pixels.
[[nodiscard]] image::Picture make_picture(std::size_t width, std::size_t height, int channels, const std::string& path);

}  // namespace anycl::command
