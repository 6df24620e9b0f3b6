// Every filter there is, small, in all builds: tests/oclgrind/gate.py runs this under Oclgrind.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "anycl/image/filter.hpp"
#include "anycl/image/host.hpp"
#include "image/variant.hpp"
#include "oclgrind/launch_log.hpp"
#include "reference/image.hpp"
#include "support/catch.hpp"
#include "support/filter_uses.hpp"

using namespace anycl;
using image::Picture;
using image::detail::Variant;

namespace {

using Size = std::pair<std::size_t, std::size_t>;

/// Single pixels and lines, whole runs of 4 and 16 elements and runs that hang over, two segments of 64 pixels. Equalize
/// looks at no neighbours, and its table takes 131,072 steps in simulation at any size: two will do.
std::vector<Size> sizes_for(const image::Filter& filter) {
  if (filter.kind == image::FilterKind::equalize) return {{1, 1}, {17, 3}};
  return {{1, 1}, {1, 9}, {7, 5}, {16, 2}, {17, 3}, {66, 1}};
}

void check_against_host(Queue& queue, const std::string& text, const Picture& picture, const Variant& variant) {
  const auto pipeline = image::Pipeline::parse(text);
  const image::Step& step = pipeline.steps().front();

  Picture got = picture;
  image::detail::run(queue, pipeline, got, variant);

  CHECK(image::difference(got, image::apply_on_host(step, picture)).largest <= step.filter->largest_difference);
}

void check_all_filters(int channels, const Variant& variant) {
  test::on_oclgrind([&](test::Rig& rig) {
    for (const image::Filter& filter : image::filters())
      for (const auto& [width, height] : sizes_for(filter))
        for (const std::string& text : test::filter_uses(filter)) {
          CAPTURE(text, width, height, channels, variant.lanes, variant.wide_index);
          const Picture picture = test::random_picture(width, height, channels, width * 100 + height);

          check_against_host(rig.queue, text, picture, variant);
        }
  });
}

}  // namespace

TEST_CASE("every filter agrees with the host", "[oclgrind][limits]") {
  const int channels = GENERATE(1, 2, 3, 4);

  check_all_filters(channels, {});
}

TEST_CASE("every filter agrees with the host in its other builds", "[oclgrind][builds]") {
  const int channels = GENERATE(1, 2, 3, 4);
  const Variant variant = GENERATE(Variant{4, true}, Variant{16, false}, Variant{16, true});

  check_all_filters(channels, variant);
}

TEST_CASE("equalize counts a picture in several groups", "[oclgrind][limits]") {
  const Picture picture = test::random_picture(131, 127, 1, 1);  // a group counts 16,384 pixels

  test::on_oclgrind([&](test::Rig& rig) { check_against_host(rig.queue, "equalize", picture, {}); });
}

TEST_CASE("the scene is the same in every build", "[oclgrind][limits]") {
  test::on_oclgrind([](test::Rig& rig) {
    for (const auto& [width, height] : {Size{1, 1}, Size{33, 1}, Size{7, 5}, Size{17, 3}}) {
      CAPTURE(width, height);
      const Picture narrow = image::detail::render_scene(rig.queue, width, height, {.wide_index = false});
      const Picture wide = image::detail::render_scene(rig.queue, width, height, {.wide_index = true});

      CHECK(narrow == wide);
    }
  });
}
