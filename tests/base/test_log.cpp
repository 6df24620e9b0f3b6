// Needs: no driver
#include "anycl/base/log.hpp"

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/logging.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/log_capture.hpp"

using namespace anycl;

namespace {

/// Sets a level and puts the default back.
class LevelScope {
 public:
  explicit LevelScope(LogLevel level) { set_log_level(level); }
  ~LevelScope() { set_log_level(LogLevel::warn); }
  LevelScope(const LevelScope&) = delete;
  LevelScope& operator=(const LevelScope&) = delete;
};

constexpr std::array kLevels{LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::debug, LogLevel::trace};

}  // namespace

TEST_CASE("a level lets through its own and all more urgent lines", "[base][log]") {
  const auto level =
      GENERATE(LogLevel::off, LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::debug, LogLevel::trace);
  const test::LogCapture lines;
  const LevelScope scope(level);

  for (const LogLevel of_line : kLevels) log::write(of_line, "a line");

  for (const LogLevel of_line : kLevels) {
    CAPTURE(static_cast<int>(level), static_cast<int>(of_line));
    CHECK(lines.count(of_line) == (of_line <= level ? 1u : 0u));
    CHECK(log::enabled(of_line) == (of_line <= level));
  }
}

TEST_CASE("the sink gets the text without a line end and without a prefix", "[base][log]") {
  const test::LogCapture lines;

  log::error("{} and {}", "one", 2);

  CHECK(lines.text() == "one and 2\n");
}

TEST_CASE("text with braces and percent signs passes as it is", "[base][log]") {
  const test::LogCapture lines;

  log::write(LogLevel::error, "{} %s {0} %n");
  log::error("{}", "{} %s");

  CHECK(lines.text() == "{} %s {0} %n\n{} %s\n");
}

TEST_CASE("one warning appears once a minute however often it is given", "[base][log]") {
  const test::LogCapture lines;

  for (int i = 0; i < 1000; ++i) log::warn("the same {}", "warning");
  log::warn("another {}", "warning");

  CHECK(lines.count(LogLevel::warn, "the same warning") == 1);
  CHECK(lines.count(LogLevel::warn, "another warning") == 1);
}

TEST_CASE("thousands of different warnings all appear", "[base][log]") {
  const test::LogCapture lines;

  for (int i = 0; i < 3000; ++i) log::warn("warning number {}", i);

  CHECK(lines.count(LogLevel::warn, "warning number") == 3000);
}

TEST_CASE("errors are never held back", "[base][log]") {
  const test::LogCapture lines;

  for (int i = 0; i < 10; ++i) log::error("the same error");

  CHECK(lines.count(LogLevel::error) == 10);
}

TEST_CASE("a sink that throws loses its line and nothing else", "[base][log]") {
  int calls = 0;
  set_log_sink([&](LogLevel, std::string_view) {
    ++calls;
    if (calls == 1) throw std::runtime_error("host logger is broken");
    if (calls == 2) throw 7;
  });

  log::error("first");
  log::error("second");
  log::error("third");
  set_log_sink({});

  CHECK(calls == 3);
}

TEST_CASE("lines of many threads reach the sink one at a time", "[base][log]") {
  constexpr int kThreads = 8;
  constexpr int kLines = 500;
  std::atomic<int> inside{0};
  bool overlapped = false;
  int received = 0;  // not atomic: the sink is called one at a time
  set_log_sink([&](LogLevel, std::string_view) {
    overlapped |= inside.fetch_add(1) != 0;
    ++received;
    inside.fetch_sub(1);
  });

  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < kLines; ++i) log::error("line {}", i);
    });
  for (std::thread& thread : threads) thread.join();
  set_log_sink({});

  CHECK_FALSE(overlapped);
  CHECK(received == kThreads * kLines);
}

TEST_CASE("one line of each level, for a process of its own", "[.][one_line_each]") {
  for (const LogLevel level : kLevels) log::write(level, "a line");
}

TEST_CASE("without a sink, ANYCL_LOG decides what goes to stderr", "[base][log]") {
  const auto [value, lines] = GENERATE(table<std::string, int>(
      {{"off", 0}, {"error", 1}, {"warn", 2}, {"info", 3}, {"debug", 4}, {"trace", 5}, {"", 2}}));

  const auto child = test::run_hidden_test("[one_line_each]", {"ANYCL_LOG=" + value});

  CAPTURE(value, child.output);
  int found = 0;
  for (std::size_t at = child.output.find(": a line\n"); at != std::string::npos;
       at = child.output.find(": a line\n", at + 1))
    ++found;
  CHECK(child.exit_code == 0);
  CHECK(found == lines);
}

TEST_CASE("a wrong ANYCL_LOG gives one warning that names it, and the default", "[base][log]") {
  const auto child = test::run_hidden_test("[one_line_each]", {"ANYCL_LOG=loud"});

  CAPTURE(child.output);
  CHECK(child.exit_code == 0);
  CHECK(child.output.find(
            "anycl warn: ANYCL_LOG='loud' is not one of off, error, warn, info, debug, trace; using warn\n") !=
        std::string::npos);
  CHECK(child.output.find("anycl error: a line\nanycl warn: a line\n") != std::string::npos);
  CHECK(child.output.find("anycl info") == std::string::npos);
}
