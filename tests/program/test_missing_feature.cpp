// Needs: no driver
#include "program/missing_feature.hpp"

#include <string>

#include "support/catch.hpp"

using namespace anycl;
using detail::missing_extension;

namespace {

struct Case {
  const char* message;
  const char* extension;
};

}  // namespace

TEST_CASE("a message that needs what the device lacks names it [OCL-136] [OCL-145] [OCL-152]",
          "[program][missing_feature]") {
  const auto c = GENERATE(values<Case>({
      {"use of type 'double' requires cl_khr_fp64 support", "cl_khr_fp64"},
      {"use of type 'double' requires cl_khr_fp64 and __opencl_c_fp64 support", "cl_khr_fp64"},
      {"loading directly from pointer to type '__global half' requires cl_khr_fp16. Use vector data load builtin "
       "functions instead",
       "cl_khr_fp16"},
      {"declaring variable of type '__private half' is not allowed", "cl_khr_fp16"},
      {"casting to type 'half4' is not allowed", "cl_khr_fp16"},
      {"use of undeclared identifier 'get_sub_group_size'", "cl_khr_subgroups"},
      {"implicit declaration of function 'sub_group_reduce_add' is invalid in OpenCL", "cl_khr_subgroups"},
      {"use of undeclared identifier 'intel_sub_group_shuffle'", "cl_khr_subgroups"},
      {"implicit declaration of function 'sub_group_ballot' is invalid in OpenCL", "cl_khr_subgroups"},
      {"use of undeclared identifier 'sub_group_clustered_reduce_add'", "cl_khr_subgroups"},
      {"use of undeclared identifier 'get_sub_group_lt_mask'", "cl_khr_subgroups"},
      {"use of undeclared identifier 'double4'", "cl_khr_fp64"},
      {"unknown type name 'double16'", "cl_khr_fp64"},
      {"implicit declaration of function 'convert_double4_rte' is invalid in OpenCL", "cl_khr_fp64"},
      {"implicit declaration of function 'as_double' is invalid in OpenCL", "cl_khr_fp64"},
      {"use of undeclared identifier 'half4'", "cl_khr_fp16"},
      {"implicit declaration of function 'convert_half' is invalid in OpenCL", "cl_khr_fp16"},
      {"call to 'atom_add' is ambiguous", "cl_khr_int64_base_atomics"},
      {"call to 'atom_max' is ambiguous", "cl_khr_int64_extended_atomics"},
  }));
  Capabilities rich;
  rich.extensions = {"cl_khr_fp16", "cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"};
  rich.fp16 = rich.fp64 = true;
  rich.sub_groups.emplace();

  CHECK(missing_extension(c.message, Capabilities{}) == c.extension);
  CHECK(missing_extension(c.message, rich).empty());
}

TEST_CASE("messages about something else name nothing", "[program][missing_feature]") {
  const auto* const message = GENERATE(
      "", "''", "use of undeclared identifier 'double_it'", "use of undeclared identifier 'sub_group_sum'",
      "use of undeclared identifier 'half_of'", "use of undeclared identifier 'double5'",
      "implicit declaration of function 'convert_doubles' is invalid in OpenCL", "call to 'add' is ambiguous",
      "too many arguments to 'atom_add'", "use of undeclared identifier 'convert_'",
      "passing 'float *' to parameter of incompatible type '__global half *'",  // legal on any device
      "variable of type 'event_t' is not allowed", "sub_group_reduce_add: too few arguments", "'a.h' file not found");

  CHECK(missing_extension(message, Capabilities{}).empty());
}
