// Needs: no driver
#include "device/info.hpp"

#include <cstring>

#include "support/catch.hpp"

using namespace anycl;

namespace {

/// Answers queries with `text`; refuses those for the size, or those for the text.
auto answer(const char* text, bool refuses_size, bool refuses_text) {
  return [=](size_t size, void* value, size_t* size_ret) -> cl_int {
    if (value == nullptr ? refuses_size : refuses_text) return CL_OUT_OF_HOST_MEMORY;
    if (size_ret != nullptr) *size_ret = std::strlen(text);
    if (value != nullptr) std::memcpy(value, text, size);
    return CL_SUCCESS;
  };
}

}  // namespace

TEST_CASE("an answer is taken whole or not at all", "[device][info]") {
  CHECK(detail::read_text(answer("fp64", false, false)) == "fp64");
  CHECK(detail::read_text(answer("", false, true)) == "");
  CHECK(detail::read_text(answer("fp64", true, false)) == std::nullopt);
  CHECK(detail::read_text(answer("fp64", false, true)) == std::nullopt);
}

TEST_CASE("an answer of another size than the value's is none", "[device][info]") {
  CHECK(detail::read_value<cl_uint>(answer("four", false, false)).has_value());
  CHECK_FALSE(detail::read_value<cl_uint>(answer("three", false, false)).has_value());
  CHECK_FALSE(detail::read_value<cl_uint>(answer("four", false, true)).has_value());
}

TEST_CASE("an answer that cannot be that long is none, and takes no memory", "[device][info]") {
  const auto claimed = GENERATE(as<size_t>{}, size_t{1} << 30, size_t{1} << 62, ~size_t{0});
  const auto lie = [claimed](size_t, void*, size_t* size_ret) -> cl_int {
    *size_ret = claimed;
    return CL_SUCCESS;
  };

  CHECK(detail::read_text(lie) == std::nullopt);
  CHECK(detail::read_array<size_t>(lie) == std::nullopt);
}
