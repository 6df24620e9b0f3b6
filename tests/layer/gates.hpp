/// \file  Commands that wait until the layer lets them go: the rules hold, delay and reorder.
///
/// A gate is a user event of the layer in a command's wait list. It opens as the command's queue is flushed.
#pragma once

#include <memory>
#include <vector>

#include <CL/cl.h>

namespace anycl::test_layer {

class Gate;

/// A command on its way to the driver, and the gate it waits at if the rules in force want one.
class GatedCommand {
 public:
  /// `queue`, and the wait list the application gave.
  GatedCommand(cl_command_queue queue, cl_uint wait_count, const cl_event* waits);
  ~GatedCommand();
  GatedCommand(const GatedCommand&) = delete;
  GatedCommand& operator=(const GatedCommand&) = delete;

  /// Puts the gate into the wait list; asks for the command's event where the application did not.
  void apply(cl_uint& wait_count, const cl_event*& waits, cl_event*& event);

  /// The driver has taken the command.
  void taken(const cl_event* event);

 private:
  std::shared_ptr<Gate> gate_;  // held until the driver has taken the command: another thread may open it at once
  std::vector<cl_event> waits_;
  cl_event own_event_ = nullptr;
};

/// Opens what waits in `queue`: at once, or soon from a thread of the layer. Does not wait.
void open_gates(cl_command_queue queue);

/// Stands for a call of clFinish: opens what waits in its queue, and holds nothing back there until the call is over.
/// Drivers wait for commands that come while they finish a queue as well, and those may never be flushed.
class FinishingQueue {
 public:
  explicit FinishingQueue(cl_command_queue queue);
  ~FinishingQueue();
  FinishingQueue(const FinishingQueue&) = delete;
  FinishingQueue& operator=(const FinishingQueue&) = delete;

 private:
  cl_command_queue queue_;
};

/// Opens what waits in the queues of `events`.
void open_gates_of(cl_uint count, const cl_event* events);

/// Opens all gates, those too whose time has not come yet, and ends the thread.
void open_all_gates();

}  // namespace anycl::test_layer
