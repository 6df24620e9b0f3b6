// Needs: no driver
#include "anycl/image/host.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "anycl/base/error.hpp"
#include "reference/image.hpp"
#include "support/catch.hpp"

using namespace anycl;
using image::apply_on_host;
using image::Picture;
using image::Pipeline;

namespace {

Picture filtered(const std::string& pipeline, const Picture& picture) {
  return apply_on_host(Pipeline::parse(pipeline), picture);
}

Picture grey(std::size_t width, std::size_t height, std::vector<std::uint8_t> pixels) {
  return {.width = width, .height = height, .channels = 1, .pixels = std::move(pixels)};
}

Picture any_picture() {
  const auto [width, height] =
      GENERATE(table<std::size_t, std::size_t>({{1, 1}, {1, 9}, {9, 1}, {2, 2}, {17, 31}, {31, 17}}));
  const int channels = GENERATE(1, 2, 3, 4);
  return test::random_picture(width, height, channels, width * 100 + height * 10 + static_cast<std::size_t>(channels));
}

}  // namespace

TEST_CASE("gaussian rounds the exact value of every pixel", "[image][host]") {
  const Picture picture = any_picture();
  const double sigma = GENERATE(0.1, 0.8, 1.4, 5.0);
  CAPTURE(picture.width, picture.height, picture.channels, sigma);

  const Picture got = filtered("gaussian(" + image::to_string(sigma) + ")", picture);

  std::size_t wrong = 0;
  std::size_t i = 0;
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      for (int channel = 0; channel < picture.channels; ++channel, ++i) {
        if (channel >= image::colour_channels(picture)) continue;
        const double exact = test::gaussian_value(picture, sigma, x, y, channel);
        // Two orders of summation in double differ by less than 1e-9: nearer to a half than that, both bytes are right.
        const bool tie = std::abs(exact - std::floor(exact) - 0.5) < 1e-9;
        if (!tie && got.pixels[i] != std::floor(exact + 0.5)) ++wrong;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("gaussian leaves a flat picture as it is, at the widest window too", "[image][host]") {
  const auto value = GENERATE(as<std::uint8_t>{}, 0, 1, 127, 254, 255);
  const Picture picture = grey(5, 3, std::vector<std::uint8_t>(15, value));

  CHECK(filtered("gaussian(100)", picture) == picture);
}

TEST_CASE("median is the middle of the sorted window", "[image][host]") {
  const Picture picture = any_picture();
  const int side = GENERATE(1, 3, 5, 7, 31);
  CAPTURE(picture.width, picture.height, picture.channels, side);

  CHECK(filtered("median(" + std::to_string(side) + ")", picture) == test::median_reference(picture, side));
}

TEST_CASE("sobel is the rounded magnitude of both masks", "[image][host]") {
  const Picture picture = any_picture();
  CAPTURE(picture.width, picture.height, picture.channels);

  CHECK(filtered("sobel", picture) == test::sobel_reference(picture));
}

TEST_CASE("equalize follows its formula", "[image][host]") {
  const Picture picture = any_picture();
  CAPTURE(picture.width, picture.height, picture.channels);

  CHECK(filtered("equalize", picture) == test::equalize_reference(picture));
}

TEST_CASE("filters agree with values worked out by hand", "[image][host]") {
  // N = 4, cmin = 2: 1 -> 255 * (3 - 2) / 2 = 127.5, half up.
  CHECK(filtered("equalize", grey(4, 1, {0, 0, 1, 3})).pixels == std::vector<std::uint8_t>{0, 0, 128, 255});
  CHECK(filtered("equalize", grey(2, 2, {7, 7, 7, 7})).pixels == std::vector<std::uint8_t>{7, 7, 7, 7});
  // A step of 10 over the whole height: 1 + 2 + 1 times 10, on both sides of the edge.
  CHECK(filtered("sobel", grey(4, 1, {0, 0, 10, 10})).pixels == std::vector<std::uint8_t>{0, 40, 40, 0});
  CHECK(filtered("sobel", grey(4, 1, {0, 0, 255, 255})).pixels == std::vector<std::uint8_t>{0, 255, 255, 0});
  // Windows of the first row: 9 9 1 | 9 1 5 | 1 5 5, each three times.
  CHECK(filtered("median(3)", grey(3, 1, {9, 1, 5})).pixels == std::vector<std::uint8_t>{9, 5, 5});
  // sigma 0.5, radius 2: weights 0.7869... in the middle and 0.1064... beside it, 0.0003 beyond.
  CHECK(filtered("gaussian(0.5)", grey(5, 1, {0, 0, 100, 0, 0})).pixels == std::vector<std::uint8_t>{0, 11, 79, 11, 0});
}

TEST_CASE("alpha passes through every filter", "[image][host]") {
  const int channels = GENERATE(2, 4);
  const std::string pipeline = GENERATE("gaussian(2)", "median(5)", "sobel", "equalize");
  const Picture picture = test::random_picture(7, 5, channels, 3);
  CAPTURE(pipeline, channels);

  const Picture got = filtered(pipeline, picture);

  const auto step = static_cast<std::size_t>(channels);
  for (std::size_t i = step - 1; i < picture.pixels.size(); i += step) REQUIRE(got.pixels[i] == picture.pixels[i]);
}

TEST_CASE("a pipeline is its steps in turn", "[image][host]") {
  const Pipeline pipeline = Pipeline::parse("gaussian(1.4) | median(3) | sobel | equalize");
  const Picture picture = test::random_picture(20, 13, 3, 4);

  Picture by_steps = picture;
  for (const image::Step& step : pipeline.steps()) by_steps = apply_on_host(step, by_steps);

  CHECK(apply_on_host(pipeline, picture) == by_steps);
}

TEST_CASE("pictures that are none are refused", "[image][host]") {
  const auto [width, height, channels, bytes] = GENERATE(table<std::size_t, std::size_t, int, std::size_t>(
      {{0, 3, 1, 0}, {2, 0, 1, 0}, {1, 1, 5, 5}, {1, 1, 0, 0}, {1, 1, -1, 1}, {2, 2, 1, 3}, {2, 2, 1, 5}}));
  CAPTURE(width, height, channels, bytes);
  const Picture picture{
      .width = width, .height = height, .channels = channels, .pixels = std::vector<std::uint8_t>(bytes)};

  CHECK_THROWS_AS(filtered("sobel", picture), InvalidArgument);
}

TEST_CASE("difference finds how far and where pictures differ", "[image][host]") {
  const Picture left = test::random_picture(4, 3, 3, 5);
  Picture right = left;
  CHECK(difference(left, right).largest == 0);
  CHECK(difference(left, right).bytes == 0);

  right.pixels[0] = static_cast<std::uint8_t>(left.pixels[0] ^ 1);
  const std::size_t last = right.pixels.size() - 1;
  right.pixels[last] = static_cast<std::uint8_t>(left.pixels[last] ^ 128);
  const image::Difference found = difference(left, right);

  CHECK(found.largest == 128);
  CHECK(found.bytes == 2);
  CHECK(found.x == 3);
  CHECK(found.y == 2);
  CHECK_THROWS_AS(difference(left, test::random_picture(3, 4, 3, 5)), InvalidArgument);
}
