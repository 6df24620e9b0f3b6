#include "support/case_results.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>

namespace anycl::test {
namespace {

namespace fs = std::filesystem;

std::string_view text_of(TestEnd end) {
  switch (end) {
    case TestEnd::pass:
      return "pass";
    case TestEnd::skip:
      return "skip";
    case TestEnd::fail:
      break;
  }
  return "fail";
}

const std::regex& bracketed_case() {
  static const std::regex pattern(R"(\s*\[(OCL-\d{3})\])");
  return pattern;
}

std::set<std::string> cases_in(const std::string& text) {
  std::set<std::string> cases;
  for (std::sregex_iterator match(text.begin(), text.end(), bracketed_case()), last; match != last; ++match)
    cases.insert((*match)[1]);
  return cases;
}

/// "context.close" for tests/context/test_close.cpp
std::string noun_of(const fs::path& source) {
  constexpr std::string_view kPrefix = "test_";
  std::string stem = source.stem().string();
  if (stem.starts_with(kPrefix)) stem.erase(0, kPrefix.size());
  return source.parent_path().filename().string() + "." + stem;
}

std::string driver() {
  const char* name = std::getenv("ANYCL_TEST_DRIVER");
  return name != nullptr ? name : "-";
}

}  // namespace

std::string name_without_cases(const std::string& name) { return std::regex_replace(name, bracketed_case(), ""); }

void note_case_result(const std::string& source, const std::string& name, const std::string& tags, TestEnd end) {
  const char* folder = std::getenv("ANYCL_CASE_RESULTS");
  const auto cases = cases_in(name + tags);
  if (folder == nullptr || cases.empty()) return;
  std::string lines;
  for (const std::string& one : cases)
    lines += one + '\t' + noun_of(source) + ": " + name_without_cases(name) + '\t' + driver() + '\t' +
             std::string(text_of(end)) + '\n';
  fs::create_directories(folder);
  // Many processes add to the file: one write each, at its end.
  std::ofstream file(fs::path(folder) / "results", std::ios::app);
  if (!(file << lines << std::flush)) throw std::runtime_error("cannot write to the folder " + std::string(folder));
}

}  // namespace anycl::test
