// A symbol of the program comes before that of the C library for all that is linked, so these stand between the library
// under test, which is linked into the program, and the system.
#include "failure/file_calls.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>

extern "C" const char __executable_start;  // NOLINT: the linker's names
extern "C" const char etext;

namespace anycl::test {
namespace {

std::atomic<bool> counting{false};
std::atomic<std::uint64_t> calls{0};
std::uint64_t failing_call = 0;
int failing_error = 0;
std::atomic<bool> has_failed{false};

bool in_this_program(const void* address) {
  return address >= static_cast<const void*>(&__executable_start) && address < static_cast<const void*>(&etext);
}

/// Whether this call is the one to fail.
bool fails(const void* caller) {
  if (!counting || !in_this_program(caller)) return false;
  if (++calls != failing_call) return false;
  if (failing_error == kKilled) ::raise(SIGKILL);
  has_failed = true;
  return true;
}

/// Calls that have no short count take an error instead.
int fail(int result = -1) {
  errno = failing_error != 0 ? failing_error : EIO;
  return result;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

mode_t mode_argument(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

}  // namespace

void count_file_calls(std::uint64_t failing, int error) {
  failing_call = failing;
  failing_error = error;
  calls = 0;
  has_failed = false;
  counting = true;
}

std::uint64_t file_calls() { return calls; }
bool file_call_failed() { return has_failed; }

}  // namespace anycl::test

using anycl::test::fail;
using anycl::test::fails;
using anycl::test::next;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = anycl::test::mode_argument(flags, arguments);
  va_end(arguments);
  static const auto real = next<int(const char*, int, ...)>("open");
  return fails(__builtin_return_address(0)) ? fail() : real(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = anycl::test::mode_argument(flags, arguments);
  va_end(arguments);
  static const auto real = next<int(int, const char*, int, ...)>("openat");
  return fails(__builtin_return_address(0)) ? fail() : real(folder, path, flags, mode);
}

ssize_t read(int file, void* to, size_t size) {
  static const auto real = next<ssize_t(int, void*, size_t)>("read");
  if (!fails(__builtin_return_address(0))) return real(file, to, size);
  return anycl::test::failing_error == 0 && size > 1 ? real(file, to, size / 2) : fail();
}

ssize_t write(int file, const void* from, size_t size) {
  static const auto real = next<ssize_t(int, const void*, size_t)>("write");
  if (!fails(__builtin_return_address(0))) return real(file, from, size);
  return anycl::test::failing_error == 0 && size > 1 ? real(file, from, size / 2) : fail();
}

int fstat(int file, struct stat* facts) noexcept {
  static const auto real = next<int(int, struct stat*)>("fstat");
  return fails(__builtin_return_address(0)) ? fail() : real(file, facts);
}

int fstatat(int folder, const char* path, struct stat* facts, int flags) noexcept {
  static const auto real = next<int(int, const char*, struct stat*, int)>("fstatat");
  return fails(__builtin_return_address(0)) ? fail() : real(folder, path, facts, flags);
}

DIR* fdopendir(int file) {
  static const auto real = next<DIR*(int)>("fdopendir");
  if (!fails(__builtin_return_address(0))) return real(file);
  fail();
  return nullptr;
}

dirent* readdir(DIR* listing) {
  static const auto real = next<dirent*(DIR*)>("readdir");
  if (!fails(__builtin_return_address(0))) return real(listing);
  fail();
  return nullptr;
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto real = next<int(const char*, mode_t)>("mkdir");
  return fails(__builtin_return_address(0)) ? fail() : real(path, mode);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static const auto real = next<int(int, const char*, int, const char*)>("renameat");
  return fails(__builtin_return_address(0)) ? fail() : real(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  static const auto real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails(__builtin_return_address(0)) ? fail() : real(from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static const auto real = next<int(int, const char*, int, const char*, int)>("linkat");
  return fails(__builtin_return_address(0)) ? fail() : real(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static const auto real = next<int(int, const char*, int)>("unlinkat");
  return fails(__builtin_return_address(0)) ? fail() : real(folder, path, flags);
}

/// The descriptor is closed all the same, as the system does.
int close(int file) {
  static const auto real = next<int(int)>("close");
  const bool failing = fails(__builtin_return_address(0));
  const int result = real(file);
  return failing ? fail() : result;
}

}  // extern "C"
