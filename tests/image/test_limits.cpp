// Image filters on devices that can do less, or hold less, than the one that is there.
// Needs: a driver with compiler, threads, layers
#include <string>
#include <utility>

#include "anycl/anycl.hpp"
#include "anycl/image/filter.hpp"
#include "anycl/image/host.hpp"
#include "anycl/image/run.hpp"
#include "reference/image.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/filter_uses.hpp"
#include "support/layer.hpp"

using namespace anycl;
using Catch::Matchers::Contains;
using image::Picture;

TEST_CASE("runs all filters, for a process of its own", "[.][child_filters]") {
  REQUIRE(test::layer_is_up());
  Context context;
  Queue queue(context, context.device(0));
  const Picture picture = test::random_picture(37, 5, 3, 1);
  CHECK_FALSE(context.device(0).capabilities().fp64);
  CHECK(context.device(0).capabilities().max_group_size <= 64);

  for (const image::Filter& filter : image::filters())
    for (const std::string& text : test::filter_uses(filter)) {
      CAPTURE(text);
      const auto pipeline = image::Pipeline::parse(text);
      Picture got = picture;
      image::run(queue, pipeline, got);
      CHECK(image::difference(got, image::apply_on_host(pipeline, picture)).largest <= filter.largest_difference);
    }
  const Picture scene = image::render_scene(queue, 16, 9);
  CHECK(scene.pixels.size() == 16 * 9 * 3);
}

TEST_CASE("filters are right with small groups and without double precision [OCL-109] [OCL-110] [OCL-145]",
          "[image][limits]") {
  const auto limits =
      GENERATE(as<std::string>{},
               "answer CL_DEVICE_MAX_WORK_ITEM_SIZES list=1,1,1; answer CL_DEVICE_MAX_WORK_GROUP_SIZE number=1",
               "answer CL_DEVICE_MAX_WORK_ITEM_SIZES list=64,1,1; answer CL_DEVICE_MAX_WORK_GROUP_SIZE number=64");

  const auto child = test::run_hidden_test(
      "[child_filters]", test::under_layer(limits + "; answer fp64=absent; answer fp16=absent; handles; late"));

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}

TEST_CASE("runs a filter on pictures of every shape, for a process of its own", "[.][child_no_images]") {
  REQUIRE(test::layer_is_up());
  Context context;
  Queue queue(context, context.device(0));
  CHECK_FALSE(context.device(0).capabilities().images);
  CHECK_FALSE(context.device(0).capabilities().image_limits);

  const auto pipeline = image::Pipeline::parse("median(3) | sobel");
  for (int channels = 1; channels <= 4; ++channels)
    for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{37, 5}, {41, 1}, {1, 37}}) {
      CAPTURE(channels, width, height);
      const Picture picture = test::random_picture(width, height, channels, 1);
      Picture got = picture;
      image::run(queue, pipeline, got);
      CHECK(got == image::apply_on_host(pipeline, picture));
    }
  CHECK(test::layer_report().failed == 0);  // nothing was tried that such a device refuses
}

TEST_CASE("filters need no images of the device [OCL-148] [OCL-149] [OCL-151]", "[image][limits]") {
  const auto child = test::run_hidden_test(
      "[child_no_images]", test::under_layer("answer CL_DEVICE_IMAGE_SUPPORT number=0; answer formats list=none; "
                                             "fail clCreateImage* code=-59; fail clGetSupportedImageFormats code=-59"));

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}

TEST_CASE("meets a small device, for a process of its own", "[.][child_large_picture]") {
  REQUIRE(test::layer_is_up());
  Context context;
  Queue queue(context, context.device(0));
  queue.finish();  // native objects are made on first use
  Picture large = test::random_picture(100, 101, 1, 1);
  const Picture before = large;
  const auto calls = test::layer_report().calls;

  CHECK_THROWS_AS(image::run(queue, image::Pipeline::parse("sobel"), large), OutOfMemory);
  CHECK_THROWS_WITH(image::render_scene(queue, 100, 101),
                    (Contains("30300 bytes needed") && Contains("the largest buffer") && Contains("is 10000 bytes")) ||
                        (Contains("90900 bytes needed") && Contains("the memory") && Contains("is 30000 bytes")));
  CHECK(test::layer_report().calls == calls);
  CHECK(large == before);

  Picture fits = test::random_picture(100, 100, 1, 1);
  CHECK_NOTHROW(image::run(queue, image::Pipeline::parse("sobel"), fits));
}

TEST_CASE("a picture that the device cannot hold is refused before any driver call, with the numbers [OCL-032]",
          "[image][limits]") {
  const auto limit = GENERATE(as<std::string>{}, "answer CL_DEVICE_MAX_MEM_ALLOC_SIZE number=10000",
                              "answer CL_DEVICE_GLOBAL_MEM_SIZE number=30000");

  const auto child = test::run_hidden_test("[child_large_picture]", test::under_layer(limit));

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}

TEST_CASE("meets a device that cannot run it all, for a process of its own", "[.][child_lacking_device]") {
  REQUIRE(test::layer_is_up());
  Context context;
  Queue queue(context, context.device(0));
  Picture picture = test::random_picture(37, 5, 3, 1);

  CHECK_THROWS_AS(image::run(queue, image::Pipeline::parse("equalize"), picture), Unsupported);
  CHECK_THROWS_WITH(image::run(queue, image::Pipeline::parse("equalize"), picture),
                    Contains("launch equalize_count: ") && Contains("; use another device"));
}

TEST_CASE("a device that lacks what a filter needs is named as the cause, not the caller", "[image][limits]") {
  const auto lack =
      GENERATE(as<std::string>{}, "answer CL_DEVICE_LOCAL_MEM_SIZE number=0",
               "answer CL_DEVICE_LOCAL_MEM_SIZE number=1023", "answer CL_KERNEL_WORK_GROUP_SIZE number=1");

  const auto child = test::run_hidden_test("[child_lacking_device]", test::under_layer(lack));

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
}
