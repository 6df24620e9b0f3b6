// Needs: a driver
#include "device/entry_points.hpp"

#include <CL/cl_icd.h>

#include "anycl/base/error.hpp"
#include "device/check.hpp"
#include "device/opencl.hpp"
#include "support/catch.hpp"
#include "support/faults.hpp"
#include "support/log_capture.hpp"

using namespace anycl;

namespace {

/// An object as an ICD loader sees it: it begins with a pointer to its driver's table.
struct FakeObject {
  const cl_icd_dispatch* table;
};

int calls = 0;

}  // namespace

TEST_CASE("an entry that the driver leaves null is refused instead of jumped to", "[device][entry_points]") {
  const cl_icd_dispatch empty{};
  FakeObject object{&empty};
  calls = 0;
  const test::Faults faults([](detail::EntryPoints& table) {
    table.objects_have_tables = true;
    table.clReleaseDevice = [](cl_device_id) -> cl_int { return ++calls, CL_SUCCESS; };
  });

  CHECK(clReleaseDevice(reinterpret_cast<cl_device_id>(&object)) == CL_INVALID_OPERATION);
  CHECK(calls == 0);
}

TEST_CASE("an entry that the driver has is called", "[device][entry_points]") {
  cl_icd_dispatch full{};
  full.clReleaseDevice = [](cl_device_id) -> cl_int { return CL_SUCCESS; };
  FakeObject object{&full};
  calls = 0;
  const test::Faults faults([](detail::EntryPoints& table) {
    table.objects_have_tables = true;
    table.clReleaseDevice = [](cl_device_id) -> cl_int { return ++calls, CL_SUCCESS; };
  });

  CHECK(clReleaseDevice(reinterpret_cast<cl_device_id>(&object)) == CL_SUCCESS);
  CHECK(calls == 1);
}

TEST_CASE("an entry that loader or driver lack gives nothing, and leaves the code as it was",
          "[device][entry_points]") {
  const auto created = [](bool loader_has, bool driver_has) {
    cl_icd_dispatch driver{};
    if (driver_has)
      driver.clCreateProgramWithIL = [](cl_context, const void*, size_t, cl_int*) -> cl_program { return nullptr; };
    FakeObject object{&driver};
    static bool has;
    has = loader_has;
    const test::Faults faults([](detail::EntryPoints& table) {
      table.objects_have_tables = true;
      table.clCreateProgramWithIL = nullptr;
      if (has)
        table.clCreateProgramWithIL = [](cl_context, const void*, size_t, cl_int* code) -> cl_program {
          *code = CL_SUCCESS;
          return reinterpret_cast<cl_program>(std::uintptr_t{16});
        };
    });
    cl_int code = CL_INVALID_OPERATION;
    const cl_program program = clCreateProgramWithIL(reinterpret_cast<cl_context>(&object), "", 0, &code);
    CHECK((program != nullptr) == (code == CL_SUCCESS));
    return program != nullptr;
  };

  CHECK(created(true, true));
  CHECK_FALSE(created(false, true));
  CHECK_FALSE(created(true, false));
  CHECK_FALSE(created(false, false));
}

TEST_CASE("without an ICD loader no object is looked into", "[device][entry_points]") {
  calls = 0;
  const test::Faults faults([](detail::EntryPoints& table) {
    table.objects_have_tables = false;
    table.clReleaseDevice = [](cl_device_id) -> cl_int { return ++calls, CL_SUCCESS; };
  });

  CHECK(clReleaseDevice(reinterpret_cast<cl_device_id>(std::uintptr_t{16})) == CL_SUCCESS);
  CHECK(calls == 1);
}

TEST_CASE("a replaced table is in force until its scope ends", "[device][entry_points]") {
  const detail::EntryPoints* const before = &detail::entry_points();
  {
    const test::Faults outer([](detail::EntryPoints& table) { table.library = "outer"; });
    CHECK(detail::entry_points().library == "outer");
    {
      const test::Faults inner([](detail::EntryPoints& table) { table.library = "inner"; });
      CHECK(detail::entry_points().library == "inner");
    }
    CHECK(detail::entry_points().library == "outer");
  }

  CHECK(&detail::entry_points() == before);
}

TEST_CASE("a failed call is thrown with its name, code and subject", "[device][entry_points]") {
  const test::Faults faults([](detail::EntryPoints& table) {
    table.clFlush = [](cl_command_queue) -> cl_int { return CL_OUT_OF_RESOURCES; };
  });

  try {
    ANYCL_CL(clFlush(nullptr));
    FAIL("no error");
  } catch (const ClError& error) {
    CHECK(std::string(error.what()) == "clFlush failed: CL_OUT_OF_RESOURCES (-5)");
    CHECK(error.code() == -5);
    CHECK(error.call() == "clFlush");
  }
  CHECK_THROWS_WITH(detail::check_cl(-54, "clEnqueueNDRangeKernel(q, k)", "launch blur"),
                    "launch blur: clEnqueueNDRangeKernel failed: CL_INVALID_WORK_GROUP_SIZE (-54)");
}

TEST_CASE("codes with a meaning of their own have their own type", "[device][entry_points]") {
  CHECK_THROWS_AS(detail::check_cl(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateBuffer"), OutOfMemory);
  CHECK_THROWS_AS(detail::check_cl(CL_DEVICE_NOT_AVAILABLE, "clCreateContext"), DeviceLost);
  CHECK_THROWS_AS(detail::check_cl(-12345, "clFinish"), ClError);
  CHECK_NOTHROW(detail::check_cl(CL_SUCCESS, "clFinish"));
}

TEST_CASE("a failure where nothing may be thrown is logged", "[device][entry_points]") {
  const test::LogCapture log;
  const test::Faults faults([](detail::EntryPoints& table) {
    table.clFlush = [](cl_command_queue) -> cl_int { return CL_INVALID_COMMAND_QUEUE; };
  });

  ANYCL_CL_NOTHROW(clFlush(nullptr));

  CHECK(log.count(LogLevel::warn, "clFlush failed: CL_INVALID_COMMAND_QUEUE (-36)") == 1);
}
