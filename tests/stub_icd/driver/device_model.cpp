#include "device_model.hpp"

#include <algorithm>

namespace anycl::stub {
namespace {

// An alias is taken from the first word of a name that is not a maker's: this one gives "stub".
constexpr PlatformModel kStub{"Stub (anycl)", "anycl", "OpenCL 3.0 anycl stub"};
constexpr PlatformModel kNvidia{"NVIDIA CUDA", "NVIDIA Corporation", "OpenCL 3.0 CUDA 12.4.131"};
constexpr PlatformModel kAmd{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.",
                             "OpenCL 3.0 AMD-APP (3614.0)"};
constexpr PlatformModel kIntelGraphics{"Intel(R) OpenCL Graphics", "Intel(R) Corporation", "OpenCL 3.0 "};
constexpr PlatformModel kIntelCpu{"Intel(R) OpenCL", "Intel(R) Corporation", "OpenCL 3.0 LINUX"};

constexpr std::string_view kPlainExtensions = "cl_khr_icd cl_khr_fp64 cl_khr_global_int32_base_atomics";
constexpr std::string_view kNvidiaExtensions =
    "cl_khr_icd cl_khr_fp64 cl_khr_global_int32_base_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_byte_addressable_store "
    "cl_khr_int64_base_atomics cl_khr_device_uuid cl_khr_pci_bus_info cl_nv_device_attribute_query";
constexpr std::string_view kAmdExtensions =
    "cl_khr_icd cl_khr_fp64 cl_khr_fp16 cl_khr_global_int32_base_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_byte_addressable_store cl_khr_int64_base_atomics cl_khr_pci_bus_info cl_amd_device_attribute_query";
constexpr std::string_view kIntelExtensions =
    "cl_khr_icd cl_khr_fp16 cl_khr_global_int32_base_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_byte_addressable_store cl_khr_device_uuid cl_khr_pci_bus_info cl_intel_device_attribute_query";
constexpr std::string_view kXeonExtensions =
    "cl_khr_icd cl_khr_fp64 cl_khr_global_int32_base_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_byte_addressable_store cl_khr_device_uuid";

constexpr cl_device_type kGpu = CL_DEVICE_TYPE_GPU;
constexpr cl_device_type kCpu = CL_DEVICE_TYPE_CPU;

// The columns, as in DeviceModel:
//  key, platform, name, vendor, vendor id, type, driver version,
//  compute units, MHz, global MiB, max allocation MiB, local KiB, max group size, max item sizes, preferred multiple,
//  unified memory, PCI bus, link GB/s, extensions
// clang-format off
constexpr DeviceModel kModels[] = {
    {"plain", &kStub, "stub device", "anycl", 0x5374, kGpu, "1.0",
     4, 1000, 8192, 2048, 64, 1024, {1024, 1024, 1024}, 1,
     true, 0, 0, kPlainExtensions},
    {"nvidia-rtx-3090", &kNvidia, "NVIDIA GeForce RTX 3090", "NVIDIA Corporation", 0x10de, kGpu, "550.54.14",
     82, 1695, 24251, 6062, 48, 1024, {1024, 1024, 64}, 32,
     false, 0x01, 25.0, kNvidiaExtensions},
    {"nvidia-gtx-1060", &kNvidia, "NVIDIA GeForce GTX 1060 6GB", "NVIDIA Corporation", 0x10de, kGpu, "550.54.14",
     10, 1708, 6069, 1517, 48, 1024, {1024, 1024, 64}, 32,
     false, 0x05, 12.0, kNvidiaExtensions},
    {"amd-rx-7900-xtx", &kAmd, "gfx1100", "Advanced Micro Devices, Inc.", 0x1002, kGpu, "3614.0 (HSA1.1,LC)",
     48, 2371, 24560, 20876, 64, 256, {1024, 1024, 1024}, 32,
     false, 0x03, 26.0, kAmdExtensions},
    {"amd-vega-8", &kAmd, "gfx90c:xnack-", "Advanced Micro Devices, Inc.", 0x1002, kGpu, "3614.0 (HSA1.1,LC)",
     8, 2000, 7680, 6528, 64, 256, {1024, 1024, 1024}, 64,
     true, 0x0a, 30.0, kAmdExtensions},
    {"intel-arc-a770", &kIntelGraphics, "Intel(R) Arc(TM) A770 Graphics", "Intel(R) Corporation", 0x8086, kGpu, "24.13.29138",
     512, 2400, 15474, 3868, 64, 1024, {1024, 1024, 1024}, 64,
     false, 0x04, 22.0, kIntelExtensions},
    {"intel-uhd-770", &kIntelGraphics, "Intel(R) UHD Graphics 770", "Intel(R) Corporation", 0x8086, kGpu, "24.13.29138",
     32, 1550, 25592, 4095, 64, 512, {512, 512, 512}, 64,
     true, 0x00, 34.0, kIntelExtensions},
    {"intel-xeon", &kIntelCpu, "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", "Intel(R) Corporation", 0x8086, kCpu, "2024.17.3.0.08_160000",
     64, 2000, 257600, 128800, 256, 8192, {8192, 8192, 8192}, 128,
     true, 0, 0, kXeonExtensions},
};
// clang-format on

}  // namespace

std::span<const DeviceModel> device_models() noexcept { return kModels; }

const DeviceModel* find_model(std::string_view key) noexcept {
  const auto* found = std::find_if(std::begin(kModels), std::end(kModels),
                                   [key](const DeviceModel& model) { return model.key == key; });
  return found == std::end(kModels) ? nullptr : found;
}

}  // namespace anycl::stub
