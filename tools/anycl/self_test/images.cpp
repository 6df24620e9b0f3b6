// Image objects. The library has none yet, so this goes to the driver by itself.
#include <array>
#include <cstdint>
#include <memory>

#include "anycl/base/error.hpp"
#include "anycl/interop/opencl.hpp"
#include "self_test/loader_functions.hpp"
#include "self_test/tests.hpp"
#include "self_test_kernels.hpp"

namespace anycl::command::self_test {
namespace {

constexpr std::size_t kWidth = 31;
constexpr std::size_t kHeight = 17;
constexpr std::size_t kChannels = 4;
using Pixels = std::vector<std::uint8_t>;

struct RawOpenCl {
  LoaderFunctions loader{};
  ANYCL_LOADER_FUNCTION(clCreateImage);
  ANYCL_LOADER_FUNCTION(clReleaseMemObject);
  ANYCL_LOADER_FUNCTION(clCreateProgramWithSource);
  ANYCL_LOADER_FUNCTION(clBuildProgram);
  ANYCL_LOADER_FUNCTION(clReleaseProgram);
  ANYCL_LOADER_FUNCTION(clCreateKernel);
  ANYCL_LOADER_FUNCTION(clSetKernelArg);
  ANYCL_LOADER_FUNCTION(clReleaseKernel);
  ANYCL_LOADER_FUNCTION(clEnqueueWriteImage);
  ANYCL_LOADER_FUNCTION(clEnqueueNDRangeKernel);
  ANYCL_LOADER_FUNCTION(clEnqueueReadImage);
};

/// \throws ClError
void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw ClError(fmt::format("{} failed: {}", call, describe_code(code)), code, call);
}

template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, cl_int(CL_API_CALL*)(Handle)>;

using Image = Owned<cl_mem>;

Image make_image(const RawOpenCl& cl, cl_context context, cl_mem_flags flags) {
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};  // every device with images has it
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = kWidth;
  shape.image_height = kHeight;
  cl_int code = CL_SUCCESS;
  Image image(cl.clCreateImage(context, flags, &format, &shape, nullptr, &code), cl.clReleaseMemObject);
  check(code, "clCreateImage");
  return image;
}

Owned<cl_program> make_program(const RawOpenCl& cl, cl_context context, cl_device_id device) {
  const std::string_view text = kernels::images.text();
  const char* data = text.data();
  const std::size_t size = text.size();
  cl_int code = CL_SUCCESS;
  Owned<cl_program> program(cl.clCreateProgramWithSource(context, 1, &data, &size, &code), cl.clReleaseProgram);
  check(code, "clCreateProgramWithSource");
  check(cl.clBuildProgram(program.get(), 1, &device, "", nullptr, nullptr), "clBuildProgram");
  return program;
}

Owned<cl_kernel> make_kernel(const RawOpenCl& cl, cl_program program, const Image& source, const Image& target) {
  cl_int code = CL_SUCCESS;
  Owned<cl_kernel> kernel(cl.clCreateKernel(program, "mirror", &code), cl.clReleaseKernel);
  check(code, "clCreateKernel");
  const cl_mem arguments[] = {source.get(), target.get()};
  for (cl_uint i = 0; i < 2; ++i)
    check(cl.clSetKernelArg(kernel.get(), i, sizeof arguments[i], &arguments[i]), "clSetKernelArg");
  return kernel;
}

Pixels picture() {
  Pixels pixels(kWidth * kHeight * kChannels);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  return pixels;
}

Pixels mirrored(const Pixels& pixels) {
  Pixels result(pixels.size());
  for (std::size_t y = 0; y < kHeight; ++y)
    for (std::size_t x = 0; x < kWidth; ++x)
      for (std::size_t channel = 0; channel < kChannels; ++channel)
        result[(y * kWidth + x) * kChannels + channel] = pixels[(y * kWidth + kWidth - 1 - x) * kChannels + channel];
  return result;
}

Pixels mirrored_by_device(Rig& rig, const Pixels& pixels) {
  const RawOpenCl cl;
  const cl_context context = interop::native_context(rig.context, rig.device());
  const cl_command_queue queue = interop::native_queue(rig.queue);
  const Image source = make_image(cl, context, CL_MEM_READ_ONLY);
  const Image target = make_image(cl, context, CL_MEM_WRITE_ONLY);
  const auto program = make_program(cl, context, interop::native_device(rig.device()));
  const auto kernel = make_kernel(cl, program.get(), source, target);
  constexpr std::size_t kOrigin[3] = {};
  constexpr std::size_t kRegion[3] = {kWidth, kHeight, 1};
  Pixels result(pixels.size());
  check(
      cl.clEnqueueWriteImage(queue, source.get(), CL_TRUE, kOrigin, kRegion, 0, 0, pixels.data(), 0, nullptr, nullptr),
      "clEnqueueWriteImage");
  check(cl.clEnqueueNDRangeKernel(queue, kernel.get(), 2, nullptr, kRegion, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(cl.clEnqueueReadImage(queue, target.get(), CL_TRUE, kOrigin, kRegion, 0, 0, result.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
  return result;
}

}  // namespace

Outcome images(Rig& rig) {
  if (!rig.facts().images) return skipped("the device has none");
  const Pixels pixels = picture();
  return compare("bytes of a mirrored picture", mirrored_by_device(rig, pixels), mirrored(pixels));
}

}  // namespace anycl::command::self_test
