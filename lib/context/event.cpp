#include "anycl/context/event.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "anycl/base/error.hpp"
#include "context/event_state.hpp"
#include "context/queue_core.hpp"
#include "device/check.hpp"
#include "device/info.hpp"

namespace anycl {

std::string_view to_string(EventStatus status) noexcept {
  switch (status) {
    case EventStatus::deferred:
      return "deferred";
    case EventStatus::submitted:
      return "submitted";
    case EventStatus::complete:
      return "complete";
    case EventStatus::failed:
      return "failed";
    case EventStatus::cancelled:
      return "cancelled";
  }
  return "unknown status";
}

EventStatus Event::status() const { return state_ != nullptr ? state_->poll() : EventStatus::complete; }

void Event::wait() const {
  if (state_ != nullptr) state_->wait();
}

bool Event::wait_for(std::chrono::nanoseconds limit) const { return state_ == nullptr || state_->wait_for(limit); }

std::optional<std::uint64_t> Event::duration_ns() const {
  return state_ != nullptr ? state_->duration_ns() : std::nullopt;
}

void Event::retain() const noexcept {
  if (state_ != nullptr) state_->retain();
}

void Event::release() const noexcept {
  if (state_ != nullptr) state_->release();
}

namespace detail {

void EventState::begin(Label label) noexcept {
  label_ = label;
  final_status_.store(kUnknown, std::memory_order_relaxed);
  confirmed_.store(false, std::memory_order_relaxed);
  reported_.store(false, std::memory_order_relaxed);
  if (queue_.profiling()) submitted_at_ = std::chrono::steady_clock::now();
}

void EventState::submitted(cl_event native, std::uint64_t sequence, std::uint32_t references) noexcept {
  native_() = native;
  sequence_ = sequence;
  references_.store(references, std::memory_order_release);
}

void EventState::clear() noexcept { detail::release(native_, queue_.lifetime()); }

void EventState::return_to_queue() noexcept {
  if (!queue_.lifetime().forked()) queue_.give_back(*this);
}

cl_int EventState::execution_status() noexcept {
  const cl_int known = final_status_.load(std::memory_order_acquire);
  if (known != kUnknown || queue_.lifetime().abandoned()) return known;
  cl_int status = kUnknown;
  const cl_int code = clGetEventInfo(native_(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (code == CL_SUCCESS)
    queue_.heard();
  else
    status = queue_.work_is_lost() ? code : kUnknown;
  if (status <= CL_COMPLETE) final_status_.store(status, std::memory_order_release);
  return status;
}

void EventState::confirm() noexcept {
  const bool complete = execution_status() == CL_COMPLETE;
  if (confirmed_.exchange(true, std::memory_order_acq_rel) || !complete || queue_.lifetime().abandoned()) return;
  const cl_event native = native_();
  const cl_int code = clWaitForEvents(1, &native);
  if (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) final_status_.store(code, std::memory_order_release);
}

EventStatus EventState::status() noexcept {
  const cl_int status = execution_status();
  if (status < 0) return EventStatus::failed;
  return status == CL_COMPLETE ? EventStatus::complete : EventStatus::submitted;
}

/// Some drivers begin work only when flushed: without that a loop that asks until the work is done would never end.
EventStatus EventState::poll() {
  queue_.lifetime().check_not_forked();
  if (!queue_.lifetime().closed()) queue_.flush_through(sequence_);
  return status();
}

std::string EventState::failure() const {
  const cl_int status = final_status_.load(std::memory_order_acquire);
  if (status >= 0) return {};
  return fmt::format("{} on {}: failed with {}", *label_, queue_.device().name(), describe_code(status));
}

void EventState::throw_if_failed() const {
  reported_.store(true, std::memory_order_relaxed);
  const cl_int status = final_status_.load(std::memory_order_acquire);
  if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE) throw OutOfMemory(failure(), 0, 0);
  if (status == CL_DEVICE_NOT_AVAILABLE) throw DeviceLost(failure());
  if (status < 0) throw ClError(failure(), status, *label_);
}

void EventState::wait() {
  settle();
  throw_if_failed();
}

void EventState::settle() {
  queue_.lifetime().check_not_forked();
  if (final_status_.load(std::memory_order_acquire) == kUnknown) {
    if (await_end() == CL_SUCCESS) completed();
  }
  confirm();
}

/// The result of the last clWaitForEvents. That call, or the flush before it, may fail while the work goes on, and the work
/// may use memory that its owner gives up when we throw: so we ask again for a while.
cl_int EventState::await_end() {
  constexpr auto kLongest = std::chrono::seconds(5);
  const auto begin = std::chrono::steady_clock::now();
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(pause * 2, std::chrono::milliseconds(100))) {
    queue_.lifetime().check_usable();
    const cl_int flushed = queue_.try_flush_through(sequence_);
    const cl_event native = native_();
    const cl_int code = clWaitForEvents(1, &native);
    // Drivers disagree on what a wait for failed work returns; the event's own status decides where it says anything.
    if (execution_status() <= CL_COMPLETE) return code;
    if (std::chrono::steady_clock::now() - begin > kLongest) {
      check_cl(flushed, "clFlush", *label_);
      check_cl(code != CL_SUCCESS ? code : CL_INVALID_EVENT, "clWaitForEvents", *label_);
    }
    std::this_thread::sleep_for(pause);
  }
}

bool EventState::wait_for(std::chrono::nanoseconds limit) {
  using Clock = std::chrono::steady_clock;
  queue_.lifetime().check_not_forked();
  if (status() == EventStatus::submitted) {
    queue_.lifetime().check_usable();
    queue_.flush_through(sequence_);
  }
  const auto begin = Clock::now();
  // OpenCL has no wait with a limit: poll, ever less often, so that short work is met at once and long work is cheap.
  auto pause = std::chrono::nanoseconds(1000);
  while (status() == EventStatus::submitted) {
    const auto spent = Clock::now() - begin;
    if (spent >= limit) return false;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(pause, limit - spent));
    pause = std::min(pause * 2, std::chrono::nanoseconds(1'000'000));
  }
  confirm();
  throw_if_failed();
  return true;
}

std::optional<std::uint64_t> EventState::timestamp(cl_profiling_info what) const {
  return read_value<cl_ulong>(info(&clGetEventProfilingInfo, native_(), what));
}

std::optional<std::uint64_t> EventState::duration_ns() {
  wait();
  const auto host_limit = std::chrono::steady_clock::now() - submitted_at_;
  if (!queue_.profiling() || !queue_.device().capabilities().timestamps_trusted) return std::nullopt;
  const auto start = timestamp(CL_PROFILING_COMMAND_START);
  const auto end = timestamp(CL_PROFILING_COMMAND_END);
  if (!start || !end || *start == 0 || *end < *start) return std::nullopt;
  // Work cannot take longer than the host has seen pass since it was submitted.
  const std::uint64_t duration = *end - *start;
  const auto host_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(host_limit).count();
  if (duration > static_cast<std::uint64_t>(host_ns)) return std::nullopt;
  return duration;
}

}  // namespace detail
}  // namespace anycl
