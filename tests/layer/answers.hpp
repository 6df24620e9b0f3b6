/// \file  Answers to queries, changed as the rules answer, clock and split say.
#pragma once

#include <cstddef>
#include <functional>

#include <CL/cl_icd.h>

#include "entries.hpp"

namespace anycl::test_layer {

/// A clGet...Info call of the application.
struct Query {
  Entry entry;
  cl_uint param;
  cl_device_id device;  ///< that it is about; null: none
  std::size_t size;
  void* value;
  std::size_t* size_ret;
  /// The same question to the driver, with another place for the answer.
  std::function<cl_int(cl_uint param, std::size_t size, void* value, std::size_t* size_ret)> ask;
};

[[nodiscard]] cl_int answer(const Query& query);

[[nodiscard]] cl_int answer_device_ids(cl_platform_id platform, cl_device_type type, cl_uint capacity,
                                       cl_device_id* devices, cl_uint* count);

[[nodiscard]] cl_int answer_image_formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                          cl_uint capacity, cl_image_format* formats, cl_uint* count);

}  // namespace anycl::test_layer
