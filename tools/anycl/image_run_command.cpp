#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "anycl/image/pipeline.hpp"
#include "anycl/image/run.hpp"
#include "command.hpp"
#include "filter_help.hpp"
#include "image_device.hpp"
#include "os_output_file.hpp"
#include "picture_check.hpp"
#include "picture_file.hpp"
#include "quantity.hpp"
#include "standard_streams.hpp"

namespace anycl::command {
namespace {

constexpr const char* kExplanation =
    R"text(PIPELINE is a list of filters, run from left to right: name[(number)] | name ...
FILE and OUT are PNG or JPEG. FILE is recognised by its contents, OUT's format is its extension. Channels stay as they
are: grey, grey + alpha, RGB or RGBA; 16 bits a channel become 8; JPEG holds no alpha. OUT appears whole or not at all,
and may be FILE. Orientation tags and colour profiles are not read and not kept; a PNG with a gamma of its own becomes sRGB.

{}
Examples:
  anycl image run "gaussian(1.4) | median(3) | sobel | equalize" photo.jpg -o edges.png
  anycl image run "median(5)" photo.png -o photo.png --check
  anycl image run sobel photo.jpg -o edges.jpg --device pocl --json

--check lets the host compute each step on the same input and names the largest difference; OUT is written all the same.

Exit codes: 0 done, 1 --check found a difference over the bound, or the device failed, 2 bad usage, input or
output, 3 no usable device or not enough memory.)text";

struct Request {
  std::string pipeline;
  std::string input;
  std::string output;
  std::string selection;
  bool check = false;
};

struct Outcome {
  image::RunReport report;
  std::optional<PictureCheck> check;
};

std::string time_text(const image::StepReport& step) {
  if (step.device_ns) return duration_text(*step.device_ns);
  return duration_text(step.host_ns) + " by the host's clock";
}

bool lacks_device_time(const image::RunReport& report) {
  return std::any_of(report.steps.begin(), report.steps.end(), [](const auto& step) { return !step.device_ns; });
}

std::string verdict_text(const StepCheck& step) {
  const image::Difference& found = step.difference;
  if (found.largest == 0) return "largest difference 0";
  return fmt::format("largest difference {} at ({}, {}), {} bytes differ; {} allowed{}", found.largest, found.x,
                     found.y, found.bytes, step.bound, step.passed() ? "" : ": FAILED");
}

void describe(const PictureCheck& check, Table& table) {
  for (const StepCheck& step : check.steps) table.add({"check", fmt::format("{}: {}", step.name, verdict_text(step))});
  if (check.repetition.largest != 0)
    table.add({"check", fmt::format("the same steps one by one give another picture: difference {} at ({}, {}): FAILED",
                                    check.repetition.largest, check.repetition.x, check.repetition.y)});
}

void print_text(const Request& request, const ImageDevice& device, const image::Picture& picture,
                const Outcome& outcome) {
  const image::RunReport& report = outcome.report;
  Table table;
  device.describe(table);
  table.add({"picture", fmt::format("{}, {}", request.input, shape_text(picture))});
  for (const auto& step : report.steps) table.add({"step", fmt::format("{}: {}", step.name, time_text(step))});
  if (lacks_device_time(report))
    table.add({"", "(the driver's time stamps cannot be trusted; the host's clock sees waiting and building, too)"});
  table.add({"moved", fmt::format("{} to the device, {} back", bytes_text(report.bytes_to_device),
                                  bytes_text(report.bytes_to_host))});
  table.add({"memory", fmt::format("{} of the device at most", bytes_text(report.peak_device_bytes))});
  device.describe_kernels(table);
  if (outcome.check) describe(*outcome.check, table);
  table.add({"written", request.output});
  table.print(stdout);
}

Json describe(const image::Difference& difference) {
  return {{"largest", difference.largest}, {"bytes", difference.bytes}, {"x", difference.x}, {"y", difference.y}};
}

Json describe(const std::optional<PictureCheck>& check) {
  if (!check) return nullptr;
  Json steps = Json::array();
  for (const StepCheck& step : check->steps)
    steps.push_back({{"name", step.name},
                     {"difference", describe(step.difference)},
                     {"bound", step.bound},
                     {"passed", step.passed()}});
  return {{"passed", check->passed()}, {"steps", steps}, {"repetition", describe(check->repetition)}};
}

Json describe(const std::vector<image::StepReport>& reports) {
  Json steps = Json::array();
  for (const auto& step : reports)
    steps.push_back({{"name", step.name},
                     {"device_ns", step.device_ns ? Json(*step.device_ns) : Json(nullptr)},
                     {"host_ns", step.host_ns}});
  return steps;
}

void print_json(const Request& request, const ImageDevice& device, const image::Picture& picture,
                const Outcome& outcome) {
  const image::RunReport& report = outcome.report;
  Json document = make_document("anycl.image.run");
  device.describe(document);
  document["input"] = request.input;
  document["output"] = request.output;
  document["picture"] = shape_json(picture);
  document["steps"] = describe(report.steps);
  document["bytes_to_device"] = report.bytes_to_device;
  document["bytes_to_host"] = report.bytes_to_host;
  document["peak_device_bytes"] = report.peak_device_bytes;
  device.describe_kernels(document);
  document["check"] = describe(outcome.check);
  print_document(document);
}

/// The picture is moved through and never copied, but for a check.
Outcome compute(const Request& request, const image::Pipeline& pipeline, ImageDevice& device, image::Picture& picture) {
  std::optional<image::Picture> original;
  if (request.check) original = picture;
  Outcome outcome;
  outcome.report = image::run(device.queue(), pipeline, picture);
  if (original) outcome.check = check_on_host(device.queue(), pipeline, std::move(*original), picture);
  return outcome;
}

ExitCode verdict(const std::optional<PictureCheck>& check) {
  if (!check || check->passed()) return ExitCode::done;
  say("anycl: --check: the device's picture is further from the host's than its filters allow\n");
  return ExitCode::answered_no;
}

/// All that can be wrong with the request is found before the device is asked for.
ExitCode run(const Request& request, bool json) {
  const auto pipeline = image::Pipeline::parse(request.pipeline);
  const PictureFormat format = format_for(request.output);
  OutputFile output(request.output);
  image::Picture picture = read_picture(request.input);
  check_storable(picture, format, request.output);

  ImageDevice device(request.selection);
  const Outcome outcome = compute(request, pipeline, device, picture);
  write_picture(output, format, picture);
  output.commit();

  json ? print_json(request, device, picture, outcome) : print_text(request, device, picture, outcome);
  flush_results();  // the user reads while the kernels are stored for the next run
  device.keep_kernels();
  return verdict(outcome.check);
}

}  // namespace

Command add_image_run(CLI::App& image, const bool& json) {
  const auto request = std::make_shared<Request>();
  CLI::App* parser = image.add_subcommand("run", "Run filters on a picture");
  parser->add_option("PIPELINE", request->pipeline, "The filters, in quotes")->required();
  parser->add_option("FILE", request->input, "The picture to read")->required();
  parser->add_option("-o,--output", request->output, "The picture to write")->required()->type_name("OUT");
  parser->add_option("--device", request->selection, kDeviceHelp)->type_name("SELECTION");
  parser->add_flag("--check", request->check, "Compare each step with a plain computation on the host");
  parser->footer(fmt::format(kExplanation, filter_help()));
  return {parser, [request, &json] { return run(*request, json); }};
}

}  // namespace anycl::command
