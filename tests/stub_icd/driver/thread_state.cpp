#include "thread_state.hpp"

#include <pthread.h>

#include <new>
#include <utility>

namespace anycl::stub {
namespace {

pthread_key_t make_key() {
  pthread_key_t key{};
  if (::pthread_key_create(&key, [](void* state) { delete static_cast<ThreadState*>(state); }) != 0)
    throw std::bad_alloc();
  return key;
}

}  // namespace

ThreadState& ThreadState::mine() {
  static const pthread_key_t key = make_key();
  if (void* state = ::pthread_getspecific(key)) return *static_cast<ThreadState*>(state);
  auto* state = new ThreadState;
  ::pthread_setspecific(key, state);
  return *state;
}

ThreadState::~ThreadState() {
  for (void* memory : kept_) ::operator delete(memory);
}

void ThreadState::keep(void* memory) noexcept {
  ::operator delete(std::exchange(kept_[next_], memory));
  next_ = (next_ + 1) % kept_.size();
}

}  // namespace anycl::stub
