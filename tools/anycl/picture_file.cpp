#include "picture_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "os_input_file.hpp"
#include "picture_codec.hpp"

namespace anycl::command {
namespace {

/// A PNG of the largest sides with 16 bits a channel, stored without compression, is a little over 2 GiB.
constexpr std::size_t kLargestFile = std::size_t{3} << 30;

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

image::Picture decode(Bytes file, const std::string& path) {
  if (file.empty()) refuse_picture(path, "the file is empty");
  if (is_png(file)) return decode_png(file, path);
  if (is_jpeg(file)) return decode_jpeg(file, path);
  refuse_picture(path, "neither a PNG nor a JPEG file; convert it to one of them");
}

}  // namespace

void refuse_picture(const std::string& path, std::string_view why) {
  throw InvalidArgument(fmt::format("cannot read picture: {}: {}", path, why));
}

image::Picture make_picture(std::size_t width, std::size_t height, int channels, const std::string& path) {
  if (width == 0 || height == 0) refuse_picture(path, fmt::format("it has {}x{} pixels: nothing to do", width, height));
  if (width > kLargestSide || height > kLargestSide)
    refuse_picture(path, fmt::format("{}x{} pixels are too many; at most {} a side", width, height, kLargestSide));
  image::Picture picture{width, height, channels, {}};
  picture.pixels.resize(size_bytes(picture));
  return picture;
}

PictureFormat format_for(const std::string& path) {
  const std::string extension = lower_extension(path);
  if (extension == ".png") return PictureFormat::png;
  if (extension == ".jpg" || extension == ".jpeg") return PictureFormat::jpeg;
  throw InvalidArgument(
      fmt::format("cannot write picture: {}: {}; use .png, .jpg or .jpeg", path,
                  extension.empty() ? "its name has no extension" : fmt::format("unknown extension '{}'", extension)));
}

void check_storable(const image::Picture& picture, PictureFormat format, const std::string& path) {
  if (format == PictureFormat::jpeg && has_alpha(picture))
    throw InvalidArgument(
        fmt::format("cannot write picture: {}: JPEG cannot hold the picture's alpha channel; write a .png", path));
}

image::Picture read_picture(const std::string& path) { return decode(read_file(path, kLargestFile), path); }

void write_picture(OutputFile& file, PictureFormat format, const image::Picture& picture) {
  format == PictureFormat::png ? encode_png(file, picture) : encode_jpeg(file, picture);
}

std::string shape_text(const image::Picture& picture) {
  static constexpr std::array names{"grey", "grey + alpha", "RGB", "RGBA"};
  return fmt::format("{}x{} {}", picture.width, picture.height,
                     names.at(static_cast<std::size_t>(picture.channels - 1)));
}

Json shape_json(const image::Picture& picture) {
  return {{"width", picture.width}, {"height", picture.height}, {"channels", picture.channels}};
}

}  // namespace anycl::command
