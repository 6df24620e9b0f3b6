/// \file  What stands behind an OpenCL handle: counted, recognised by a magic number, known as dead once released.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <CL/cl_icd.h>

namespace anycl::stub {

/// The way out of a call that cannot be served.
struct Failure {
  cl_int code;
};

inline void require(bool condition, cl_int code) {
  if (!condition) throw Failure{code};
}

/// One for each type of object.
struct ObjectKind {
  const char* noun;
  std::uint64_t magic;
  cl_int invalid;  ///< what a call answers when given something else
};

/// A loader reads the first member of every object. Not virtual, so that it is the first.
class Object {
 public:
  explicit Object(const ObjectKind& kind) noexcept : magic_(kind.magic) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  [[nodiscard]] bool is(const ObjectKind& kind) const noexcept {
    return magic_.load(std::memory_order_relaxed) == kind.magic;
  }
  [[nodiscard]] bool was(const ObjectKind& kind) const noexcept {
    return magic_.load(std::memory_order_relaxed) == ~kind.magic;
  }

  // The references of the program: clRetain and clRelease.
  [[nodiscard]] cl_uint references() const noexcept { return references_.load(std::memory_order_relaxed); }
  void add_reference() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  /// True for the last one: the handle is dead from here on.
  [[nodiscard]] bool drop_reference(const ObjectKind& kind) noexcept {
    if (!is_last_of(references_)) return false;
    magic_.store(~kind.magic, std::memory_order_relaxed);
    return true;
  }
  /// Called after the last reference went; types that must act on it have one of their own.
  void closed() noexcept {}

  // The owners: one for all references together, and every Ref. A released object lives on while commands use it.
  void add_owner() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] bool drop_owner() noexcept { return is_last_of(owners_); }

  /// Takes the memory of an object that was destroyed. It is kept for a while, so that a use after release is seen for
  /// what it is.
  static void bury(void* memory, const ObjectKind& kind) noexcept;

 protected:
  ~Object() = default;

 private:
  explicit Object(std::uint64_t magic) noexcept : magic_(magic) {}

  /// Counts down. Only the last one is ordered after the others: more would order what the program left unordered.
  static bool is_last_of(std::atomic<cl_uint>& count) noexcept {
    if (count.fetch_sub(1, std::memory_order_release) != 1) return false;
    static_cast<void>(count.load(std::memory_order_acquire));
    return true;
  }

  const cl_icd_dispatch* dispatch_ = &dispatch_table();
  std::atomic<std::uint64_t> magic_;
  std::atomic<cl_uint> references_{1};
  std::atomic<cl_uint> owners_{1};

  static const cl_icd_dispatch& dispatch_table() noexcept;
};

/// Ends the process with one line: the program used `noun` at `place` after it had released it.
[[noreturn]] void report_use_after_release(const ObjectKind& kind, const void* place) noexcept;

/// An owner of a `T`.
template <class T>
class Ref {
 public:
  Ref() noexcept = default;
  explicit Ref(T& object) noexcept : object_(&object) { object.add_owner(); }
  Ref(const Ref& other) noexcept : object_(other.object_) {
    if (object_ != nullptr) object_->add_owner();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ == nullptr || !object_->drop_owner()) return;
    object_->~T();
    Object::bury(object_, T::kKind);
  }

  /// Takes over an owner that is counted already.
  [[nodiscard]] static Ref adopt(T& object) noexcept {
    Ref ref;
    ref.object_ = &object;
    return ref;
  }

  [[nodiscard]] T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

  /// Leaves this owner to the caller.
  [[nodiscard]] T* let_go() noexcept { return std::exchange(object_, nullptr); }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
[[nodiscard]] Ref<T> make(Args&&... args) {
  void* memory = ::operator new(sizeof(T));
  try {
    return Ref<T>::adopt(*new (memory) T(std::forward<Args>(args)...));
  } catch (...) {
    ::operator delete(memory);
    throw;
  }
}

/// The handle of a living object, for answers to queries.
template <class T>
[[nodiscard]] typename T::Handle handle_of(const T& object) noexcept {
  return reinterpret_cast<typename T::Handle>(const_cast<T*>(&object));
}

/// Hands an owner over to the references of the program.
template <class T>
[[nodiscard]] typename T::Handle publish(Ref<T> object) noexcept {
  return reinterpret_cast<typename T::Handle>(object.let_go());
}

/// What `handle` stands for. \throws Failure  when it is null or no handle of this type.
template <class T>
[[nodiscard]] T& object_of(typename T::Handle handle) {
  T* object = reinterpret_cast<T*>(handle);
  require(object != nullptr, T::kKind.invalid);
  if (object->is(T::kKind)) return *object;
  if (object->was(T::kKind)) report_use_after_release(T::kKind, object);
  throw Failure{T::kKind.invalid};
}

}  // namespace anycl::stub
