#include "doctor/finding.hpp"

#include <algorithm>
#include <iterator>

namespace anycl::command {
namespace {

constexpr std::string_view kStatusNames[] = {"ok", "warn", "fail", "skip"};  // in the order of Status

Status status_from(const std::string& name) {
  const auto* const found = std::find(std::begin(kStatusNames), std::end(kStatusNames), name);
  if (found == std::end(kStatusNames)) throw Json::other_error::create(501, "no status '" + name + "'", nullptr);
  return static_cast<Status>(found - std::begin(kStatusNames));
}

}  // namespace

std::string_view to_string(Status status) noexcept { return kStatusNames[static_cast<std::size_t>(status)]; }

std::string shell_word(std::string_view name) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "/._-+,:@%=";
  if (!name.empty() && name.find_first_not_of(kPlain) == name.npos) return std::string(name);
  std::string word = "'";
  for (const char c : name) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

Json to_json(const Finding& finding) {
  return {{"check", finding.check},
          {"status", to_string(finding.status)},
          {"text", finding.text},
          {"advice", finding.advice.empty() ? Json(nullptr) : Json(finding.advice)}};
}

Finding finding_from(const Json& json) {
  const Json& advice = json.at("advice");
  return {json.at("check").get<std::string>(), status_from(json.at("status").get<std::string>()),
          json.at("text").get<std::string>(), advice.is_null() ? "" : advice.get<std::string>()};
}

}  // namespace anycl::command
