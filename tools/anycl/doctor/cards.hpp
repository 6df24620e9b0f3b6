/// \file  Cards that could compute, as the kernel lists them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::command {

/// A maker of cards that has OpenCL drivers.
struct CardMaker {
  std::string_view vendor;  ///< as sysfs and our reports write it, "0x10de"
  std::string_view name;
  std::string_view package;                     ///< what to do to get its OpenCL driver
  std::span<const std::string_view> modules;    ///< of the kernel: those that its OpenCL drivers work with
  std::span<const std::string_view> libraries;  ///< of its own OpenCL drivers, as patterns
  std::string_view node_folder;                 ///< where the device nodes lie that its cards need, below /
  std::string_view node_pattern;                ///< of their names
  std::string_view node_advice;                 ///< what makes them
};

struct Card {
  const CardMaker* maker;
  std::string ids;     ///< "10de:2204"
  std::string place;   ///< "0000:01:00.0"
  std::string module;  ///< of the kernel, that drives it; empty: none does

  /// "NVIDIA card 10de:2204 at 0000:01:00.0"
  [[nodiscard]] std::string name() const;

  /// The kernel drives it by a module that its maker's OpenCL drivers work with.
  [[nodiscard]] bool has_module() const;
};

/// Display controllers and AMD's processing accelerators in `root`/sys, by place. Waits for nothing that lies there.
[[nodiscard]] std::vector<Card> cards_below(const std::string& root);

}  // namespace anycl::command
