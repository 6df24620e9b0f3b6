// Needs: no driver
#include "anycl/base/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace anycl;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// All codes that OpenCL and its common extensions define, as OpenCL 3.0 API lists them.
std::vector<int> defined_codes() {
  std::vector<int> codes{-1000, -1001, -1002, -1003, -1004, -1005, -1006, -1057, -1058, -1138, -1139, -1140, -9999};
  for (int code = 0; code >= -19; --code) codes.push_back(code);
  for (int code = -30; code >= -72; --code) codes.push_back(code);
  return codes;
}

}  // namespace

TEST_CASE("every OpenCL code has a name and carries its number", "[base][error][OCL-002]") {
  for (const int code : defined_codes()) {
    const std::string text = describe_code(code);

    CAPTURE(code, text);
    CHECK(holds(text, "(" + std::to_string(code) + ")"));
    CHECK_FALSE(holds(text, "unknown"));
  }
}

TEST_CASE("a code nobody defined still has a text with its number", "[base][error][OCL-002]") {
  const int code = GENERATE(-20, -29, -73, -999, -1007, -12345, 1, 77, -2147483647 - 1, 2147483647);

  CHECK(describe_code(code) == "unknown code (" + std::to_string(code) + ")");
}

TEST_CASE("no two codes share a name", "[base][error]") {
  std::vector<std::string> names;
  for (const int code : defined_codes()) {
    const std::string text = describe_code(code);
    names.push_back(text.substr(0, text.find(" (")));
  }
  std::sort(names.begin(), names.end());

  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("the names are those of the specification", "[base][error]") {
  CHECK(describe_code(-1) == "CL_DEVICE_NOT_FOUND (-1)");
  CHECK(describe_code(-5) == "CL_OUT_OF_RESOURCES (-5)");
  CHECK(describe_code(-30) == "CL_INVALID_VALUE (-30)");
  CHECK(describe_code(-54) == "CL_INVALID_WORK_GROUP_SIZE (-54)");
  CHECK(describe_code(-72) == "CL_MAX_SIZE_RESTRICTION_EXCEEDED (-72)");
  CHECK(describe_code(-1001) == "CL_PLATFORM_NOT_FOUND_KHR (-1001)");
}

TEST_CASE("every error is caught as anycl::Error and as std::exception", "[base][error]") {
  CHECK_THROWS_AS(throw InvalidArgument("x"), Error);
  CHECK_THROWS_AS(throw Unsupported("x"), Error);
  CHECK_THROWS_AS(throw NoDevice("x"), Error);
  CHECK_THROWS_AS(throw OutOfMemory("x", 1, 2), Error);
  CHECK_THROWS_AS(throw BuildError("x", "", "", ""), Error);
  CHECK_THROWS_AS(throw DeviceLost("x"), Error);
  CHECK_THROWS_AS(throw Timeout("x"), Error);
  CHECK_THROWS_AS(throw Cancelled("x"), Error);
  CHECK_THROWS_AS(throw IoError("x"), Error);
  CHECK_THROWS_AS(throw UsedAfterFork("x"), Error);
  CHECK_THROWS_AS(throw ClError("x", -5, "clFinish"), std::exception);
}

TEST_CASE("errors with facts give them back", "[base][error]") {
  const OutOfMemory memory("no room", 100, 50);
  const BuildError build("bad", "a.cl", "-DX", "log\n");
  const ClError call("clFinish failed", -5, "clFinish");

  CHECK(memory.bytes_asked() == 100);
  CHECK(memory.bytes_limit() == 50);
  CHECK(build.source_name() == "a.cl");
  CHECK(build.options() == "-DX");
  CHECK(build.log() == "log\n");
  CHECK(call.code() == -5);
  CHECK(call.call() == "clFinish");
  CHECK(std::string(call.what()) == "clFinish failed");
}
