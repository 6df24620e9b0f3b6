// The rule answer.
// Needs: a driver with compiler, threads, layers
#include <array>
#include <string>
#include <vector>

#include "raw_opencl.hpp"
#include "support/catch.hpp"
#include "support/layer.hpp"

using namespace anycl;
using test::cl, test::LayerRules, test::RawRig;

namespace {

std::string device_text(const RawRig& rig, cl_uint param) {
  return test::info_text(cl().clGetDeviceInfo, param, rig.device);
}

template <class Value>
Value device_value(const RawRig& rig, cl_uint param) {
  return test::info<Value>(cl().clGetDeviceInfo, param, rig.device);
}

bool has_word(const std::string& text, const std::string& word) {
  return (" " + text + " ").find(" " + word + " ") != std::string::npos;
}

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

}  // namespace

TEST_CASE("texts are replaced", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const std::string vendor = device_text(rig, CL_DEVICE_VENDOR);
  const LayerRules rules(
      "answer CL_DEVICE_NAME text=My%20Card; answer CL_PLATFORM_NAME text=Nowhere; "
      "answer CL_DRIVER_VERSION text=");

  CHECK(device_text(rig, CL_DEVICE_NAME) == "My Card");
  CHECK(test::info_text(cl().clGetPlatformInfo, CL_PLATFORM_NAME, rig.platform) == "Nowhere");
  CHECK(device_text(rig, CL_DRIVER_VERSION).empty());
  CHECK(device_text(rig, CL_DEVICE_VENDOR) == vendor);
}

TEST_CASE("a changed answer keeps to the protocol of sizes", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("answer CL_DEVICE_NAME long=10000");
  std::size_t size = 0;
  std::string name(10001, '?');

  CHECK(cl().clGetDeviceInfo(rig.device, CL_DEVICE_NAME, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == 10001);
  CHECK(cl().clGetDeviceInfo(rig.device, CL_DEVICE_NAME, 10000, name.data(), nullptr) == CL_INVALID_VALUE);
  CHECK(name[0] == '?');
  CHECK(cl().clGetDeviceInfo(rig.device, CL_DEVICE_NAME, 10001, name.data(), nullptr) == CL_SUCCESS);
  CHECK(name == std::string(10000, 'x') + '\0');
}

TEST_CASE("texts get trailing NULs", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const std::string real = test::info_bytes(cl().clGetDeviceInfo, CL_DEVICE_NAME, rig.device);
  const LayerRules rules("answer CL_DEVICE_NAME trailing-nuls=3");

  CHECK(test::info_bytes(cl().clGetDeviceInfo, CL_DEVICE_NAME, rig.device) == real + std::string(3, '\0'));
}

TEST_CASE("numbers have the query's type", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules(
      "answer CL_DEVICE_MAX_MEM_ALLOC_SIZE number=1048576; answer CL_DEVICE_AVAILABLE number=0; "
      "answer CL_DEVICE_MAX_WORK_GROUP_SIZE number=1; answer CL_DEVICE_ADDRESS_BITS number=32; "
      "answer CL_DEVICE_ENDIAN_LITTLE number=0; answer CL_DEVICE_MAX_WORK_ITEM_SIZES list=1,1,1; "
      "answer CL_DEVICE_LOCAL_MEM_SIZE number=1024");
  using Sizes = std::array<std::size_t, 3>;

  CHECK(device_value<cl_ulong>(rig, CL_DEVICE_MAX_MEM_ALLOC_SIZE) == 1048576);
  CHECK(device_value<cl_ulong>(rig, CL_DEVICE_LOCAL_MEM_SIZE) == 1024);
  CHECK(device_value<cl_bool>(rig, CL_DEVICE_AVAILABLE) == CL_FALSE);
  CHECK(device_value<cl_bool>(rig, CL_DEVICE_ENDIAN_LITTLE) == CL_FALSE);
  CHECK(device_value<std::size_t>(rig, CL_DEVICE_MAX_WORK_GROUP_SIZE) == 1);
  CHECK(device_value<cl_uint>(rig, CL_DEVICE_ADDRESS_BITS) == 32);
  CHECK(device_value<Sizes>(rig, CL_DEVICE_MAX_WORK_ITEM_SIZES) == Sizes{1, 1, 1});
}

TEST_CASE("extensions come and go", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const std::string real = device_text(rig, CL_DEVICE_EXTENSIONS);
  const std::string gone = first_word(real);
  REQUIRE(has_word(real, gone));
  const LayerRules rules("answer CL_DEVICE_EXTENSIONS without=" + gone +
                         ",cl_no_such; "
                         "answer CL_DEVICE_EXTENSIONS with=cl_new_one,cl_new_two");

  const std::string changed = device_text(rig, CL_DEVICE_EXTENSIONS);

  CHECK_FALSE(has_word(changed, gone));
  CHECK(has_word(changed, "cl_new_one"));
  CHECK(has_word(changed, "cl_new_two"));
  CHECK(changed.size() ==
        real.size() - gone.size() - 1 + std::string(" cl_new_one cl_new_two").size() - (real.back() == ' ' ? 1u : 0u));
}

TEST_CASE("a query can be refused", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("answer CL_DEVICE_NAME error=-30");
  std::size_t size = 1;

  CHECK(cl().clGetDeviceInfo(rig.device, CL_DEVICE_NAME, 0, nullptr, &size) == -30);
  CHECK(size == 1);
}

TEST_CASE("an answer can be about some devices only", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const std::string real = device_text(rig, CL_DEVICE_NAME);
  std::string this_one = real.substr(0, 3) + "*";
  for (char& c : this_one) c = c == ' ' ? '?' : c;

  const bool is_about_this = GENERATE(true, false);
  const LayerRules rules("answer CL_DEVICE_NAME text=Other device=" + (is_about_this ? this_one : "no-such-device"));

  CHECK(device_text(rig, CL_DEVICE_NAME) == (is_about_this ? "Other" : real));
}

TEST_CASE("doubles and halves are taken away", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("answer fp64=absent; answer fp16=absent");

  CHECK(device_value<cl_ulong>(rig, CL_DEVICE_DOUBLE_FP_CONFIG) == 0);
  CHECK(device_value<cl_ulong>(rig, CL_DEVICE_HALF_FP_CONFIG) == 0);
  CHECK(device_value<cl_uint>(rig, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE) == 0);
  const std::string extensions = device_text(rig, CL_DEVICE_EXTENSIONS);
  CHECK_FALSE(has_word(extensions, "cl_khr_fp64"));
  CHECK_FALSE(has_word(extensions, "cl_khr_fp16"));
  const std::string versions = test::info_bytes(cl().clGetDeviceInfo, CL_DEVICE_EXTENSIONS_WITH_VERSION, rig.device);
  CHECK(versions.find("cl_khr_fp64") == std::string::npos);
  CHECK(versions.size() % sizeof(cl_name_version) == 0);
}

TEST_CASE("identities are taken away", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const LayerRules rules("answer pci=absent; answer uuid=absent");
  std::array<char, 64> place{};

  for (const int param : {CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR, CL_DEVICE_PCI_BUS_INFO_KHR})
    CHECK(cl().clGetDeviceInfo(rig.device, static_cast<cl_uint>(param), place.size(), place.data(), nullptr) ==
          CL_INVALID_VALUE);
  CHECK_FALSE(has_word(device_text(rig, CL_DEVICE_EXTENSIONS), "cl_khr_device_uuid"));
  CHECK_FALSE(has_word(device_text(rig, CL_DEVICE_EXTENSIONS), "cl_khr_pci_bus_info"));
}

TEST_CASE("image formats are filtered", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto formats = [&] {
    cl_uint count = 0;
    test::check(
        cl().clGetSupportedImageFormats(rig.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count),
        "clGetSupportedImageFormats");
    std::vector<cl_image_format> found(count);
    if (count > 0)
      test::check(cl().clGetSupportedImageFormats(rig.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, count,
                                                  found.data(), nullptr),
                  "clGetSupportedImageFormats");
    return found;
  };
  const std::size_t all = formats().size();
  REQUIRE(all > 0);

  {
    const LayerRules rules("answer formats list=R");
    const auto some = formats();
    CHECK_FALSE(some.empty());
    CHECK(some.size() < all);
    for (const auto& format : some) CHECK(format.image_channel_order == CL_R);
  }
  {
    const LayerRules rules("answer formats list=none");
    CHECK(formats().empty());
  }
}

TEST_CASE("queries of other objects are changed too", "[layer][answers]") {
  REQUIRE(test::layer_is_up());
  const RawRig rig;
  const auto program = rig.program("kernel void nothing(void) {}");
  const auto kernel = test::make_kernel(program, "nothing");
  const LayerRules rules(
      "answer CL_KERNEL_WORK_GROUP_SIZE number=1; answer CL_PROGRAM_BUILD_LOG text=hello; "
      "answer CL_KERNEL_NUM_ARGS number=9");

  CHECK(test::info<std::size_t>(cl().clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE, cl_kernel(kernel),
                                rig.device) == 1);
  CHECK(test::info_text(cl().clGetProgramBuildInfo, CL_PROGRAM_BUILD_LOG, cl_program(program), rig.device) == "hello");
  CHECK(test::info<cl_uint>(cl().clGetKernelInfo, CL_KERNEL_NUM_ARGS, cl_kernel(kernel)) == 9);
}
