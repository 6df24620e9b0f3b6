/// \file  What ANYCL_TEST_LAYER says. The grammar is in README.md beside this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <CL/cl_icd.h>

#include "entries.hpp"
#include "handle_types.hpp"
#include "info_params.hpp"

namespace anycl::test_layer {

/// Which of the calls that a rule is about it acts on. They are numbered from 1.
struct Pick {
  static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

  /// With chances the choice depends on the number alone: a seed gives the same one in every run.
  [[nodiscard]] bool takes(std::uint64_t number) const;

  std::uint64_t at = 1;
  std::uint64_t count = kAll;  ///< so many from `at` on
  std::uint64_t every = 1;
  double chance = 1;
  std::uint64_t seed = 0;
};

struct FailRule {
  EntrySet entries;
  std::optional<cl_uint> param;  ///< only queries of this one
  Pick pick;
  cl_int code = 0;
};

struct LostRule {
  std::uint64_t after = 0;
  std::uint64_t until = Pick::kAll;
  cl_int code = 0;
};

struct AnswerRule {
  enum class Change { text, trailing_nuls, number, list, without, with, error };

  InfoParam param;
  std::string device;  ///< glob over real names of devices; empty: all
  Change change;
  std::string text;
  std::vector<std::uint64_t> numbers;  ///< one of them but for `list`
  std::vector<std::string> names;
};

struct CorruptRule {
  Pick pick;
  std::size_t byte = 0;
};

struct DelayRule {
  std::uint64_t ms = 0;
  Pick pick;
};

enum class Clock { real, reversed, zero, tick, untouched };

struct Rules {
  std::vector<FailRule> fail;
  std::vector<LostRule> lost;
  std::vector<AnswerRule> answer;
  std::vector<CorruptRule> corrupt;
  std::optional<std::vector<cl_channel_order>> formats;  ///< only images of these channel orders
  cl_uint split = 1;                                     ///< sub-devices in the place of each device
  bool hold = false;
  std::optional<DelayRule> delay;
  std::optional<std::uint64_t> reorder;  ///< seed
  Clock clock = Clock::real;
  bool handles = false;          ///< handles left at exit fail the process
  HandleSet handles_may_remain;  ///< but for these types
  bool late = false;             ///< late calls fail the process
};

/// what() names the rule, where the trouble is in the text (columns count from 1), and what would be right.
struct RuleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// \throws RuleError
[[nodiscard]] Rules parse_rules(std::string_view text);

}  // namespace anycl::test_layer
