#include "process.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gates.hpp"
#include "handles.hpp"
#include "rules_in_force.hpp"

namespace anycl::test_layer {
namespace {

// Trivially destroyed, all of them: the layer is called until the process is gone.
constinit std::atomic<std::uint64_t> calls{0}, refused_calls{0}, late_calls{0}, accusations{0};
constinit std::atomic<bool> shut_down{false}, exited{false}, is_forked_child{false};
constinit thread_local int callbacks_of_this_thread = 0;

const char* reason_why_late() noexcept {
  if (exited) return "after the drivers' end began";
  if (shut_down) return "after shutdown";
  if (callbacks_of_this_thread > 0) return "from inside a driver's callback";
  return nullptr;
}

void accuse_of_leaks(const HandleSet& may_remain) {
  for (std::size_t i = 0; i < kHandleTypeNames.size(); ++i) {
    if (may_remain[i]) continue;
    const std::string leak = Handles::instance().leak_of(static_cast<HandleType>(i));
    if (!leak.empty()) accuse("left at exit: " + leak);
  }
}

/// Exit handlers run in reverse order of registration. This one is registered by the loader's first use, right after
/// the loader has loaded the drivers: so it runs right before the handlers that drivers registered as they were loaded,
/// and after those of everybody who could call OpenCL any earlier: thread-local objects of the main thread, handlers and
/// static objects that came to be after the first OpenCL call. What is still held now, no one may release any more;
/// who calls from here on, meets drivers that are gone.
void judge_at_exit() {
  if (is_forked_child) return;  // the handles are the parent's
  open_all_gates();             // drivers may wait for pending work
  const Rules& rules = rules_in_force().rules;
  if (rules.handles) accuse_of_leaks(rules.handles_may_remain);
  if (accusations > 0) end_process("exit code 86 for the above");
  exited = true;
}

}  // namespace

void say(std::string_view line) {
  const std::string whole = "anycl test layer: " + std::string(line) + '\n';
  std::fwrite(whole.data(), 1, whole.size(), stderr);
}

void end_process(std::string_view line) {
  say(line);
  std::fflush(nullptr);
  ::_exit(kExitCode);
}

void accuse(std::string_view line) {
  ++accusations;
  say(line);
}

std::uint64_t note_call(Entry entry) {
  const std::uint64_t call = ++calls;
  const char* reason = reason_why_late();
  if (reason == nullptr) return call;
  ++late_calls;
  if (!rules_in_force().rules.late) return call;
  accuse(std::string("late call of ") + name_of(entry) + ", " + reason);
  if (exited && !is_forked_child) end_process("exit code 86 for the above");
  return call;
}

void note_refused_call() noexcept { ++refused_calls; }

InCallback::InCallback() noexcept { ++callbacks_of_this_thread; }
InCallback::~InCallback() { --callbacks_of_this_thread; }

void mark_shutdown(bool now) noexcept { shut_down = now; }

CallCounts call_counts() noexcept { return {calls, refused_calls, late_calls}; }

void watch_process_end() {
  std::atexit(&judge_at_exit);
  ::pthread_atfork(nullptr, nullptr, [] { is_forked_child = true; });
}

}  // namespace anycl::test_layer
