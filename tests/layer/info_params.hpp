/// \file  What the clGet...Info calls can be asked, by the names of the OpenCL headers.
#pragma once

#include <string_view>

#include <CL/cl_icd.h>

#include "entries.hpp"

namespace anycl::test_layer {

/// What the answer is made of. `opaque` ones can be refused but not replaced.
enum class InfoKind { text, boolean, uint32, uint64, size, sizes, name_versions, opaque };

struct InfoParam {
  const char* name;
  cl_uint value;
  InfoKind kind;
  Entry entry;  ///< the call that is asked
};

/// Nothing (null) when the headers have no such name.
[[nodiscard]] const InfoParam* find_info_param(std::string_view name) noexcept;

}  // namespace anycl::test_layer
