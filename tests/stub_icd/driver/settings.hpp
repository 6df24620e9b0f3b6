/// \file  How a stub behaves, and the text that says so. README.md has the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CL/cl.h>

namespace anycl::stub {

struct Settings {
  enum class Load { normal, abort, sleep, fail };
  enum class Platforms { listed, sleep, abort, none, error, null };
  enum class Build { good, never, crash, crash_optimised, devour, slow, fail, fail_first };
  enum class Binary { accepted, refused, refused_late };

  Load load = Load::normal;
  double load_seconds = 0;

  Platforms platforms = Platforms::listed;
  double platforms_seconds = 0;
  cl_int platforms_error = CL_SUCCESS;
  cl_uint null_platforms = 0;  ///< for null

  std::vector<std::string> devices{"plain"};  ///< keys of models; empty: a platform without devices
  std::optional<cl_uint> claimed_devices;     ///< how many there are, it says
  std::optional<std::string> platform_name;
  std::optional<std::string> chatter;
  std::optional<std::string> device_name;
  std::optional<std::string> driver_version;

  Build build = Build::good;
  double build_seconds = 0;
  std::uint64_t failing_builds = 0;  ///< for fail_first
  Binary binary = Binary::accepted;

  std::uint64_t kernel_ns = 0;       ///< what each kernel takes, at least
  std::uint64_t failing_kernel = 0;  ///< the kernel command, counted from 1, that fails; 0: none
  bool never_finishes = false;       ///< commands stay in their queues for ever
  bool link_modelled = false;        ///< transfers take as long as the model's link needs
  std::uint64_t memory_bytes = 0;    ///< what all buffers together may take; 0: no limit
};

/// `key=value` separated by `;`. \throws std::invalid_argument  one line that names the setting and what it takes.
[[nodiscard]] Settings parse_settings(std::string_view text);

}  // namespace anycl::stub
