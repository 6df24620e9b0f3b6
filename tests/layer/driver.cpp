#include "driver.hpp"

namespace anycl::test_layer {
namespace {

constinit cl_icd_dispatch below{};

}  // namespace

const cl_icd_dispatch& driver() noexcept { return below; }

void set_driver(const cl_icd_dispatch& table) noexcept { below = table; }

}  // namespace anycl::test_layer
