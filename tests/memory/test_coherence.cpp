// One buffer, many devices: whatever is done where, everybody sees what a plain array on the host would hold.
// Needs: a driver with threads
#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "anycl/anycl.hpp"
#include "support/catch.hpp"
#include "support/devices.hpp"
#include "support/failing_work.hpp"
#include "support/random.hpp"
#include "support/run_end.hpp"
#include "support/work.hpp"

using namespace anycl;
using Uints = std::vector<std::uint32_t>;

namespace {

/// Random operations on a few buffers, done on the devices and on a model of them.
class Machine {
 public:
  explicit Machine(std::uint64_t seed) : context_(test::shared_context()), work_(shared_work()), random_(seed) {
    for (const Device& device : context_.devices())
      for (int i = 0; i < 2; ++i) queues_.emplace_back(context_, device);
    for (std::size_t i = 0; i < 4; ++i) {
      model_.push_back(test::random_integers<std::uint32_t>(kSize, seed * 7 + i, 0, 1'000'000));
      buffers_.emplace_back(context_, model_.back());
    }
  }

  void act() {
    Queue& queue = queues_[random_.below(queues_.size())];
    const std::size_t from = random_.below(4), to = (from + 1 + random_.below(3)) % 4;
    const auto value = static_cast<std::uint32_t>(random_.bits());
    const std::size_t first = random_.below(kSize), count = random_.below(kSize - first + 1);
    const auto at = [first](Uints& host) { return host.begin() + static_cast<std::ptrdiff_t>(first); };
    switch (random_.below(7)) {
      case 0:
        launch_advance(queue, work_, buffers_[to], value, 7);
        for (auto& element : model_[to]) element = element * value + 7;
        break;
      case 1:
        launch_combine(queue, work_, buffers_[from], buffers_[to], value);
        for (std::size_t i = 0; i < kSize; ++i) model_[to][i] = model_[to][i] * value + model_[from][i];
        break;
      case 2:
        write(queue, buffers_[to], Uints(count, value), first);
        std::fill_n(at(model_[to]), count, value);
        break;
      case 3:
        fill(queue, buffers_[to], value, first, count);
        std::fill_n(at(model_[to]), count, value);
        break;
      case 4:
        copy(queue, buffers_[from], first, buffers_[to], first, count);
        std::copy_n(at(model_[from]), count, at(model_[to]));
        break;
      case 5: {
        Uints host(count);
        read(queue, buffers_[to], host, first).wait();
        CHECK(std::equal(host.begin(), host.end(), at(model_[to])));
        break;
      }
      default:
        copy(queue, buffers_[from], buffers_[to]);
        model_[to] = model_[from];
    }
  }

  void check() {
    for (std::size_t i = 0; i < 4; ++i) CHECK(to_host(buffers_[i]) == model_[i]);
  }

 private:
  static constexpr std::size_t kSize = 257;

  static const test::Work& shared_work() {
    static std::optional<test::Work> work;
    if (!work) {
      work.emplace(test::shared_context());
      test::at_run_end([] { work.reset(); });  // it keeps the context's objects
    }
    return *work;
  }

  Context& context_;
  const test::Work& work_;
  test::Random random_;
  std::vector<Queue> queues_;
  std::vector<Buffer<std::uint32_t>> buffers_;
  std::vector<Uints> model_;
};

}  // namespace

TEST_CASE("random work on all devices and queues gives what a serial host gives [OCL-157]", "[memory][coherence]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Machine machine(seed);
    for (int i = 0; i < 25; ++i) machine.act();
    machine.check();
  }
}

TEST_CASE("a buffer larger than one piece moves between all devices", "[memory][coherence]") {
  Context& context = test::shared_context();
  const test::Work work(context);
  constexpr std::size_t size = (std::size_t{20} << 20) / 4 + 3;  // pieces are 16 MiB
  Uints model(size);
  for (std::size_t i = 0; i < size; ++i) model[i] = static_cast<std::uint32_t>(i * 2654435761u);
  Buffer<std::uint32_t> buffer(context, model);

  for (int round = 0; round < 2; ++round)
    for (const Device& device : context.devices()) {
      Queue queue(context, device);
      launch_advance(queue, work, buffer, 3, 1);
      for (auto& element : model) element = element * 3 + 1;
    }

  CHECK(to_host(buffer) == model);
}

TEST_CASE("a driver that cannot hold a buffer is named, though another could", "[memory][coherence]") {
  Context& context = test::shared_context();
  const auto limit = [](const Device& device) { return device.capabilities().max_allocation_bytes; };
  const auto [least, most] = std::minmax_element(context.devices().begin(), context.devices().end(),
                                                 [&](const Device& a, const Device& b) { return limit(a) < limit(b); });
  if (limit(*least) == limit(*most)) ANYCL_SKIP("all devices hold buffers of one size");
  Buffer<std::uint32_t> buffer(context, limit(*least) / sizeof(std::uint32_t) + 1);
  Queue queue(context, *least);

  CHECK_THROWS_AS(fill(queue, buffer, std::uint32_t{1}), OutOfMemory);
}

TEST_CASE("threads on all devices take turns with one buffer", "[memory][coherence]") {
  Context& context = test::shared_context();
  const test::Work work(context);
  constexpr std::uint32_t rounds = 100;
  Buffer<std::uint32_t> x(context, Uints(64, 0)), y(context, Uints(64, 0));

  std::vector<std::thread> threads;
  for (const Device& device : context.devices())
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&context, &work, &x, &y, &device] {
        Queue queue(context, device);
        for (std::uint32_t round = 0; round < rounds; ++round) {
          launch_advance(queue, work, x, 1, 1);
          launch_advance(queue, work, y, 1, 2);
          launch(queue, work.combine, 0, x, y, 1, 0);
          launch(queue, work.combine, 0, y, x, 1, 0);
        }
        queue.finish();
      });
  for (std::thread& thread : threads) thread.join();

  const auto total = static_cast<std::uint32_t>(threads.size()) * rounds;
  CHECK(to_host(x) == Uints(64, total));
  CHECK(to_host(y) == Uints(64, total * 2));
}

TEST_CASE("an old failure on one device does not stop data made later on another", "[memory][coherence]") {
  Context& context = test::shared_context();
  const test::Work work(context);
  for (const Device& failing_device : context.devices())
    for (const Device& device : context.devices()) {
      INFO("failed on " << failing_device.name() << ", overwritten on " << device.name());
      const test::FailingWork failing;
      Queue failed(context, failing_device), queue(context, device);
      Buffer<std::uint32_t> buffer(context, Uints(64, 1));
      test::FailingWork::fail_next_launch(CL_OUT_OF_RESOURCES);
      CHECK_THROWS_AS(launch_advance(failed, work, buffer, 1, 1).wait(), ClError);

      write(queue, buffer, Uints(64, 5));
      launch_advance(queue, work, buffer, 2, 0);
      launch_advance(failed, work, buffer, 1, 1);

      CHECK(to_host(buffer) == Uints(64, 11));
    }
}
