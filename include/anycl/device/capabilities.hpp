/// \file  What a device can do, as its driver tells. Layer 1 (device).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "anycl/export.hpp"

namespace anycl {

/// Of a specification or an extension, ordered as one expects: `facts.opencl >= Version{2, 1}`.
struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;

  friend auto operator<=>(const Version&, const Version&) = default;
};

struct NamedVersion {
  std::string name;  ///< "cl_khr_fp64", "SPIR-V"
  Version version;

  friend auto operator<=>(const NamedVersion&, const NamedVersion&) = default;
};

/// Where a card is plugged in, as `lspci` counts.
struct PciPlace {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;

  friend bool operator==(const PciPlace&, const PciPlace&) = default;
};

/// Shared virtual memory. Source: CL_DEVICE_SVM_CAPABILITIES.
struct SvmKinds {
  bool coarse_grain_buffer = false;
  bool fine_grain_buffer = false;
  bool fine_grain_system = false;
  bool atomics = false;
};

/// Kinds of unified shared memory that the device can read and write. Source: cl_intel_unified_shared_memory.
struct UsmKinds {
  bool host = false;
  bool device = false;
  bool shared = false;  ///< with the host, for this one device
  bool shared_across_devices = false;
  bool shared_system = false;  ///< whatever the host allocates
};

/// Atomic operations on floating-point numbers of one width. Source: cl_ext_float_atomics.
struct FloatAtomics {
  bool global_load_store = false;
  bool global_add = false;
  bool global_min_max = false;
  bool local_load_store = false;
  bool local_add = false;
  bool local_min_max = false;
};

/// Beyond those on 32-bit integers, which every device has.
struct Atomics {
  bool int64_base = false;           ///< cl_khr_int64_base_atomics: add, exchange, compare and exchange
  bool int64_extended = false;       ///< cl_khr_int64_extended_atomics: min, max, and, or, xor
  std::optional<FloatAtomics> fp16;  ///< this and the next two: where the device tells
  std::optional<FloatAtomics> fp32;
  std::optional<FloatAtomics> fp64;
};

/// Sub-groups: work-items of a group that work in step. Source: OpenCL 2.1 and 3.0, cl_khr_subgroups, cl_intel_subgroups.
struct SubGroups {
  std::optional<std::uint32_t> max_per_group;
  std::vector<std::size_t> sizes;            ///< work-items, ascending; empty: the device does not tell
  std::optional<bool> independent_progress;  ///< of one sub-group while another waits
};

/// Limits of image objects, in pixels. Source: CL_DEVICE_IMAGE..., CL_DEVICE_MAX_..._IMAGE_ARGS, CL_DEVICE_MAX_SAMPLERS.
struct ImageLimits {
  std::optional<std::array<std::size_t, 2>> max_2d;  ///< width, height
  std::optional<std::array<std::size_t, 3>> max_3d;  ///< width, height, depth; all 0: the device has none
  std::optional<std::size_t> max_array_layers;       ///< images in an array of them; OpenCL 1.2
  std::optional<std::size_t> max_buffer_pixels;      ///< of an image over a buffer; OpenCL 1.2
  std::optional<std::uint32_t> max_samplers;         ///< in one kernel, as all below
  std::optional<std::uint32_t> max_read_arguments;
  std::optional<std::uint32_t> max_write_arguments;
  std::optional<std::uint32_t> max_read_write_arguments;  ///< OpenCL 2.0
};

/// What command queues can be. Source: CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES.
struct QueueKinds {
  std::optional<bool> out_of_order;
  std::optional<bool> profiling;
  std::optional<bool> on_device;  ///< kernels may enqueue kernels; OpenCL 2.0
};

/// Ways to divide the device into sub-devices. Source: CL_DEVICE_PARTITION_PROPERTIES; OpenCL 1.2.
struct Partitioning {
  std::uint32_t max_sub_devices = 0;
  bool equally = false;
  bool by_counts = false;
  bool by_numa_domain = false;
};

/// Elements per vector, by element type; 0: the type is not supported.
/// Source: CL_DEVICE_PREFERRED_VECTOR_WIDTH_..., CL_DEVICE_NATIVE_VECTOR_WIDTH_...
struct VectorWidths {
  std::optional<std::uint32_t> int8;
  std::optional<std::uint32_t> int16;
  std::optional<std::uint32_t> int32;
  std::optional<std::uint32_t> int64;
  std::optional<std::uint32_t> fp16;
  std::optional<std::uint32_t> fp32;
  std::optional<std::uint32_t> fp64;
};

/// A fault of the driver that the library knows and works around, where it can.
struct KnownFault {
  std::string name;  ///< as ANYCL_QUIRKS takes it
  std::string what;
};

/// Facts about a device, read once. A fact that the driver does not give is empty or zero, never garbage.
/// Source, where a line names none: OpenCL 3.0 API, table "OpenCL Device Queries".
struct Capabilities {
  // Versions and names
  std::string opencl_version;                        ///< as the driver words it, "OpenCL 3.0 ..."
  std::string opencl_c_version;                      ///< "OpenCL C 1.2 ..."
  std::optional<Version> opencl;                     ///< of the device
  std::optional<Version> opencl_c;                   ///< the highest that its compiler takes
  std::vector<Version> opencl_c_versions;            ///< all that it takes, ascending
  std::optional<Version> platform_opencl;            ///< of the driver as a whole
  std::vector<std::string> extensions;               ///< sorted
  std::vector<NamedVersion> extension_versions;      ///< sorted; OpenCL 3.0 or cl_khr_extended_versioning
  std::vector<std::string> c_features;               ///< "__opencl_c_...", sorted; OpenCL 3.0
  std::vector<NamedVersion> intermediate_languages;  ///< sorted; what besides source makes programs, such as SPIR-V
  std::optional<std::uint32_t> vendor_id;            ///< of PCI, or given by Khronos
  std::optional<std::array<std::byte, 16>> uuid;     ///< cl_khr_device_uuid
  std::optional<PciPlace> pci_place;                 ///< cl_khr_pci_bus_info, or the maker's own query

  // Execution
  bool available = false;
  bool has_compiler = false;
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  std::size_t max_group_size = 1;                       ///< work-items per work-group
  std::array<std::size_t, 3> max_item_sizes{1, 1, 1};   ///< the same, per dimension
  std::optional<std::size_t> preferred_group_multiple;  ///< OpenCL 3.0, or the maker's own query
  std::optional<bool> non_uniform_groups;               ///< the last group may be smaller; OpenCL 2.0
  std::optional<SubGroups> sub_groups;                  ///< empty: the device has none
  std::optional<std::size_t> max_parameter_bytes;       ///< of all arguments of a kernel
  QueueKinds queues;
  std::optional<Version> command_buffer_version;    ///< cl_khr_command_buffer; its functions changed before 1.0
  std::optional<Version> mutable_dispatch_version;  ///< cl_khr_command_buffer_mutable_dispatch
  std::optional<Partitioning> partitioning;         ///< empty: the device cannot be divided
  std::optional<std::uint64_t> timer_resolution_ns;
  bool timestamps_trusted = false;  ///< device time stamps mean something
  /// All loops of one work-item together end, silently, after so many iterations. Empty: no such limit known.
  std::optional<std::uint64_t> max_loop_iterations;

  // Memory
  std::uint64_t global_memory_bytes = 0;
  std::uint64_t max_allocation_bytes = 0;           ///< largest single buffer
  std::uint64_t local_memory_bytes = 0;             ///< per work-group
  std::optional<bool> local_memory_dedicated;       ///< false: local memory is global memory
  std::optional<std::uint64_t> max_constant_bytes;  ///< of one `constant` argument
  std::optional<std::uint64_t> cache_bytes;         ///< of global memory
  std::optional<std::uint32_t> cache_line_bytes;
  std::optional<std::uint32_t> base_alignment_bytes;  ///< of sub-buffers; drivers count it in bits
  std::optional<bool> error_correction;
  std::optional<bool> little_endian;
  std::uint32_t address_bits = 0;
  bool host_unified_memory = false;
  std::optional<SvmKinds> svm;  ///< OpenCL 2.0
  std::optional<UsmKinds> usm;  ///< cl_intel_unified_shared_memory

  // Arithmetic
  bool fp16 = false;  ///< cl_khr_fp16
  bool fp64 = false;  ///< cl_khr_fp64
  /// A program may ask for division and sqrt() of float that are rounded correctly. Source: CL_DEVICE_SINGLE_FP_CONFIG.
  bool correctly_rounded_divide_sqrt = false;
  Atomics atomics;
  VectorWidths preferred_vector_widths;
  VectorWidths native_vector_widths;

  // Images
  bool images = false;                      ///< CL_DEVICE_IMAGE_SUPPORT
  std::optional<ImageLimits> image_limits;  ///< empty: the device has no images

  std::vector<KnownFault> known_faults;

  [[nodiscard]] ANYCL_API bool has_extension(std::string_view name) const noexcept;
  [[nodiscard]] ANYCL_API bool has_c_feature(std::string_view name) const noexcept;

  /// Empty when the device lacks the extension or does not number it.
  [[nodiscard]] ANYCL_API std::optional<Version> extension_version(std::string_view name) const noexcept;
};

}  // namespace anycl
