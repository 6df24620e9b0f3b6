#include "queue.hpp"

#include <algorithm>
#include <thread>

#include "machine.hpp"

namespace anycl::stub {

Queue::Queue(Ref<Context> its_context, Ref<Device> its_device, cl_command_queue_properties its_properties,
             std::vector<cl_queue_properties> its_list)
    : Object(kKind),
      context(std::move(its_context)),
      device(std::move(its_device)),
      properties(its_properties),
      property_list(std::move(its_list)) {}

Ref<Event> Queue::enqueue(cl_command_type type, std::span<const Ref<Event>> waits, Work work) {
  return add(type, waits, {}, std::move(work));
}

Ref<Event> Queue::enqueue_marker(cl_command_type type, std::span<const Ref<Event>> waits) {
  const bool overtaking = !in_order() && waits.empty();
  Ref<Event> event = add(type, waits, overtaking ? unfinished() : Events{}, [] { return CL_COMPLETE; });
  if (type == CL_COMMAND_BARRIER && !in_order()) {
    const std::lock_guard lock(mutex_);
    barrier_ = event;
  }
  return event;
}

Ref<Event> Queue::add(cl_command_type type, std::span<const Ref<Event>> waits, Events predecessors, Work work) {
  auto command = std::make_unique<Command>();
  Command& added = *command;
  added.event = make<Event>(context, Ref(*this), type, (properties & CL_QUEUE_PROFILING_ENABLE) != 0);
  added.work = std::move(work);
  Ref<Event> event = added.event;
  {
    const std::lock_guard lock(mutex_);
    if (barrier_) predecessors.push_back(barrier_);
    added.pending = waits.size() + predecessors.size();
    commands_.push_back(std::move(command));
    start_thread();
  }
  // A command without waits may be gone by now.
  if (waits.empty() && predecessors.empty()) changed_.notify_all();
  for (const Ref<Event>& wait : waits)
    wait->listen(CL_COMPLETE, [queue = Ref(*this), &added](cl_int status) { queue->end_wait(added, status); });
  for (const Ref<Event>& predecessor : predecessors)
    predecessor->listen(CL_COMPLETE, [queue = Ref(*this), &added](cl_int) { queue->end_wait(added, CL_COMPLETE); });
  return event;
}

void Queue::finish() { static_cast<void>(enqueue_marker(CL_COMMAND_MARKER, {})->wait()); }

void Queue::closed() noexcept {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    barrier_ = {};
  }
  changed_.notify_all();
}

void Queue::end_wait(Command& command, cl_int status) {
  {
    const std::lock_guard lock(mutex_);
    command.failed = command.failed || status < CL_COMPLETE;
    if (--command.pending != 0) return;
  }
  changed_.notify_all();
}

Queue::Events Queue::unfinished() {
  const std::lock_guard lock(mutex_);
  Events events;
  if (running_) events.push_back(running_);
  for (const auto& command : commands_) events.push_back(command->event);
  return events;
}

/// Detached: releasing a queue does not wait. The thread owns the queue, so that it ends after it.
void Queue::start_thread() {
  if (std::exchange(has_thread_, true)) return;
  std::thread([queue = Ref(*this)] { queue->run(); }).detach();
}

void Queue::run() {
  if (machine().settings.never_finishes) hang();
  while (const auto command = next()) execute(*command);
}

std::unique_ptr<Queue::Command> Queue::next() {
  std::unique_lock lock(mutex_);
  running_ = {};
  auto ready = find_ready();
  while (ready == commands_.end()) {
    if (closing_ && commands_.empty()) return nullptr;
    changed_.wait(lock);
    ready = find_ready();
  }
  auto command = std::move(*ready);
  commands_.erase(ready);
  running_ = command->event;
  return command;
}

Queue::Commands::iterator Queue::find_ready() {
  const auto is_ready = [](const auto& command) { return command->pending == 0; };
  if (!in_order()) return std::find_if(commands_.begin(), commands_.end(), is_ready);
  return !commands_.empty() && is_ready(commands_.front()) ? commands_.begin() : commands_.end();
}

void Queue::execute(Command& command) {
  if (command.failed) {
    command.event->end(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return;
  }
  command.event->start();
  const cl_int status = command.work();
  command.work = nullptr;  // lets go of what it used before anybody knows of the end
  command.event->end(status);
}

void submit(Queue& queue, cl_command_type type, const EnqueueTail& tail, Work work) {
  const auto waits = read_wait_list(*queue.context, tail.count, tail.waits);
  Ref<Event> event = queue.enqueue(type, waits, std::move(work));
  if (tail.blocking) wait_for({&event, 1});
  if (tail.event != nullptr) *tail.event = publish(std::move(event));
}

}  // namespace anycl::stub
