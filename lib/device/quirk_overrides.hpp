/// \file  Changes to what is known of drivers, by the user. Layer 1 (device).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace anycl::detail {

/// Comma-separated terms: `!quirk` leaves a line of the quirk table out, `fact=value` sets a fact of all devices. Terms
/// that mean nothing are left out.
class QuirkOverrides {
 public:
  struct Fact {
    std::string name;
    std::string value;
  };

  QuirkOverrides() = default;
  explicit QuirkOverrides(std::string_view text);

  /// What ANYCL_QUIRKS says; warns of terms that mean nothing.
  [[nodiscard]] static QuirkOverrides from_environment();

  [[nodiscard]] bool leave_out(std::string_view quirk) const {
    return std::find(left_out_.begin(), left_out_.end(), quirk) != left_out_.end();
  }
  [[nodiscard]] const std::vector<Fact>& facts() const noexcept { return facts_; }
  /// As they stood in the text.
  [[nodiscard]] const std::vector<std::string>& bad_terms() const noexcept { return bad_terms_; }

 private:
  void add(std::string_view term);

  std::vector<std::string> left_out_;
  std::vector<Fact> facts_;
  std::vector<std::string> bad_terms_;
};

}  // namespace anycl::detail
