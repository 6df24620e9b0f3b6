#include <charconv>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "anycl/base/error.hpp"
#include "anycl/image/run.hpp"
#include "command.hpp"
#include "image_device.hpp"
#include "os_output_file.hpp"
#include "picture_file.hpp"
#include "standard_streams.hpp"

namespace anycl::command {
namespace {

constexpr const char* kExplanation =
    R"(The scene is computed, not stored: the same device gives the same picture in every run. It has edges, texture and noise,
so that filters have something to do.

Examples:
  anycl image scene -o scene.png
  anycl image scene -o scene.png --size 4096x4096 --device pocl

Exit codes: 0 done, 1 the device failed or its kernel does not build, 2 bad usage or output, 3 no usable device or not
enough memory.)";

struct Request {
  std::string output;
  std::string size = "1536x1024";
  std::string selection;
};

struct Size {
  std::size_t width;
  std::size_t height;
};

[[noreturn]] void refuse_size(const std::string& text) {
  throw InvalidArgument(
      fmt::format("--size: '{}': write WIDTHxHEIGHT, each from 1 to {}, for example 640x480", text, kLargestSide));
}

std::size_t parse_side(const char*& at, const char* end, const std::string& text) {
  std::size_t side = 0;
  const auto parsed = std::from_chars(at, end, side);
  if (parsed.ec != std::errc{} || side == 0 || side > kLargestSide) refuse_size(text);
  at = parsed.ptr;
  return side;
}

Size parse_size(const std::string& text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  Size size{};
  size.width = parse_side(at, end, text);
  if (at == end || *at++ != 'x') refuse_size(text);
  size.height = parse_side(at, end, text);
  if (at != end) refuse_size(text);
  return size;
}

void print_text(const Request& request, const ImageDevice& device, const image::Picture& picture) {
  Table table;
  device.describe(table);
  device.describe_kernels(table);
  table.add({"written", fmt::format("{}, {}", request.output, shape_text(picture))});
  table.print(stdout);
}

void print_json(const Request& request, const ImageDevice& device, const image::Picture& picture) {
  Json document = make_document("anycl.image.scene");
  device.describe(document);
  device.describe_kernels(document);
  document["output"] = request.output;
  document["picture"] = shape_json(picture);
  print_document(document);
}

ExitCode run(const Request& request, bool json) {
  const Size size = parse_size(request.size);
  const PictureFormat format = format_for(request.output);
  OutputFile output(request.output);

  ImageDevice device(request.selection);
  const image::Picture picture = image::render_scene(device.queue(), size.width, size.height);
  write_picture(output, format, picture);
  output.commit();

  json ? print_json(request, device, picture) : print_text(request, device, picture);
  flush_results();  // the user reads while the kernels are stored for the next run
  device.keep_kernels();
  return ExitCode::done;
}

}  // namespace

Command add_image_scene(CLI::App& image, const bool& json) {
  const auto request = std::make_shared<Request>();
  CLI::App* parser = image.add_subcommand("scene", "Render a picture to try filters on");
  parser->add_option("-o,--output", request->output, "The picture to write, .png or .jpg")
      ->required()
      ->type_name("OUT");
  parser->add_option("--size", request->size, "Pixels, default 1536x1024")->type_name("WxH");
  parser->add_option("--device", request->selection, kDeviceHelp)->type_name("SELECTION");
  parser->footer(kExplanation);
  return {parser, [request, &json] { return run(*request, json); }};
}

}  // namespace anycl::command
