/// \file  Uses of the library that must survive the failure of any single call below them.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace anycl::test {

/// What a scenario got was not what it should have got, and no error said so.
class WrongResult : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// What a scenario expects of results. \throws WrongResult
inline void expect(bool right, const char* what) {
  if (!right) throw WrongResult(what);
}

/// One use of one public operation, from the discovery of devices to the last destructor. It runs many times, each time in
/// a new process in which another call fails, and must end with the right result or with an anycl::Error.
struct Scenario {
  std::string_view name;
  /// The public functions it is there for, as the demangled symbols of the library begin; ~ stands for the destructor.
  std::vector<std::string_view> operations;
  void (*run)();
  bool needs_compiler = false;      ///< runs kernels that the stub driver does not know
  std::string_view stub_devices{};  ///< what the stub driver should pretend to be; empty: one plain device
  std::string_view tells{};         ///< a driver call whose failure it must tell, besides those that all must tell
};

/// The registry: one line for each operation there is. A new public function needs one (tests/failure/test_registry.cpp).
[[nodiscard]] const std::vector<Scenario>& scenarios();

/// Public functions that call no driver and no file system, with the reason where it is not plain.
[[nodiscard]] const std::vector<std::string_view>& operations_without_calls();

}  // namespace anycl::test
