/// \file  Pictures as PNG and JPEG files.
#pragma once

#include <cstddef>
#include <string>

#include "anycl/image/picture.hpp"
#include "json_document.hpp"
#include "os_output_file.hpp"

namespace anycl::command {

/// Pixels a picture may have in either direction.
inline constexpr std::size_t kLargestSide = 16384;

enum class PictureFormat { png, jpeg };

/// By the extension: .png, .jpg or .jpeg, in any case.
/// \throws InvalidArgument  for any other.
[[nodiscard]] PictureFormat format_for(const std::string& path);

/// \throws InvalidArgument  when the format cannot hold the picture: JPEG has no alpha.
void check_storable(const image::Picture& picture, PictureFormat format, const std::string& path);

/// Decodes the file at `path`; what it is follows from its contents, not from its name. Grey, grey + alpha, RGB and RGBA
/// keep their channels, palettes become RGB or RGBA, 16 bits a channel become 8. The file's bytes are let go before this
/// returns.
/// \throws IoError          when the file cannot be read.
/// \throws InvalidArgument  when it is not a whole picture of at most kLargestSide pixels a side.
[[nodiscard]] image::Picture read_picture(const std::string& path);

/// PNG, or JPEG of quality 95 with full colour resolution. \throws IoError
void write_picture(OutputFile& file, PictureFormat format, const image::Picture& picture);

/// "640x427 RGB"
[[nodiscard]] std::string shape_text(const image::Picture& picture);
[[nodiscard]] Json shape_json(const image::Picture& picture);

}  // namespace anycl::command
