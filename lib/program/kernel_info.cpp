#include "anycl/program/kernel_info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace anycl {
namespace {

std::string text_of(const ParameterInfo& parameter) {
  std::string text;
  for (const std::string_view word : {to_string(parameter.space), std::string_view(parameter.is_const ? "const" : "")})
    if (!word.empty()) text.append(word) += ' ';
  text += parameter.type;
  return parameter.name.empty() ? text : text + ' ' + parameter.name;
}

}  // namespace

std::string_view to_string(ParameterInfo::Space space) noexcept {
  switch (space) {
    case ParameterInfo::Space::global:
      return "global";
    case ParameterInfo::Space::constant:
      return "constant";
    case ParameterInfo::Space::local:
      return "local";
    case ParameterInfo::Space::value:
    case ParameterInfo::Space::other:
      break;
  }
  return "";
}

std::string KernelInfo::signature() const {
  std::vector<std::string> texts;
  for (const ParameterInfo& parameter : parameters) texts.push_back(text_of(parameter));
  if (parameters.size() < parameter_count) texts.push_back(fmt::format("{} parameters", parameter_count));
  return fmt::format("kernel void {}({})", name, fmt::join(texts, ", "));
}

}  // namespace anycl
