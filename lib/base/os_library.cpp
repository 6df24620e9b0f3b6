#include "base/os_library.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <link.h>
#endif

namespace anycl::os {
namespace {

/// The system opens the file to see which one it is, and would wait for a FIFO.
bool is_odd_file(const std::string& name) {
  struct stat facts {};
  return name.find('/') != std::string::npos && ::stat(name.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode);
}

}  // namespace

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

Library Library::find_loaded(const std::string& name) {
  Library library;
  if (is_odd_file(name)) return library;
  library.handle_ = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return library;
}

std::string Library::file() const {
#if defined(__linux__)
  link_map* map = nullptr;
  if (handle_ != nullptr && ::dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) return map->l_name;
#endif
  return {};
}

void* find_in_process(const char* symbol) noexcept { return ::dlsym(RTLD_DEFAULT, symbol); }

std::string file_of(const void* address) {
  Dl_info info{};
  if (address == nullptr || ::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

}  // namespace anycl::os
