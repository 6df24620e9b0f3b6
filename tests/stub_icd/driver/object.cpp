#include "object.hpp"

#include <cstdio>
#include <cstdlib>

#include "dispatch.hpp"
#include "thread_state.hpp"

namespace anycl::stub {

const cl_icd_dispatch& Object::dispatch_table() noexcept { return dispatch(); }

void Object::bury(void* memory, const ObjectKind& kind) noexcept {
  ThreadState::mine().keep(new (memory) Object(~kind.magic));
}

void report_use_after_release(const ObjectKind& kind, const void* place) noexcept {
  std::fprintf(stderr, "anycl stub: %s: %s %p was used after its release\n", ThreadState::mine().current_call,
               kind.noun, place);
  std::abort();
}

}  // namespace anycl::stub
