// Needs: no driver
#include "program/build_threads.hpp"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "anycl/base/error.hpp"
#include "support/catch.hpp"

using namespace anycl;
using anycl::detail::BuildJob;
using anycl::detail::BuildThreads;
using std::chrono::hours;
using std::chrono::milliseconds;

namespace {

constexpr auto kShort = milliseconds(20);

BuildJob::Clock::time_point in(std::chrono::nanoseconds time) { return BuildJob::Clock::now() + time; }

std::shared_ptr<BuildJob> make_job(std::function<void()> build) {
  return std::make_shared<BuildJob>("build of x", [build = std::move(build)]() -> BuildJob::Program {
    build();
    return nullptr;
  });
}

/// A compiler that does not come back until the test lets it.
struct Stuck {
  std::promise<void> promise;
  std::shared_future<void> end = promise.get_future().share();
  std::shared_ptr<std::atomic<bool>> begun = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<std::atomic<bool>> ended = std::make_shared<std::atomic<bool>>(false);

  void await_begin() const {
    while (!*begun) std::this_thread::yield();
  }

  [[nodiscard]] std::shared_ptr<BuildJob> job() const {
    return make_job([end = end, begun = begun, ended = ended] {
      *begun = true;
      end.wait();
      *ended = true;
    });
  }
};

}  // namespace

TEST_CASE("all jobs are run, each once, by no more threads than allowed", "[program][build_threads]") {
  BuildThreads threads(hours(1), 3);
  std::atomic<int> runs{0};
  std::atomic<int> at_once{0};
  std::atomic<int> most{0};
  std::vector<std::shared_ptr<BuildJob>> jobs;
  for (int i = 0; i < 50; ++i)
    jobs.push_back(make_job([&] {
      ++runs;
      const int now = ++at_once;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
      std::this_thread::yield();
      --at_once;
    }));

  for (const auto& job : jobs) threads.start(job);
  for (const auto& job : jobs) static_cast<void>(threads.get(*job));

  CHECK(runs == 50);
  CHECK(most >= 1);
  CHECK(most <= 3);
  CHECK(threads.stop(in(hours(1))));
}

TEST_CASE("all who wait for a job get its error", "[program][build_threads][OCL-068]") {
  BuildThreads threads(hours(1), 2);
  const auto job = make_job([] { throw std::runtime_error("no"); });
  std::atomic<int> told{0};

  threads.start(job);
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      try {
        static_cast<void>(threads.get(*job));
      } catch (const std::runtime_error&) {
        ++told;
      }
    });
  for (auto& caller : callers) caller.join();

  CHECK(told == 8);
  CHECK(threads.stop(in(hours(1))));
}

TEST_CASE("a job that runs into the limit is a Timeout, and others go on", "[program][build_threads][OCL-070]") {
  BuildThreads threads(kShort, 1);
  Stuck stuck;
  const auto first = stuck.job();
  std::atomic<bool> ran{false};
  const auto second = make_job([&] { ran = true; });

  threads.start(first);
  threads.start(second);
  static_cast<void>(threads.get(*second));

  CHECK(ran);
  CHECK_THROWS_AS(threads.get(*first), Timeout);
  CHECK_THROWS_WITH(threads.get(*first), Catch::Matchers::Contains("build of x has not ended within 0 s"));
  CHECK(threads.wait_until(*first, in(hours(1))));
  stuck.promise.set_value();
  CHECK(threads.stop(in(hours(1))));
  CHECK_NOTHROW(threads.get(*first));  // it has ended after all
}

TEST_CASE("to wait for a job with a limit of one's own ends no job", "[program][build_threads]") {
  BuildThreads threads(hours(1), 1);
  Stuck stuck;
  const auto job = stuck.job();
  threads.start(job);

  CHECK_FALSE(threads.wait_until(*job, in(kShort)));
  CHECK_FALSE(threads.wait_until(*job, BuildJob::Clock::time_point::min()));
  stuck.promise.set_value();
  CHECK(threads.wait_until(*job, in(hours(1))));
  CHECK(threads.stop(in(hours(1))));
}

TEST_CASE("stopping cancels what has not begun", "[program][build_threads]") {
  BuildThreads threads(hours(1), 1);
  Stuck stuck;
  const auto running = stuck.job();
  const auto waiting = make_job([] { FAIL("it was cancelled"); });
  threads.start(running);
  threads.start(waiting);
  stuck.await_begin();

  std::thread stopper([&] { CHECK(threads.stop(in(hours(1)))); });

  CHECK_THROWS_AS(threads.get(*waiting), Cancelled);
  CHECK_THROWS_AS(threads.start(make_job([] {})), Cancelled);
  stuck.promise.set_value();
  stopper.join();
  CHECK(*stuck.ended);
}

TEST_CASE("a job that never ends does not keep the owner from going", "[program][build_threads][OCL-070]") {
  Stuck stuck;
  {
    BuildThreads threads(hours(1), 1);
    threads.start(stuck.job());
    stuck.await_begin();

    CHECK_FALSE(threads.stop(in(kShort)));
  }
  CHECK_FALSE(*stuck.ended);
  stuck.promise.set_value();
  while (!*stuck.ended) std::this_thread::yield();  // it touches nothing that is gone: sanitizers watch
}

TEST_CASE("a job can run on the caller's thread", "[program][build_threads]") {
  BuildThreads threads(hours(1), 1);
  std::thread::id runner;
  const auto job = make_job([&] { runner = std::this_thread::get_id(); });

  threads.run_here(job);

  CHECK(runner == std::this_thread::get_id());
  CHECK_NOTHROW(threads.get(*job));
  CHECK(threads.stop(in(hours(1))));
}
