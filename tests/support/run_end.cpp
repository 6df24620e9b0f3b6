#include "support/run_end.hpp"

#include <vector>

namespace anycl::test {
namespace {

std::vector<void (*)()>& functions() {
  static std::vector<void (*)()> all;
  return all;
}

}  // namespace

void at_run_end(void (*function)()) { functions().push_back(function); }

void end_run() {
  while (!functions().empty()) {
    const auto function = functions().back();
    functions().pop_back();
    function();
  }
}

}  // namespace anycl::test
