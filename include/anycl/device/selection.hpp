/// \file  Choosing devices by text. Layer 1 (device).
///
/// A selection is a comma-separated list of terms `[platform:][kind:][name|index]`, in order of preference:
///   `gpu`  `intel`  `pocl:cpu`  `nvidia:0`  `*Arc*`  `rusticl:cpu:llvm*`  `!pocl` (leaves out; alone, of all there is)
/// Words are case-insensitive globs (`*`, and `?` which also stands for a comma or colon in a name). A platform is met
/// by its name or alias; kinds are gpu, discrete, integrated, cpu, accelerator, emulator. An index counts within what
/// stands before it, in the order of `anycl devices`; a bare index is legal with one platform only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "anycl/device/device.hpp"

namespace anycl {

/// A device and the one-line reason why it stands where it does.
struct ChosenDevice {
  Device device;
  std::string reason;
};

/// Devices in order of preference. `selection` chooses within what ANYCL_DEVICES leaves visible; an empty one takes all
/// of that. With neither, each piece of silicon is taken once, under the driver known to be fastest for it, ordered
/// discrete > integrated > cpu; emulators are taken only when named.
/// \throws InvalidArgument  for a malformed selection.
/// \throws NoDevice         when nothing matches; lists every device and why it was left out.
[[nodiscard]] ANYCL_API std::vector<ChosenDevice> choose_devices(const Discovery& discovery,
                                                                 std::string_view selection = {});

}  // namespace anycl
