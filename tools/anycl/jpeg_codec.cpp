#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <turbojpeg.h>

#include "anycl/base/error.hpp"
#include "anycl/base/log.hpp"
#include "picture_codec.hpp"

namespace anycl::command {
namespace {

constexpr int kQuality = 95;

struct Destroy {
  void operator()(void* handle) const noexcept { tjDestroy(handle); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<tjhandle>, Destroy>;

struct Free {
  void operator()(unsigned char* bytes) const noexcept { tjFree(bytes); }
};

Handle checked(tjhandle handle) {
  if (handle == nullptr) throw std::bad_alloc();
  return Handle(handle);
}

std::string complaint(const Handle& handle) { return tjGetErrorStr2(handle.get()); }

struct Header {
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colours = 0;
};

Header read_header(const Handle& handle, Bytes file, const std::string& path) {
  Header header;
  if (tjDecompressHeader3(handle.get(), file.data(), file.size(), &header.width, &header.height, &header.subsampling,
                          &header.colours) != 0)
    refuse_picture(path, "damaged JPEG: " + complaint(handle));
  return header;
}

int channels_of(const Header& header, const std::string& path) {
  switch (header.colours) {
    case TJCS_GRAY:
      return 1;
    case TJCS_RGB:
    case TJCS_YCbCr:
      return 3;
    default:
      refuse_picture(path, "the JPEG has CMYK colours, made for printing; convert it to RGB");
  }
}

int pixel_format(int channels) { return channels == 1 ? TJPF_GRAY : TJPF_RGB; }

/// Some cameras leave bytes before the end mark: all rows are there. Any other warning means rows that were made up.
bool is_harmless(std::string_view warning) {
  return warning.find("extraneous bytes before marker 0xd9") != std::string_view::npos;
}

}  // namespace

bool is_jpeg(Bytes file) noexcept { return file.size() >= 3 && file[0] == 0xff && file[1] == 0xd8 && file[2] == 0xff; }

image::Picture decode_jpeg(Bytes file, const std::string& path) {
  const Handle handle = checked(tjInitDecompress());
  const Header header = read_header(handle, file, path);
  image::Picture picture = make_picture(static_cast<std::size_t>(header.width), static_cast<std::size_t>(header.height),
                                        channels_of(header, path), path);
  const int failed =
      tjDecompress2(handle.get(), file.data(), file.size(), picture.pixels.data(), header.width, 0, header.height,
                    pixel_format(picture.channels), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS);
  if (failed != 0 && !(tjGetErrorCode(handle.get()) == TJERR_WARNING && is_harmless(complaint(handle))))
    refuse_picture(path, "damaged or cut JPEG: " + complaint(handle));
  return picture;
}

void encode_jpeg(OutputFile& file, const image::Picture& picture) {
  const Handle handle = checked(tjInitCompress());
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const int failed = tjCompress2(handle.get(), picture.pixels.data(), static_cast<int>(picture.width), 0,
                                 static_cast<int>(picture.height), pixel_format(picture.channels), &bytes, &size,
                                 picture.channels == 1 ? TJSAMP_GRAY : TJSAMP_444, kQuality, TJFLAG_ACCURATEDCT);
  const std::unique_ptr<unsigned char, Free> owner(bytes);
  if (failed != 0) throw IoError(fmt::format("cannot write picture: {}: {}", file.path(), complaint(handle)));
  errno = 0;
  if (std::fwrite(bytes, 1, size, file.stream()) != size) file.fail(errno != 0 ? errno : EIO);
}

}  // namespace anycl::command
