// Every build that image kernels come in, on every driver.
// Needs: a driver with compiler, threads
#include "image/variant.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "anycl/image/filter.hpp"
#include "anycl/image/host.hpp"
#include "anycl/image/run.hpp"
#include "program/own_context.hpp"
#include "reference/image.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/filter_uses.hpp"
#include "support/scale.hpp"

using namespace anycl;
using image::Picture;
using image::detail::Variant;

namespace {

std::atomic<int> builds{0};
std::atomic<cl_ulong> most_local_memory{0};

/// What all kernels of a program take together.
cl_ulong local_memory_of(cl_program program, cl_device_id device) {
  std::vector<cl_kernel> kernels(8);
  cl_uint count = 0;
  REQUIRE(test::real_driver().clCreateKernelsInProgram(program, 8, kernels.data(), &count) == CL_SUCCESS);
  cl_ulong sum = 0;
  for (cl_uint i = 0; i < count; ++i) {
    cl_ulong bytes = 0;
    test::real_driver().clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                                                 nullptr);
    test::real_driver().clReleaseKernel(kernels[i]);
    sum += bytes;
  }
  return sum;
}

/// Builds with warnings as errors, and notes how much local memory programs declare.
void build_strictly(detail::EntryPoints& table) {
  builds = 0;
  most_local_memory = 0;
  table.clBuildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                            void(CL_CALLBACK * notify)(cl_program, void*), void* data) -> cl_int {
    const std::string strict = std::string(options) + " -Werror";
    const cl_int code = test::real_driver().clBuildProgram(program, count, devices, strict.c_str(), notify, data);
    if (code != CL_SUCCESS) return code;
    ++builds;
    most_local_memory = std::max<cl_ulong>(most_local_memory, local_memory_of(program, devices[0]));
    return code;
  };
}

/// Each variant and each number of channels; at full scale all pairs of them.
std::vector<std::pair<int, Variant>> builds_to_try() {
  constexpr Variant kVariants[] = {{4, false}, {16, true}, {16, false}, {4, true}};
  std::vector<std::pair<int, Variant>> chosen;
  for (int channels = 1; channels <= 4; ++channels)
    for (int i = 0; i < 4; ++i)
      if (test::full_scale() || i == channels - 1) chosen.emplace_back(channels, kVariants[i]);
  return chosen;
}

void check_all_filters(Queue& queue, int channels, const Variant& variant) {
  const Picture picture = test::random_picture(67, 5, channels, 1);
  for (const image::Filter& filter : image::filters())
    for (const std::string& text : test::filter_uses(filter)) {
      CAPTURE(text, channels, variant.lanes, variant.wide_index);
      const auto pipeline = image::Pipeline::parse(text);
      Picture got = picture;

      image::detail::run(queue, pipeline, got, variant);

      const Picture wanted = image::apply_on_host(pipeline, picture);
      CHECK(image::difference(got, wanted).largest <= filter.largest_difference);
    }
}

}  // namespace

TEST_CASE("every build of the image kernels compiles without a warning and is right [OCL-074] [OCL-113] [OCL-119]",
          "[image][variants]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Faults faults(&build_strictly);
    test::OwnContext own(rig.device);  // nothing comes from a cache
    for (const auto& [channels, variant] : builds_to_try()) check_all_filters(own.queue, channels, variant);
    const Picture narrow = image::detail::render_scene(own.queue, 33, 7, {.wide_index = false});

    CHECK(image::detail::render_scene(own.queue, 33, 7, {.wide_index = true}) == narrow);
    CHECK(builds >= static_cast<int>(6 * builds_to_try().size() + 2));  // 6 programs of filters, and the scene
    CHECK(most_local_memory < 32 * 1024);
  });
}
