#include "anycl/context/context.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "base/environment.hpp"
#include "base/logging.hpp"
#include "context/context_core.hpp"
#include "device/device_record.hpp"
#include "device/entry_points.hpp"
#include "device/probe.hpp"

namespace anycl {
namespace {

template <class Selection>
std::vector<ChosenDevice> as_selected(const Selection& selection) {
  detail::Lifetime().check_usable();  // drivers are gone once the process is ending
  const Discovery discovery = discover();
  for (const std::string& warning : detail::driver_probe().warnings) log::warn("{}", warning);
  return choose_devices(discovery, selection);
}

std::vector<ChosenDevice> as_given(std::span<const Device> devices) {
  if (devices.empty()) throw InvalidArgument("context: the list of devices is empty");
  std::vector<ChosenDevice> chosen;
  for (const Device& device : devices) {
    const bool twice = std::any_of(chosen.begin(), chosen.end(), [&](const auto& c) { return c.device == device; });
    if (twice) throw InvalidArgument(fmt::format("context: device '{}' is named twice", device.name()));
    chosen.push_back({device, "given by the caller"});
  }
  return chosen;
}

}  // namespace

Context::Context() : Context(std::string_view{}) {}

Context::Context(std::string_view selection) : core_(detail::ContextCore::make(as_selected(selection))) {}

Context::Context(const Selector& selector) : core_(detail::ContextCore::make(as_selected(selector))) {}

Context::Context(std::span<const Device> devices) : core_(detail::ContextCore::make(as_given(devices))) {}

Context::Context(Context&&) noexcept = default;

Context& Context::operator=(Context&& other) noexcept {
  std::swap(core_, other.core_);
  return *this;
}

Context::~Context() {
  if (core_ != nullptr) core_->close();
}

std::span<const Device> Context::devices() const noexcept { return core_->devices(); }

const Device& Context::device(std::size_t index) const {
  const auto& devices = core_->devices();
  if (index >= devices.size())
    throw InvalidArgument(fmt::format("context: device {} asked for, but there are {}", index, devices.size()));
  return devices[index];
}

const std::string& Context::reason(std::size_t index) const {
  static_cast<void>(device(index));
  return core_->reasons()[index];
}

void Context::close() noexcept { core_->close(); }

namespace detail {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::seconds teardown_limit() {
  return seconds_from_environment("ANYCL_TEARDOWN_LIMIT", std::chrono::seconds(10));
}

/// Contexts still open when the process ends. Drivers break when work is pending while their own exit handlers run, and
/// no OpenCL object may be released after them: so the handler below closes what is open, then forbids all calls.
class OpenContexts {
 public:
  static OpenContexts& instance() {
    static OpenContexts& contexts = *new OpenContexts;
    return contexts;
  }

  /// Exit handlers run in reverse order of registration: called after discovery has loaded the drivers, ours runs before
  /// theirs. But drivers also register some in the middle of their work, and those run before ours (and before static
  /// objects of the host that hold contexts): so pending work ends earlier still, as the main thread leaves.
  void add(const std::shared_ptr<ContextCore>& context) {
    const std::lock_guard lock(mutex_);
    if (!registered_) registered_ = std::atexit([] { instance().close_at_exit(); }) == 0;
    os::before_exit_handlers([]() noexcept {
      for (const auto& open : instance().open()) open->end_work();
    });
    std::erase_if(contexts_, [](const auto& weak) { return weak.expired(); });
    contexts_.push_back(context);
  }

 private:
  [[nodiscard]] std::vector<std::shared_ptr<ContextCore>> open() {
    std::vector<std::shared_ptr<ContextCore>> found;
    const std::lock_guard lock(mutex_);
    for (const auto& weak : contexts_)
      if (auto context = weak.lock()) found.push_back(std::move(context));
    return found;
  }

  void close_at_exit() noexcept {
    for (const auto& context : open()) context->close();
    Lifetime::process_ending.store(true, std::memory_order_release);
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<ContextCore>> contexts_;
  bool registered_ = false;
};

/// Whether one native context may hold both.
bool may_share(const Device& a, const Device& b) {
  const DeviceRecord& one = a.record();
  const DeviceRecord& other = b.record();
  return one.platform == other.platform && !one.faults.one_context_per_device && !other.faults.one_context_per_device;
}

}  // namespace

std::shared_ptr<ContextCore> ContextCore::make(std::vector<ChosenDevice> devices) {
  check_not_forked();
  os::watch_forks();
  auto context = std::make_shared<ContextCore>(std::move(devices));
  OpenContexts::instance().add(context);
  return context;
}

ContextCore::ContextCore(std::vector<ChosenDevice> devices) {
  std::vector<std::vector<Device>> groups;
  for (auto& chosen : devices) {
    const auto takes = [&](const auto& group) { return may_share(group.front(), chosen.device); };
    auto group = std::find_if(groups.begin(), groups.end(), takes);
    if (group == groups.end()) group = groups.insert(groups.end(), std::vector<Device>{});
    group->push_back(chosen.device);
    native_of_device_.push_back(static_cast<std::size_t>(group - groups.begin()));
    devices_.push_back(std::move(chosen.device));
    reasons_.push_back(std::move(chosen.reason));
  }
  for (std::size_t i = 0; i < groups.size(); ++i)
    natives_.push_back(std::make_shared<NativeContext>(i, std::move(groups[i]), lifetime_));
  transfer_queues_.resize(natives_.size());
}

ContextCore::~ContextCore() { close(); }

std::size_t ContextCore::index_of(const Device& device) const {
  const auto found = std::find(devices_.begin(), devices_.end(), device);
  if (found == devices_.end())
    throw InvalidArgument(fmt::format("device '{}' is not one of the context's", device.name()));
  return static_cast<std::size_t>(found - devices_.begin());
}

std::shared_ptr<QueueCore> ContextCore::make_queue(const Device& device, QueueOptions options) {
  return make_queue(index_of(device), options);
}

std::shared_ptr<QueueCore> ContextCore::make_queue(std::size_t device_index, QueueOptions options) {
  lifetime_->check_usable();
  auto queue = std::make_shared<QueueCore>(native_of(device_index), devices_[device_index], device_index, options,
                                           weak_from_this(), queues_);
  queues_->add(queue);
  return queue;
}

QueueCore& ContextCore::transfer_queue(std::size_t index) {
  const std::lock_guard lock(transfer_mutex_);
  auto& queue = transfer_queues_.at(index);
  if (queue == nullptr) {
    const auto device = std::find(native_of_device_.begin(), native_of_device_.end(), index);
    queue = make_queue(static_cast<std::size_t>(device - native_of_device_.begin()), QueueOptions{});
  }
  return *queue;
}

void ContextCore::before_close(CloseHook hook) {
  const std::lock_guard lock(hooks_mutex_);
  hooks_.push_back(std::move(hook));
}

void ContextCore::close() noexcept {
  lifetime_->close();
  if (lifetime_->forked()) return;
  std::call_once(closing_, [this] { end_work(); });  // a second caller waits for the first
}

void ContextCore::end_work() noexcept {
  if (lifetime_->abandoned()) return;
  const auto until = Clock::now() + teardown_limit();
  std::vector<CloseHook> hooks;
  {
    const std::lock_guard lock(hooks_mutex_);
    hooks.swap(hooks_);
  }
  bool ended = true;
  for (const auto& hook : hooks) ended &= hook(until);
  if (queues_->drain(until) && ended) return;
  log::warn("context closed with work that does not end; its driver's objects are left to the system");
  lifetime_->abandon();
}

}  // namespace detail
}  // namespace anycl
