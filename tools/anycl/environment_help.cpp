#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "base/scaled_number.hpp"
#include "command.hpp"
#include "printable.hpp"

namespace anycl::command {
namespace {

struct Variable {
  const char* name;
  std::string_view fallback;
  bool (*accepts)(std::string_view value);  ///< null: anything
  std::string_view meaning;
};

template <std::size_t N>
bool is_among(const std::string_view (&words)[N], std::string_view value) {
  return std::find(std::begin(words), std::end(words), value) != std::end(words);
}

bool is_log_level(std::string_view value) {
  static constexpr std::string_view words[] = {"off", "error", "warn", "info", "debug", "trace"};
  return is_among(words, value);
}

bool is_cache_mode(std::string_view value) {
  static constexpr std::string_view words[] = {"on", "off", "readonly", "verify"};
  return is_among(words, value);
}

bool is_child_or_inline(std::string_view value) {
  static constexpr std::string_view words[] = {"child", "inline"};
  return is_among(words, value);
}

bool is_number_of_seconds(std::string_view value) {
  unsigned seconds = 0;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  return failed == std::errc{} && end == value.data() + value.size();
}

bool is_time(std::string_view value) {
  return is_number_of_seconds(value) && value.find_first_not_of('0') != std::string_view::npos;
}

bool is_number_of_bytes(std::string_view value) { return parse_scaled_number(value).has_value(); }

constexpr Variable kVariables[] = {
    {"ANYCL_DEVICES", "every device, each piece of silicon once", nullptr,
     "which devices may be used, in order of preference: comma-separated terms\n"
     "  [!][platform:][kind:][name|index]; '!' leaves out; *, ? as in file names;\n"
     "  kinds: gpu, discrete, integrated, cpu, accelerator, emulator"},
    {"ANYCL_DRIVERS", "every driver", nullptr,
     "drivers that are not to be loaded: comma-separated !name; the name of the .icd file or of\n"
     "  its library; *, ? as in file names"},
    {"ANYCL_PROBE", "child for drivers that were not tried before as they are now", is_child_or_inline,
     "child: try every driver in a child process, and leave out those that crash or hang there;\n"
     "  inline: try none"},
    {"ANYCL_PROBE_LIMIT", "5", is_time, "seconds, one at least, that a driver may take to answer when it is tried"},
    {"ANYCL_WORKER", "anycl-worker, in libexec/anycl beside the library's folder", nullptr,
     "the program that tries drivers and builds kernels"},
    {"ANYCL_BUILD", "inline", is_child_or_inline,
     "child: build kernels in a child process, where a compiler may crash, hang and take all memory;\n"
     "  inline: build them here"},
    {"ANYCL_BUILD_MEMORY", "4G", is_number_of_bytes, "bytes that such a child may take (K, M, G, T: powers of 1024)"},
    {"ANYCL_BUILD_LIMIT", "60", is_number_of_seconds, "seconds that the build of one program may take"},
    {"ANYCL_LOG", "warn", is_log_level, "what is logged to stderr: off, error, warn, info, debug or trace"},
    {"ANYCL_CACHE", "on", is_cache_mode,
     "the cache of built kernels on disk: on, off, readonly, or verify: what is found is built too, and compared"},
    {"ANYCL_CACHE_DIR", "$XDG_CACHE_HOME/anycl, else .cache/anycl in the home folder", nullptr,
     "where that cache lives; the folder must be yours alone (mode 0700)"},
    {"ANYCL_SYSTEM_CACHE_DIR", "/var/cache/anycl", nullptr,
     "a second folder of built kernels, only read, which serves all users; root's, and written by root alone"},
    {"ANYCL_CACHE_LIMIT", "1G", is_number_of_bytes,
     "bytes that all kernels in it may take (K, M, G, T: powers of 1024); over that the longest unused go"},
    {"ANYCL_KERNEL_PATH", "no folder", nullptr,
     "folders with edited kernels, colon-separated: a file there takes the place of the one of the same\n"
     "  path that is compiled into the program, or into the library (image/sobel.cl)"},
    {"ANYCL_QUIRKS", "what is known of each driver", nullptr,
     "corrects what is known of drivers' faults: comma-separated terms\n"
     "  !quirk leaves one out that 'anycl devices -v' names;\n"
     "  fact=value sets one of all devices: a number (K, M, G, T: powers of 1024) or none for\n"
     "    max_loop_iterations, max_global_items, max_total_items, max_fill_bytes, large_buffer_flag;\n"
     "  on or off for timestamps_untrusted, one_context_per_device, binary_query_blocks,\n"
     "    build_races, binary_loses_argument_info, sub_device_release_races, warnings_stay, one_thread_only"},
    {"ANYCL_TEARDOWN_LIMIT", "10", is_number_of_seconds,
     "seconds that closing a context waits for work that does not end"},
};

std::string in_force(const Variable& variable) {
  const char* value = std::getenv(variable.name);
  if (value == nullptr || *value == '\0') return "the default";
  if (variable.accepts != nullptr && !variable.accepts(value))
    return fmt::format("the default ('{}' is set, which is not understood)", printable(value));
  return fmt::format("'{}'", printable(value));
}

}  // namespace

void print_environment() {
  fmt::print("Environment variables that anycl reads. An empty one counts as unset.\n");
  for (const Variable& variable : kVariables)
    fmt::print("\n{}\n  {}\n  default:  {}\n  in force: {}\n", variable.name, variable.meaning, variable.fallback,
               in_force(variable));
}

}  // namespace anycl::command
