#include "base/os_process.hpp"

#include <pthread.h>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <mutex>

extern "C" char** environ;

namespace anycl::os {

namespace detail {
constinit std::atomic<std::uint32_t> fork_count{0};
constinit thread_local bool thread_is_ending = false;
}  // namespace detail

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] {
    ::pthread_atfork(nullptr, nullptr, [] { detail::fork_count.fetch_add(1, std::memory_order_relaxed); });
  });
}

namespace {

/// The main thread's thread-local objects go before all else that ends with the process.
struct MainThreadEnd {
  ~MainThreadEnd() {
    if (function != nullptr) function();
    detail::thread_is_ending = true;
  }
  void (*function)() noexcept = nullptr;
  bool watched = false;  // writing to it is what brings the object of this thread to life
};

thread_local MainThreadEnd main_thread_end;

}  // namespace

void before_exit_handlers(void (*function)() noexcept) {
  if (::gettid() == ::getpid()) main_thread_end.function = function;
}

void watch_main_thread() {
  if (::gettid() == ::getpid()) main_thread_end.watched = true;
}

bool is_privileged() noexcept { return ::geteuid() != ::getuid() || ::getegid() != ::getgid(); }

std::optional<std::string> home_from_passwd() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> storage{};
  const int failed = ::getpwuid_r(::getuid(), &entry, storage.data(), storage.size(), &found);
  if (failed != 0 || found == nullptr || found->pw_dir == nullptr) return std::nullopt;
  return std::string(found->pw_dir);
}

const std::string& processor_features() {
  static const std::string features = [] {
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string model, flags;
    for (std::string line; std::getline(cpuinfo, line) && (model.empty() || flags.empty());) {
      if (line.starts_with("model name")) model = line;
      if (line.starts_with("flags") || line.starts_with("Features")) flags = line;
    }
    return model + "\n" + flags + "\n";
  }();
  return features;
}

std::string resource_limits() {
  std::string text;
  for (const auto resource :
       {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_FSIZE}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) == 0) text += std::to_string(limit.rlim_cur) + ' ';
  }
  return text;
}

std::vector<std::string> environment_with_prefix(std::string_view prefix) {
  std::vector<std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::string_view(*entry).starts_with(prefix)) found.emplace_back(*entry);
  return found;
}

}  // namespace anycl::os
