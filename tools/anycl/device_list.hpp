/// \file  The devices of this machine in the order in which they would be used, each with the reason why.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "anycl/device/device.hpp"
#include "json_document.hpp"

namespace anycl::command {

struct ListedDevice {
  Device device;
  std::optional<std::size_t> rank;  ///< 0 is used first; empty: left out
  std::string reason;               ///< of its rank, or for leaving it out
};

/// Chosen devices by rank, then the others.
/// \throws InvalidArgument  for a malformed ANYCL_DEVICES.
/// \throws NoDevice         when there is none at all.
[[nodiscard]] std::vector<ListedDevice> list_devices(const Discovery& discovery);

/// \throws NoDevice  when no device is left to use, with the reason for each.
void require_device(const Discovery& discovery);

/// What a user of `device` must know before trusting it, one line each.
[[nodiscard]] std::vector<std::string> cautions(const Device& device);

/// Facts that every device must tell and this one does not: "its version, its memory"; empty when it tells all.
[[nodiscard]] std::string missing_facts(const Capabilities& facts);

/// "pocl 'cpu-haswell-AMD EPYC' (cpu)"
[[nodiscard]] std::string title(const Device& device);

/// {"driver": "pocl", "name": "cpu-haswell-AMD EPYC", "kind": "cpu"}
[[nodiscard]] Json device_name(const Device& device);

}  // namespace anycl::command
