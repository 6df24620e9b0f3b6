// Needs: a driver with compiler, threads
#include "anycl/image/run.hpp"

#include <cmath>
#include <string>
#include <tuple>

#include "anycl/base/error.hpp"
#include "anycl/image/host.hpp"
#include "reference/image.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"

using namespace anycl;
using image::Picture;
using image::Pipeline;

namespace {

Picture on_device(Queue& queue, const std::string& pipeline, Picture picture) {
  image::run(queue, Pipeline::parse(pipeline), picture);
  return picture;
}

/// Edges of every kind of group and of every run of lanes: single pixels, lines, primes, one more than a power of two.
Picture odd_picture() {
  const auto [width, height] =
      GENERATE(table<std::size_t, std::size_t>({{1, 1}, {1, 37}, {41, 1}, {2, 3}, {17, 31}, {65, 33}, {257, 5}}));
  const int channels = GENERATE(1, 2, 3, 4);
  return test::random_picture(width, height, channels, width * 1000 + height * 10 + static_cast<std::size_t>(channels));
}

/// Bytes of `got` that no rounding of the exact value within `slack` gives.
std::size_t wrong_gaussian_bytes(const Picture& got, const Picture& picture, double sigma, double slack) {
  std::size_t wrong = 0;
  std::size_t i = 0;
  for (std::size_t y = 0; y < picture.height; ++y)
    for (std::size_t x = 0; x < picture.width; ++x)
      for (int channel = 0; channel < picture.channels; ++channel, ++i) {
        if (channel >= image::colour_channels(picture)) continue;
        const double exact = test::gaussian_value(picture, sigma, x, y, channel);
        const double value = got.pixels[i];
        if (value < std::floor(exact - slack + 0.5) || value > std::floor(exact + slack + 0.5)) ++wrong;
      }
  return wrong;
}

bool same_alpha(const Picture& left, const Picture& right) {
  if (!image::has_alpha(left)) return true;
  const auto channels = static_cast<std::size_t>(left.channels);
  for (std::size_t i = channels - 1; i < left.pixels.size(); i += channels)
    if (left.pixels[i] != right.pixels[i]) return false;
  return true;
}

}  // namespace

TEST_CASE("gaussian on a device stays within its bound of the exact value", "[image][run]") {
  const Picture picture = odd_picture();
  const double sigma = GENERATE(0.1, 1.4, 6.0);
  CAPTURE(picture.width, picture.height, picture.channels, sigma);

  test::for_each_device([&](test::Rig& rig) {
    const Picture got = on_device(rig.queue, "gaussian(" + image::to_string(sigma) + ")", picture);

    // Sums in float are off by less than 0.03 (cl_kernels/image/gaussian.cl); only values so near to a half may round
    // to the other side.
    CHECK(wrong_gaussian_bytes(got, picture, sigma, 0.03) == 0);
    CHECK(same_alpha(got, picture));
  });
}

TEST_CASE("median on a device is exact for every window", "[image][run]") {
  const Picture picture = odd_picture();
  const int side = GENERATE(1, 3, 5, 7, 31);
  CAPTURE(picture.width, picture.height, picture.channels, side);

  test::for_each_device([&](test::Rig& rig) {
    const Picture got = on_device(rig.queue, "median(" + std::to_string(side) + ")", picture);

    CHECK(got == test::median_reference(picture, side));
  });
}

TEST_CASE("sobel and equalize on a device are exact", "[image][run]") {
  const Picture picture = odd_picture();
  CAPTURE(picture.width, picture.height, picture.channels);

  test::for_each_device([&](test::Rig& rig) {
    CHECK(on_device(rig.queue, "sobel", picture) == test::sobel_reference(picture));
    CHECK(on_device(rig.queue, "equalize", picture) == test::equalize_reference(picture));
  });
}

TEST_CASE("a large picture is right in every pixel", "[image][run]") {
  const Picture picture = test::random_picture(4096, 4096, 1, 7);

  test::for_each_device([&](test::Rig& rig) {
    for (const char* text : {"gaussian(1.4)", "median(3)", "sobel", "equalize"}) {
      const Pipeline pipeline = Pipeline::parse(text);
      const image::Step& step = pipeline.steps().front();
      CAPTURE(text);

      const Picture got = on_device(rig.queue, text, picture);

      CHECK(image::difference(got, image::apply_on_host(step, picture)).largest <= step.filter->largest_difference);
    }
  });
}

TEST_CASE("steps run in order, each on the result of the one before", "[image][run]") {
  const Picture picture = test::random_picture(67, 45, 3, 11);

  test::for_each_device([&](test::Rig& rig) {
    Picture by_hand = picture;
    for (const char* step : {"median(3)", "sobel", "equalize"}) by_hand = on_device(rig.queue, step, by_hand);

    CHECK(on_device(rig.queue, "median(3) | sobel | equalize", picture) == by_hand);
  });
}

TEST_CASE("a run takes at most three pictures of device memory and moves each byte once", "[image][run]") {
  Picture picture = test::random_picture(4096, 4096, 1, 3);
  const std::size_t size = picture.pixels.size();

  test::for_each_device([&](test::Rig& rig) {
    const auto report = image::run(rig.queue, Pipeline::parse("gaussian(1.4) | median(3) | sobel | equalize"), picture);

    CHECK(report.peak_device_bytes <= 3 * size);
    CHECK(report.bytes_to_device == size);
    CHECK(report.bytes_to_host == size);
    CHECK(report.steps.size() == 4);
  });
}

TEST_CASE("pictures without pixels, or with wrong ones, are refused", "[image][run]") {
  const Pipeline pipeline = Pipeline::parse("sobel");

  test::for_each_device([&](test::Rig& rig) {
    Picture empty;
    CHECK_THROWS_AS(image::run(rig.queue, pipeline, empty), InvalidArgument);
    Picture five_channels{.width = 1, .height = 1, .channels = 5, .pixels = std::vector<std::uint8_t>(5)};
    CHECK_THROWS_AS(image::run(rig.queue, pipeline, five_channels), InvalidArgument);
    Picture short_of_one{.width = 4, .height = 4, .channels = 1, .pixels = std::vector<std::uint8_t>(15)};
    CHECK_THROWS_AS(image::run(rig.queue, pipeline, short_of_one), InvalidArgument);
    CHECK_THROWS_AS(image::render_scene(rig.queue, 0, 10), InvalidArgument);
    CHECK_THROWS_AS(image::render_scene(rig.queue, 16385, 10), InvalidArgument);
  });
}

TEST_CASE("the scene has edges, texture and noise", "[image][run]") {
  test::for_each_device([&](test::Rig& rig) {
    const Picture scene = image::render_scene(rig.queue, 160, 90);

    const Picture edges = on_device(rig.queue, "sobel", scene);
    const Picture calm = on_device(rig.queue, "median(3)", scene);
    std::size_t strong = 0;
    for (const std::uint8_t value : edges.pixels) strong += value > 128 ? 1 : 0;
    CHECK(strong > edges.pixels.size() / 50);
    CHECK(image::difference(scene, calm).bytes > scene.pixels.size() / 2);
    CHECK(image::render_scene(rig.queue, 160, 90) == scene);
  });
}
