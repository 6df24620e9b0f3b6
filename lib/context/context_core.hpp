/// \file  What stands behind a Context handle. Layer 2 (context).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "anycl/context/context.hpp"
#include "context/native_context.hpp"
#include "context/queue_core.hpp"

namespace anycl::detail {

class ContextCore : public std::enable_shared_from_this<ContextCore> {
 public:
  [[nodiscard]] static std::shared_ptr<ContextCore> make(std::vector<ChosenDevice> devices);

  explicit ContextCore(std::vector<ChosenDevice> devices);
  ~ContextCore();
  ContextCore(const ContextCore&) = delete;
  ContextCore& operator=(const ContextCore&) = delete;

  [[nodiscard]] const std::vector<Device>& devices() const noexcept { return devices_; }
  [[nodiscard]] const std::vector<std::string>& reasons() const noexcept { return reasons_; }
  [[nodiscard]] Lifetime& lifetime() const noexcept { return *lifetime_; }
  [[nodiscard]] const std::shared_ptr<Lifetime>& shared_lifetime() const noexcept { return lifetime_; }

  [[nodiscard]] std::size_t native_count() const noexcept { return natives_.size(); }
  [[nodiscard]] const std::shared_ptr<NativeContext>& native(std::size_t index) const { return natives_.at(index); }
  [[nodiscard]] const std::shared_ptr<NativeContext>& native_of(std::size_t device_index) const {
    return natives_.at(native_of_device_.at(device_index));
  }

  /// \throws InvalidArgument  when `device` is not one of the context's.
  [[nodiscard]] std::size_t index_of(const Device& device) const;

  [[nodiscard]] std::shared_ptr<QueueCore> make_queue(const Device& device, QueueOptions options);

  /// A queue of our own in native context `index`, for transfers that no user queue asked for. Made on first use.
  [[nodiscard]] QueueCore& transfer_queue(std::size_t index);

  void close() noexcept;

  /// Waits for all work, as `close()` does, but the context stays open.
  void end_work() noexcept;

  /// Ends what a higher layer runs on threads of its own; false when that has not ended by the time given.
  using CloseHook = std::function<bool(std::chrono::steady_clock::time_point)>;

  /// Has `hook` called once, when the context closes and before its queues are waited for.
  void before_close(CloseHook hook);

  /// What a higher layer keeps per context, one object per type, made on first use with `T(*this)`.
  template <class T>
  [[nodiscard]] T& attached() {
    const std::lock_guard lock(attachments_mutex_);
    auto& slot = attachments_[typeid(T)];
    if (slot == nullptr) slot = std::make_shared<T>(*this);
    return *static_cast<T*>(slot.get());
  }

 private:
  [[nodiscard]] std::shared_ptr<QueueCore> make_queue(std::size_t device_index, QueueOptions options);

  std::vector<Device> devices_;
  std::vector<std::string> reasons_;
  std::shared_ptr<Lifetime> lifetime_ = std::make_shared<Lifetime>();
  std::vector<std::shared_ptr<NativeContext>> natives_;
  std::vector<std::size_t> native_of_device_;
  std::shared_ptr<QueueRegistry> queues_ = std::make_shared<QueueRegistry>();

  std::once_flag closing_;
  std::mutex hooks_mutex_;
  std::vector<CloseHook> hooks_;

  std::mutex transfer_mutex_;
  std::vector<std::shared_ptr<QueueCore>> transfer_queues_;

  std::mutex attachments_mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> attachments_;
};

}  // namespace anycl::detail
