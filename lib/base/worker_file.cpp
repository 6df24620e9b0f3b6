#include "base/worker_file.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/environment.hpp"
#include "base/os_library.hpp"

namespace anycl {
namespace {

namespace fs = std::filesystem;

/// The file that this code is in.
fs::path own_file() { return os::file_of(reinterpret_cast<const void*>(&find_worker)); }

/// Beside the library as it is installed, and as it is built; also where links to the library lead.
std::vector<std::string> usual_places() {
  std::vector<std::string> places;
  std::error_code failed;
  for (const fs::path& file : {own_file(), fs::canonical(own_file(), failed)})
    for (const char* libexec : {ANYCL_LIBDIR_TO_LIBEXECDIR, "../libexec"}) {
      const std::string place = file.parent_path() / libexec / "anycl" / "anycl-worker";
      if (file.is_absolute() && std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
  return places;
}

}  // namespace

std::optional<std::string> find_worker(std::string& problem) {
  const auto named = environment("ANYCL_WORKER");
  const std::vector<std::string> places = named ? std::vector{*named} : usual_places();
  for (const std::string& place : places) {
    std::error_code failed;
    if (fs::is_regular_file(place, failed)) return place;
  }
  problem = fmt::format("anycl-worker is not there: {}", fmt::join(places, ", "));
  return std::nullopt;
}

}  // namespace anycl
