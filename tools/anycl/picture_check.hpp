/// \file  A device's picture compared with the host's.
#pragma once

#include <string>
#include <vector>

#include "anycl/context/queue.hpp"
#include "anycl/image/host.hpp"
#include "anycl/image/picture.hpp"
#include "anycl/image/pipeline.hpp"

namespace anycl::command {

struct StepCheck {
  std::string name;
  image::Difference difference;
  int bound = 0;  ///< what the filter may differ by

  [[nodiscard]] bool passed() const noexcept { return difference.largest <= bound; }
};

struct PictureCheck {
  std::vector<StepCheck> steps;
  image::Difference repetition;  ///< between the checked picture and the same steps run one by one

  [[nodiscard]] bool passed() const noexcept;
};

/// Runs the steps on the device one by one, each compared with the host's result for the same input: so every filter is
/// held to its own bound, while over the whole pipeline a difference of 1 may grow without limit. Then the last picture
/// must be `result`, byte for byte, which ties what was checked to what is written.
[[nodiscard]] PictureCheck check_on_host(Queue& queue, const image::Pipeline& pipeline, image::Picture original,
                                         const image::Picture& result);

}  // namespace anycl::command
