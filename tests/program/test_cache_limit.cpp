// Needs: no driver
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "program/disk_cache.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_capture.hpp"
#include "support/variable.hpp"

using namespace anycl;
using namespace std::chrono_literals;
using detail::CacheEntry;
using detail::CacheKey;
using detail::DiskCache;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntryBytes = 20 * 1024;  // so many of the binary; an entry takes a little more

CacheKey key_of(int number) {
  CacheKey key{{}, std::to_string(number)};
  key.digest.front() = static_cast<std::byte>(number);
  return key;
}

CacheEntry entry_of(int number) {
  CacheEntry entry;
  entry.binary.assign(kEntryBytes, static_cast<std::byte>(number));
  return entry;
}

/// A cache of 100 KiB, for four entries and no more, in a folder of its own.
class SmallCache {
 public:
  explicit SmallCache(const std::string& limit = "100K") : limit_(limit) {}

  [[nodiscard]] DiskCache open(const std::string& mode = "on") const {
    const test::Variable place("ANYCL_CACHE_DIR", folder_.path().string());
    const test::Variable on("ANYCL_CACHE", mode);
    const test::Variable limit("ANYCL_CACHE_LIMIT", limit_);
    return DiskCache::from_environment();
  }

  [[nodiscard]] std::string file_of(int number) const { return folder_.file(key_of(number).hex() + ".bin"); }
  [[nodiscard]] bool has(int number) const { return fs::exists(file_of(number)); }
  void set_age(int number, fs::file_time_type::duration age) const {
    fs::last_write_time(file_of(number), fs::file_time_type::clock::now() - age);
  }
  [[nodiscard]] bool is_new(int number) const {
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file_of(number));
    return age < 30min && age > -30min;
  }

  /// Entries 1, 2, ..., each used an hour later than the one before.
  void fill(const DiskCache& cache, int count) const {
    for (int number = 1; number <= count; ++number) {
      REQUIRE(cache.store(key_of(number), entry_of(number)));
      set_age(number, 24h - number * 1h);
    }
  }

  [[nodiscard]] const test::Folder& folder() const { return folder_; }

 private:
  test::Folder folder_;
  std::string limit_;
};

}  // namespace

TEST_CASE("over the limit of the cache those go that were not used for longest", "[program][cache_limit][OCL-076]") {
  const SmallCache small;
  const DiskCache cache = small.open();
  small.fill(cache, 4);
  CHECK(small.has(1));

  REQUIRE(cache.store(key_of(5), entry_of(5)));

  CHECK_FALSE(small.has(1));
  for (int number = 2; number <= 5; ++number) CHECK(cache.load(key_of(number)).entry);
}

TEST_CASE("a look-up counts as a use of a stored build", "[program][cache_limit]") {
  const SmallCache small;
  const DiskCache cache = small.open();
  small.fill(cache, 4);

  CHECK(cache.load(key_of(1)).entry);
  CHECK(small.is_new(1));
  REQUIRE(cache.store(key_of(5), entry_of(5)));

  CHECK(small.has(1));
  CHECK_FALSE(small.has(2));
}

TEST_CASE("a read-only cache leaves times as they are", "[program][cache_limit][OCL-098]") {
  const SmallCache small;
  small.fill(small.open(), 1);

  CHECK(small.open("readonly").load(key_of(1)).entry);

  CHECK_FALSE(small.is_new(1));
}

TEST_CASE("what was stored before the clock was set back goes first, unless it is used", "[program][cache_limit]") {
  const SmallCache small;
  const DiskCache cache = small.open();
  small.fill(cache, 4);
  small.set_age(3, -48h);
  small.set_age(4, -48h);

  CHECK(cache.load(key_of(4)).entry);
  CHECK(small.is_new(4));
  REQUIRE(cache.store(key_of(5), entry_of(5)));

  CHECK_FALSE(small.has(3));
  CHECK(small.has(4));
  CHECK(small.has(1));
}

TEST_CASE("only entries count for the limit, and only they go", "[program][cache_limit]") {
  const SmallCache small;
  const DiskCache cache = small.open();
  test::write_file(small.folder().file("notes"), std::string(std::size_t{1} << 20, 'x'));
  fs::create_symlink("notes", small.folder().file("link.bin"));
  fs::create_directory(small.folder().file("folder.bin"));

  small.fill(cache, 5);

  CHECK_FALSE(small.has(1));
  CHECK(small.has(5));
  for (const char* name : {"notes", "secret", "folder.bin"}) CHECK(fs::exists(small.folder().file(name)));
  CHECK(fs::is_symlink(small.folder().file("link.bin")));
}

TEST_CASE("an entry over the limit is not stored, and drives nothing out", "[program][cache_limit][OCL-091]") {
  const SmallCache small;
  const DiskCache cache = small.open();
  small.fill(cache, 2);
  CacheEntry large;
  large.binary.resize(101 * 1024);
  const test::LogCapture log;

  CHECK_FALSE(cache.store(key_of(3), large));

  CHECK(small.has(1));
  CHECK(small.has(2));
  CHECK_FALSE(small.has(3));
  CHECK(log.count(LogLevel::warn, "over the limit of 102400") == 1);
}

TEST_CASE("a limit that is no number is the default, with one warning", "[program][cache_limit]") {
  const auto limit = GENERATE(as<std::string>{}, "much", "1.5G", "-1", "5KB");
  const SmallCache small(limit);
  const test::LogCapture log;

  const DiskCache cache = small.open();
  small.fill(cache, 6);

  CHECK(small.has(1));
  CHECK(log.count(LogLevel::warn, "ANYCL_CACHE_LIMIT='" + limit + "'") == 1);
}

TEST_CASE("caches on one folder that all evict leave whole entries within the limit",
          "[program][cache_limit][OCL-085]") {
  const SmallCache small;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t, cache = small.open()] {
      for (int round = 0; round < 50; ++round) {
        const int number = (round * 7 + t * 3) % 20;
        cache.store(key_of(number), entry_of(number));
        const auto found = cache.load(key_of((number + 5) % 20));
        if (found.damaged || (found.entry && found.entry->binary != entry_of((number + 5) % 20).binary)) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();

  REQUIRE(small.open().store(key_of(99), entry_of(99)));

  CHECK(wrong == 0);
  std::uintmax_t bytes = 0;
  for (const std::string& name : small.folder().names()) bytes += fs::file_size(small.folder().file(name));
  CHECK(bytes <= 101 * 1024);
  CHECK(small.has(99));
}
