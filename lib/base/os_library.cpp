#include "base/os_library.hpp"

#include <dlfcn.h>

namespace anycl::os {

Library Library::open(const std::string& name) {
  Library library;
  library.handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library.handle_ == nullptr) {
    const char* reason = ::dlerror();
    library.problem_ = reason != nullptr ? reason : "no reason given";
  }
  return library;
}

void* Library::find(const char* symbol) const noexcept {
  return handle_ != nullptr ? ::dlsym(handle_, symbol) : nullptr;
}

void* find_in_process(const char* symbol) noexcept { return ::dlsym(RTLD_DEFAULT, symbol); }

std::string file_of(const void* address) {
  Dl_info info{};
  if (address == nullptr || ::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

}  // namespace anycl::os
