#include "gates.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "driver.hpp"
#include "rules_in_force.hpp"

namespace anycl::test_layer {

using SteadyClock = std::chrono::steady_clock;

/// Closed from the start. Whoever holds the last pointer opens it: no command can be left waiting for ever.
class Gate {
 public:
  Gate(cl_event event, std::chrono::milliseconds opens_after, std::optional<std::uint64_t> seed)
      : delay(opens_after), shuffle(seed), event_(event) {}
  ~Gate() {
    open();
    driver().clReleaseEvent(event_);
    if (command_ != nullptr) driver().clReleaseEvent(command_);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  [[nodiscard]] cl_event event() const noexcept { return event_; }

  void open() {
    if (!opened_.exchange(true)) driver().clSetUserEventStatus(event_, CL_COMPLETE);
  }

  /// The event of the command behind it.
  void set_command(cl_event command) {
    driver().clRetainEvent(command);
    const cl_event none = command_.exchange(command);
    if (none != nullptr) driver().clReleaseEvent(none);
  }

  /// Nothing to wait for counts as ended.
  [[nodiscard]] bool command_ended() const {
    cl_int status = CL_COMPLETE;
    const cl_event command = command_;
    if (command != nullptr)
      driver().clGetEventInfo(command, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    return status <= CL_COMPLETE;
  }

  const std::chrono::milliseconds delay;
  const std::optional<std::uint64_t> shuffle;  ///< seed

 private:
  cl_event event_;
  std::atomic<cl_event> command_{nullptr};
  std::atomic<bool> opened_{false};
};

namespace {

using Gates = std::vector<std::shared_ptr<Gate>>;

/// The thread that opens gates later. Started by the first need of it.
class Opener {
 public:
  static Opener& instance() {
    static Opener& opener = *new Opener;
    return opener;
  }

  /// Opens `gates` at `due`, one after another, each after the command of the one before had a moment to run alone.
  void open_later(Gates gates, SteadyClock::time_point due) {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;  // whereby they open
    jobs_.push_back({due, std::move(gates)});
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    changed_.notify_one();
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

 private:
  struct Job {
    SteadyClock::time_point due;
    Gates gates;
  };

  void run() {
    while (auto job = next()) open_one_by_one(job->gates);
  }

  /// Waits for the first job that is due; nothing when all are done and the end has come.
  std::optional<Job> next() {
    std::unique_lock lock(mutex_);
    while (true) {
      const auto first =
          std::min_element(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) { return a.due < b.due; });
      if (first == jobs_.end()) {
        if (stopping_) return std::nullopt;
        changed_.wait(lock);
      } else if (stopping_ || first->due <= SteadyClock::now()) {
        Job job = std::move(*first);
        jobs_.erase(first);
        return job;
      } else {
        changed_.wait_until(lock, SteadyClock::time_point(first->due));  // a copy: jobs move meanwhile
      }
    }
  }

  static void open_one_by_one(const Gates& gates) {
    constexpr std::chrono::milliseconds moment(5);  // the command may depend on one whose gate comes later
    for (const auto& gate : gates) {
      gate->open();
      const auto end = SteadyClock::now() + moment;
      while (gate != gates.back() && !gate->command_ended() && SteadyClock::now() < end)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job> jobs_;
  std::thread thread_;
  bool stopping_ = false;
};

/// Closed gates by queue.
class ClosedGates {
 public:
  static ClosedGates& instance() {
    static ClosedGates& gates = *new ClosedGates;
    return gates;
  }

  /// False while the queue is being finished: nobody might be left to open the gate.
  [[nodiscard]] bool add(cl_command_queue queue, std::shared_ptr<Gate> gate) {
    const std::lock_guard lock(mutex_);
    if (finishing_.contains(queue)) return false;
    gates_[queue].push_back(std::move(gate));
    return true;
  }

  void begin_finish(cl_command_queue queue) {
    const std::lock_guard lock(mutex_);
    finishing_.insert(queue);
  }

  void end_finish(cl_command_queue queue) {
    const std::lock_guard lock(mutex_);
    finishing_.erase(finishing_.find(queue));
  }

  [[nodiscard]] Gates take(cl_command_queue queue) {
    const std::lock_guard lock(mutex_);
    const auto node = gates_.extract(queue);
    return node.empty() ? Gates{} : std::move(node.mapped());
  }

  [[nodiscard]] std::vector<cl_command_queue> queues() const {
    const std::lock_guard lock(mutex_);
    std::vector<cl_command_queue> found;
    for (const auto& [queue, gates] : gates_) found.push_back(queue);
    return found;
  }

  [[nodiscard]] bool empty() const {
    const std::lock_guard lock(mutex_);
    return gates_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<cl_command_queue, Gates> gates_;
  std::unordered_multiset<cl_command_queue> finishing_;  // once for each call that is at it
};

template <class Value>
Value queue_info(cl_command_queue queue, cl_command_queue_info param) {
  Value value{};
  driver().clGetCommandQueueInfo(queue, param, sizeof(value), &value, nullptr);
  return value;
}

bool is_out_of_order(cl_command_queue queue) {
  const auto properties = queue_info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

/// The gate that the rules in force put before the next command of `queue`; null for none.
std::shared_ptr<Gate> make_gate(cl_command_queue queue) {
  RulesInForce& current = rules_in_force();
  const Rules& rules = current.rules;
  const bool delayed = current.delays();
  if (!delayed && !rules.hold && !rules.reorder) return nullptr;
  const bool shuffled = rules.reorder && is_out_of_order(queue);
  if (!delayed && !rules.hold && !shuffled) return nullptr;

  cl_int code = CL_SUCCESS;
  const cl_event event = driver().clCreateUserEvent(queue_info<cl_context>(queue, CL_QUEUE_CONTEXT), &code);
  if (event == nullptr) return nullptr;  // a queue that is none: the driver shall say so
  return std::make_shared<Gate>(event, std::chrono::milliseconds(delayed ? rules.delay->ms : 0),
                                shuffled ? rules.reorder : std::nullopt);
}

/// Into an order that the first gate's seed and the number of such calls so far decide.
void shuffle(Gates& gates) {
  static std::atomic<std::uint64_t> shuffles{0};
  std::mt19937_64 engine(*gates.front()->shuffle + shuffles++);
  std::shuffle(gates.begin(), gates.end(), engine);
}

}  // namespace

GatedCommand::GatedCommand(cl_command_queue queue, cl_uint wait_count, const cl_event* waits)
    : gate_(make_gate(queue)) {
  // Before the driver knows of the command: who flushes the queue meanwhile must find the gate.
  if (gate_ != nullptr && !ClosedGates::instance().add(queue, gate_)) gate_ = nullptr;
  if (gate_ == nullptr) return;
  waits_.assign(waits, waits + wait_count);
  waits_.push_back(gate_->event());
}

GatedCommand::~GatedCommand() {
  if (own_event_ != nullptr) driver().clReleaseEvent(own_event_);
}

void GatedCommand::apply(cl_uint& wait_count, const cl_event*& waits, cl_event*& event) {
  if (gate_ == nullptr) return;
  wait_count = static_cast<cl_uint>(waits_.size());
  waits = waits_.data();
  if (gate_->shuffle && event == nullptr) event = &own_event_;
}

void GatedCommand::taken(const cl_event* event) {
  if (gate_ != nullptr && gate_->shuffle && event != nullptr && *event != nullptr) gate_->set_command(*event);
}

void open_gates(cl_command_queue queue) {
  Gates shuffled;
  for (auto& gate : ClosedGates::instance().take(queue)) {
    if (gate->shuffle)
      shuffled.push_back(std::move(gate));
    else if (gate->delay.count() > 0)
      Opener::instance().open_later({gate}, SteadyClock::now() + gate->delay);
    else
      gate->open();
  }
  if (shuffled.empty()) return;
  shuffle(shuffled);
  const auto& last = *std::max_element(shuffled.begin(), shuffled.end(),
                                       [](const auto& a, const auto& b) { return a->delay < b->delay; });
  const auto due = SteadyClock::now() + last->delay;
  Opener::instance().open_later(std::move(shuffled), due);
}

FinishingQueue::FinishingQueue(cl_command_queue queue) : queue_(queue) {
  ClosedGates::instance().begin_finish(queue_);
  open_gates(queue_);
}

FinishingQueue::~FinishingQueue() { ClosedGates::instance().end_finish(queue_); }

void open_gates_of(cl_uint count, const cl_event* events) {
  if (events == nullptr || ClosedGates::instance().empty()) return;
  for (cl_uint i = 0; i < count; ++i) {
    cl_command_queue queue = nullptr;
    driver().clGetEventInfo(events[i], CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, nullptr);
    if (queue != nullptr) open_gates(queue);
  }
}

void open_all_gates() {
  for (const cl_command_queue queue : ClosedGates::instance().queues()) open_gates(queue);
  Opener::instance().stop();
}

}  // namespace anycl::test_layer
