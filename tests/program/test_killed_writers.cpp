// Needs: no driver
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "program/disk_cache.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_capture.hpp"
#include "support/scale.hpp"
#include "support/variable.hpp"

using namespace anycl;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kKeys = 8;

detail::CacheKey key_of(int number) {
  detail::CacheKey key;
  key.digest[0] = static_cast<std::byte>(number);
  key.fields = "fields of " + std::to_string(number);
  return key;
}

/// Of a size that takes several steps to write, and with contents that tell one version from another.
detail::CacheEntry entry_of(int number, unsigned version) {
  detail::CacheEntry entry;
  entry.binary.assign(std::size_t{1} << (10 + number % 12), static_cast<std::byte>(version));
  return entry;
}

bool is_whole(const detail::CacheEntry& entry, int number) {
  const auto& bytes = entry.binary;
  return bytes.size() == entry_of(number, 0).binary.size() &&
         std::all_of(bytes.begin(), bytes.end(), [&](std::byte byte) { return byte == bytes.front(); });
}

/// A process that stores one entry after another until it is killed.
pid_t start_writer(const detail::DiskCache& cache) {
  const pid_t writer = ::fork();
  if (writer != 0) return writer;
  ::alarm(60);  // in case this test ends without killing it
  for (unsigned version = 0;; ++version)
    for (int number = 0; number < kKeys; ++number)
      if (!cache.store(key_of(number), entry_of(number, version))) ::_exit(1);
}

}  // namespace

TEST_CASE("writers that are killed leave nothing that a reader takes for damaged",
          "[program][killed_writers][OCL-085]") {
  const int kills = test::rounds(200, 20);
  const test::Folder folder;
  const test::Variable place("ANYCL_CACHE_DIR", folder.path().string());
  const test::Variable mode("ANYCL_CACHE", "on");
  const test::LogCapture log;
  const auto cache = detail::DiskCache::from_environment();
  REQUIRE(cache.writable());
  std::mt19937 random(1);
  int found = 0;

  for (int kill = 0; kill < kills; kill += 2) {
    CAPTURE(kill);
    const pid_t writers[] = {start_writer(cache), start_writer(cache)};
    const auto end = Clock::now() + std::chrono::microseconds(random() % 40000);
    do {
      for (int number = 0; number < kKeys; ++number) {
        const auto lookup = cache.load(key_of(number));
        REQUIRE_FALSE(lookup.damaged);
        if (lookup.entry) REQUIRE(is_whole(*lookup.entry, number));
        found += lookup.entry ? 1 : 0;
      }
    } while (Clock::now() < end);
    for (const pid_t writer : writers) {
      int status = 0;
      ::kill(writer, SIGKILL);
      REQUIRE(::waitpid(writer, &status, 0) == writer);
      REQUIRE(WIFSIGNALED(status));  // it was still at it
    }
  }

  CHECK(found > 0);
  CHECK(log.count(LogLevel::warn) == 0);
  CHECK(folder.names().size() <= kKeys + 1 + static_cast<std::size_t>(kills));  // a name a kill at most is left over
  REQUIRE(cache.store(key_of(0), entry_of(0, 1)));
  CHECK(cache.load(key_of(0)).entry);
}
