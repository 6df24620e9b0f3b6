/// \file  A list of filters to run one after the other, and the text that describes it. Layer 7 (image).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anycl/export.hpp"
#include "anycl/image/filter.hpp"

namespace anycl::image {

/// A filter with its numbers: as many as `filter->parameters`, all within their bounds.
struct Step {
  const Filter* filter = nullptr;
  std::vector<double> arguments;
};

/// "gaussian(1.4)"; numbers that were left out are written.
[[nodiscard]] ANYCL_API std::string to_string(const Step& step);

/// At least one step. Immutable; copies are independent.
class ANYCL_API Pipeline {
 public:
  /// Reads `name[(number[, number])] | name ...`. Blanks are free between the parts; numbers use a point in every locale.
  /// Takes time linear in the length of `text`.
  /// \throws InvalidArgument  on anything else; the line names the column (in bytes, from 1) and what is allowed there.
  [[nodiscard]] static Pipeline parse(std::string_view text);

  [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }

 private:
  explicit Pipeline(std::vector<Step> steps) noexcept : steps_(std::move(steps)) {}

  std::vector<Step> steps_;
};

/// The text in its normal form, which parses back to the same steps: "gaussian(1.4) | median(3) | sobel".
[[nodiscard]] ANYCL_API std::string to_string(const Pipeline& pipeline);

}  // namespace anycl::image
