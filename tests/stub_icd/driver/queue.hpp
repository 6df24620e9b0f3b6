/// \file  A command queue: a list of commands and the one thread that runs them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "event.hpp"

namespace anycl::stub {

/// What a command does; gives CL_COMPLETE or an error, its final status.
using Work = std::function<cl_int()>;

class Queue : public Object {
 public:
  using Handle = cl_command_queue;
  static constexpr ObjectKind kKind{"command queue", 0x7175657565212121, CL_INVALID_COMMAND_QUEUE};

  Queue(Ref<Context> its_context, Ref<Device> its_device, cl_command_queue_properties its_properties,
        std::vector<cl_queue_properties> its_list);

  const Ref<Context> context;
  const Ref<Device> device;
  const cl_command_queue_properties properties;
  const std::vector<cl_queue_properties> property_list;  ///< as the program gave it

  /// Adds a command. It runs when all `waits` have completed, and fails when one of them has failed.
  Ref<Event> enqueue(cl_command_type type, std::span<const Ref<Event>> waits, Work work);
  /// Adds a command that does nothing, when `waits` or, without any, all commands before it have completed. Commands
  /// after a barrier wait for it.
  Ref<Event> enqueue_marker(cl_command_type type, std::span<const Ref<Event>> waits);
  /// Waits for all commands.
  void finish();

  /// The program has let go of the queue: the thread ends after the last command.
  void closed() noexcept;

 private:
  struct Command {
    Ref<Event> event;
    Work work;
    std::size_t pending = 0;  ///< events that it still waits for
    bool failed = false;      ///< one of those it waited for did
  };
  using Commands = std::deque<std::unique_ptr<Command>>;
  using Events = std::vector<Ref<Event>>;

  [[nodiscard]] bool in_order() const noexcept { return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
  /// Adds a command that runs after `waits`, whose failure is its own, and after `predecessors`, whose failure is not.
  Ref<Event> add(cl_command_type type, std::span<const Ref<Event>> waits, Events predecessors, Work work);
  void end_wait(Command& command, cl_int status);
  [[nodiscard]] Events unfinished();

  // The thread.
  void start_thread();
  void run();
  [[nodiscard]] std::unique_ptr<Command> next();
  [[nodiscard]] Commands::iterator find_ready();
  static void execute(Command& command);

  std::mutex mutex_;
  std::condition_variable changed_;
  Commands commands_;
  Ref<Event> running_;
  Ref<Event> barrier_;  ///< the last one; kept where commands overtake
  bool has_thread_ = false;
  bool closing_ = false;
};

/// What ends every enqueue call.
struct EnqueueTail {
  cl_uint count;
  const cl_event* waits;
  cl_event* event;
  bool blocking = false;
};

/// Adds a command and answers its event; waits for it where the call blocks.
/// \throws Failure  for the wait list, or CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST from a call that blocks
void submit(Queue& queue, cl_command_type type, const EnqueueTail& tail, Work work);

}  // namespace anycl::stub
