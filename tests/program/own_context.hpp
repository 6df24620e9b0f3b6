/// \file  A context that shares nothing with other tests, the disk cache included.
#pragma once

#include <string>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/variable.hpp"

namespace anycl::test {

/// One device, a queue on it, and a disk cache of the test's choosing.
struct OwnContext {
  /// `cache` is what ANYCL_CACHE says, `folder` what ANYCL_CACHE_DIR says.
  explicit OwnContext(const Device& device, const std::string& cache = "off", const std::string& folder = "/nowhere")
      : context(make(device, cache, folder)), queue(context, device) {}

  Context context;
  Queue queue;

 private:
  static Context make(const Device& device, const std::string& cache, const std::string& folder) {
    const Variable mode("ANYCL_CACHE", cache);
    const Variable place("ANYCL_CACHE_DIR", folder);
    Context context{std::vector<Device>{device}};
    static_cast<void>(kernel_cache_statistics(context));  // the cache reads its settings on first use
    return context;
  }
};

}  // namespace anycl::test
