/// \file  What a driver answers when the library, whose care hides nonsense, is passed by. For a child.
#pragma once

#include <string>
#include <vector>

#include "anycl/device/device.hpp"
#include "doctor/finding.hpp"

namespace anycl::command {

/// A list that the driver cannot give.
struct BadList {
  std::string platform;  ///< whose devices it is of; empty: of platforms
  std::string text;
};

/// Asks how many platforms there are, and how many devices each has.
/// \throws NoDevice  when the loader lacks a function
[[nodiscard]] std::vector<BadList> find_bad_lists();

/// Of a device's limits: those with which it cannot be used fail, and those that no device has are a warning.
/// \throws NoDevice  when the loader lacks a function
[[nodiscard]] Findings judge_facts(const Device& device);

}  // namespace anycl::command
