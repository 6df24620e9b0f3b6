#include "object.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "dispatch.hpp"
#include "entry.hpp"

namespace anycl::stub {

const cl_icd_dispatch& Object::dispatch_table() noexcept { return dispatch(); }

namespace {

/// Main threads release objects after their thread-local ones are gone.
thread_local bool graveyard_closed = false;

}  // namespace

/// One for each thread: a lock here would order threads that the program under test left unordered, and ThreadSanitizer
/// would not see what it is there to see.
class Graveyard {
 public:
  Graveyard() = default;
  Graveyard(const Graveyard&) = delete;
  Graveyard& operator=(const Graveyard&) = delete;
  ~Graveyard() {
    graveyard_closed = true;
    for (void* memory : places_) ::operator delete(memory);
  }

  void bury(void* memory, const ObjectKind& kind) noexcept {
    new (memory) Object(~kind.magic);
    ::operator delete(std::exchange(places_[next_], memory));
    next_ = (next_ + 1) % places_.size();
  }

 private:
  std::array<void*, 256> places_{};
  std::size_t next_ = 0;
};

void bury(void* memory, const ObjectKind& kind) noexcept {
  if (graveyard_closed) {
    ::operator delete(memory);
    return;
  }
  thread_local Graveyard graveyard;
  graveyard.bury(memory, kind);
}

void report_use_after_release(const ObjectKind& kind, const void* place) noexcept {
  std::fprintf(stderr, "anycl stub: %s: %s %p was used after its release\n", current_call(), kind.noun, place);
  std::abort();
}

}  // namespace anycl::stub
