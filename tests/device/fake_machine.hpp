/// \file  Made-up OpenCL platforms and devices, for discovery: any number, any names, any lies.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/entry_points.hpp"

namespace anycl::test {

struct FakeDevice {
  std::map<cl_device_info, std::string> answers;  ///< bytes; a query not in here is refused with CL_INVALID_VALUE

  FakeDevice& text(cl_device_info what, std::string value) {
    answers[what] = std::move(value) + '\0';
    return *this;
  }
  template <class T>
  FakeDevice& value(cl_device_info what, const T& value) {
    answers[what] = std::string(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
};

/// A device that answers what any OpenCL 1.0 driver does.
[[nodiscard]] FakeDevice plain_device(const std::string& name, cl_device_type type = CL_DEVICE_TYPE_GPU);

struct FakePlatform {
  std::string name;
  std::vector<FakeDevice> devices;
  cl_int refusal = CL_DEVICE_NOT_FOUND;  ///< what a platform without devices answers
};

/// Puts the platforms in force, in this order, while it lives. One at a time.
class FakeMachine {
 public:
  explicit FakeMachine(std::vector<FakePlatform> platforms, cl_int refusal_without_platforms = -1001);
  ~FakeMachine();
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

 private:
  std::vector<FakePlatform> platforms_;
  std::unique_ptr<detail::ScopedEntryPoints> scope_;
};

/// What failing calls leave in counts: the caller's variable as a careless driver would fill it.
inline constexpr cl_uint kPoison = 0xCCCCCCCC;

}  // namespace anycl::test
