#include "picture_check.hpp"

#include <algorithm>
#include <utility>

#include "anycl/image/run.hpp"

namespace anycl::command {
namespace {

StepCheck check_step(Queue& queue, const image::Step& step, image::Picture& picture) {
  const image::Picture expected = apply_on_host(step, picture);
  image::run(queue, image::Pipeline::parse(to_string(step)), picture);
  return {to_string(step), difference(picture, expected), step.filter->largest_difference};
}

}  // namespace

bool PictureCheck::passed() const noexcept {
  return repetition.largest == 0 &&
         std::all_of(steps.begin(), steps.end(), [](const StepCheck& step) { return step.passed(); });
}

PictureCheck check_on_host(Queue& queue, const image::Pipeline& pipeline, image::Picture original,
                           const image::Picture& result) {
  PictureCheck check;
  image::Picture picture = std::move(original);
  for (const image::Step& step : pipeline.steps()) check.steps.push_back(check_step(queue, step, picture));
  check.repetition = difference(picture, result);
  return check;
}

}  // namespace anycl::command
