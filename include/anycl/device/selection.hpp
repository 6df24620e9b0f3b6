/// \file  Choosing devices by text or by condition. Layer 1 (device).
///
/// A selection is a comma-separated list of terms `[platform:][kind:][name|index]`, in order of preference:
///   `gpu`  `intel`  `pocl:cpu`  `nvidia:0`  `*Arc*`  `rusticl:cpu:llvm*`  `!pocl` (leaves out; alone, of the default)
/// Words are case-insensitive globs (`*`, and `?` which also stands for a comma or colon in a name). A platform is met
/// by its name or alias; kinds are gpu, discrete, integrated, cpu, accelerator, emulator. An index counts within what
/// stands before it, best device first as `anycl devices` shows them, whatever other terms leave out; a bare index is legal
/// with one platform only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "anycl/device/device.hpp"
#include "anycl/device/selector.hpp"

namespace anycl {

/// A device and the one-line reason why it stands where it does.
struct ChosenDevice {
  Device device;
  std::string reason;
};

/// A device that is not used and the one-line reason why.
struct LeftOutDevice {
  Device device;
  std::string reason;
};

struct DeviceRanking {
  std::vector<ChosenDevice> chosen;  ///< in order of preference
  std::vector<LeftOutDevice> left_out;
};

/// Devices in order of preference, and the others. `selection` chooses within what ANYCL_DEVICES leaves visible; an empty one takes all
/// of that. With neither, each piece of silicon is taken once, under the driver known to be fastest for it, ordered
/// discrete > integrated > cpu, then by estimated throughput; emulators are taken only when named.
/// \throws InvalidArgument  for a malformed selection.
[[nodiscard]] ANYCL_API DeviceRanking rank_devices(const Discovery& discovery, std::string_view selection = {});

/// The same for the devices that meet `selector`, in the order of ANYCL_DEVICES if that names devices, else in the default
/// order: each piece of silicon once, but for drivers and devices that `selector` asks for by name.
[[nodiscard]] ANYCL_API DeviceRanking rank_devices(const Discovery& discovery, const Selector& selector);

/// The chosen ones of `rank_devices()`, at least one.
/// \throws InvalidArgument  for a malformed selection.
/// \throws NoDevice         when nothing matches; lists every device and why it was left out.
[[nodiscard]] ANYCL_API std::vector<ChosenDevice> choose_devices(const Discovery& discovery,
                                                                 std::string_view selection = {});

/// \throws NoDevice  when nothing meets `selector`; lists every device and why it was left out.
[[nodiscard]] ANYCL_API std::vector<ChosenDevice> choose_devices(const Discovery& discovery, const Selector& selector);

}  // namespace anycl
