/// \file  What makes two builds the same build. Layer 3 (program).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "anycl/device/device.hpp"
#include "base/digest.hpp"

namespace anycl::detail {

struct CacheKey {
  Digest digest{};
  std::string fields;  ///< all fields in full, length-prefixed: an entry is used only if these agree too

  /// For names of maps.
  [[nodiscard]] std::string hex() const { return to_hex(digest); }
};

/// Key of a source called `name`, of which `text` is all that the compiler gets, built with `options` for `device` as this process would build it:
/// driver and its version, extensions, the host's instruction sets for CPU devices, the variables by which the driver
/// lets users steer its compiler. Never handles, indices or times.
[[nodiscard]] CacheKey make_cache_key(std::string_view name, std::string_view text, std::string_view options,
                                      const Device& device);

/// What a key's fields say of the build, for people.
struct BuildOrigin {
  Digest digest{};  ///< of the key
  std::string source, options, device, platform, driver_version, library_version;
};

/// Nothing for a text that is not the fields of a key.
[[nodiscard]] std::optional<BuildOrigin> origin_of(std::string_view fields);

}  // namespace anycl::detail
