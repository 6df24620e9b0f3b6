// The library lets no driver call it, and completes no event of a driver: drivers differ most in what they allow there.
// Needs: a driver with threads
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/faults.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

/// Every OpenCL function that the library can call.
constexpr std::string_view kEntries[] = {
#define ANYCL_ENTRY_NAME(result, name, parameters, arguments) #name,
    ANYCL_CL_ENTRIES(ANYCL_ENTRY_NAME, ANYCL_ENTRY_NAME, ANYCL_ENTRY_NAME)
#undef ANYCL_ENTRY_NAME
};

std::atomic<int> contexts{0}, builds{0}, callbacks{0};

/// Counts the calls that could hand a callback to the driver, and those that do.
void count_callbacks(detail::EntryPoints& table) {
  contexts = builds = callbacks = 0;
  table.clCreateContext = [](const cl_context_properties* a, cl_uint b, const cl_device_id* c,
                             void(CL_CALLBACK * notify)(const char*, const void*, size_t, void*), void* e,
                             cl_int* f) -> cl_context {
    ++contexts;
    if (notify != nullptr) ++callbacks;
    return test::real_driver().clCreateContext(a, b, c, notify, e, f);
  };
  table.clBuildProgram = [](cl_program a, cl_uint b, const cl_device_id* c, const char* d,
                            void(CL_CALLBACK * notify)(cl_program, void*), void* f) -> cl_int {
    ++builds;
    if (notify != nullptr) ++callbacks;
    return test::real_driver().clBuildProgram(a, b, c, d, notify, f);
  };
}

}  // namespace

TEST_CASE("the library has no call for user events or callbacks [OCL-160] [OCL-161] [OCL-163]",
          "[context][callbacks]") {
  for (const std::string_view name : kEntries) {
    CAPTURE(name);
    CHECK(name.find("UserEvent") == std::string_view::npos);
    CHECK(name.find("Callback") == std::string_view::npos);
  }
}

TEST_CASE("no driver is given a callback for contexts or builds [OCL-163] [OCL-164]", "[context][callbacks]") {
  test::for_each_device([](test::Rig& rig) {
    const test::Faults faults(&count_callbacks);
    Context context{std::vector<Device>{rig.device}};
    Queue queue(context, rig.device);
    Buffer<std::uint32_t> x(context, Uints(16, 1));
    const test::Work work(context);

    launch_advance(queue, work, x, 2, 1).wait();

    CHECK(to_host(x) == Uints(16, 3));
    CHECK(contexts == 1);
    CHECK(builds == 1);
    CHECK(callbacks == 0);
  });
}
