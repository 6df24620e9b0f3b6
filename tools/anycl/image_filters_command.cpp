#include <cstdio>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "anycl/image/filter.hpp"
#include "command.hpp"
#include "filter_help.hpp"
#include "json_document.hpp"

namespace anycl::command {
namespace {

std::string_view name_of(image::NumberType type) {
  switch (type) {
    case image::NumberType::real:
      return "real";
    case image::NumberType::integer:
      return "integer";
    case image::NumberType::odd_integer:
      return "odd_integer";
  }
  return "real";
}

Json describe(const image::Parameter& parameter) {
  return {{"name", parameter.name},
          {"type", name_of(parameter.type)},
          {"lowest", parameter.lowest},
          {"highest", parameter.highest},
          {"default", parameter.fallback ? Json(*parameter.fallback) : Json(nullptr)},
          {"unit", parameter.unit}};
}

Json describe(const image::Filter& filter) {
  Json parameters = Json::array();
  for (const auto& parameter : filter.parameters) parameters.push_back(describe(parameter));
  return {{"name", filter.name},
          {"parameters", parameters},
          {"summary", filter.summary},
          {"formula", filter.formula},
          {"largest_difference", filter.largest_difference},
          {"exactness", filter.exactness}};
}

ExitCode run(bool json) {
  if (!json) {
    fmt::print("{}", filter_help());
    return ExitCode::done;
  }
  Json document = make_document("anycl.image.filters");
  document["filters"] = Json::array();
  for (const auto& filter : image::filters()) document["filters"].push_back(describe(filter));
  print_document(document);
  return ExitCode::done;
}

}  // namespace

Command add_image_filters(CLI::App& image, const bool& json) {
  CLI::App* parser = image.add_subcommand("filters", "The filters there are, with numbers, formulas and exactness");
  parser->footer("Example:\n  anycl image filters --json");
  return {parser, [&json] { return run(json); }};
}

}  // namespace anycl::command
