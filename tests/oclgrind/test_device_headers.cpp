// What users' kernels include from the library, small: tests/oclgrind/gate.py runs this under Oclgrind.
#include "support/device_headers.hpp"

#include <algorithm>
#include <cstddef>

#include "oclgrind/launch_log.hpp"
#include "support/catch.hpp"

using namespace anycl;

TEST_CASE("atomics of floats and of 64-bit integers agree with the host", "[oclgrind][limits]") {
  test::on_oclgrind([](test::Rig& rig) {
    test::check_float_atomics(rig, 37);
    test::check_int64_atomics(rig, 37);
  });
}

TEST_CASE("random numbers agree with the host", "[oclgrind][limits]") {
  test::on_oclgrind([](test::Rig& rig) { test::check_philox(rig, 9); });
}

TEST_CASE("sub-groups in local memory agree with the host", "[oclgrind][limits]") {
  const BuildOptions options = GENERATE(BuildOptions(), BuildOptions({{"ANYCL_SUB_GROUP_WIDTH", 1}}),
                                        BuildOptions({{"ANYCL_SUB_GROUP_WIDTH", 4}}));

  test::on_oclgrind([&](test::Rig& rig) {
    const std::size_t most = rig.device.capabilities().max_group_size;
    test::check_sub_groups(rig, std::min<std::size_t>(most, 10), 1, options);
    if (most >= 6) test::check_sub_groups(rig, 3, 2, options);
  });
}
