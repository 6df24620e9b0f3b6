#include "base/label.hpp"

#include <mutex>
#include <unordered_set>

namespace anycl {

Label make_label(std::string_view text) {
  static std::mutex& mutex = *new std::mutex;
  static auto& labels = *new std::unordered_set<std::string>;
  const std::lock_guard lock(mutex);
  return &*labels.emplace(text).first;
}

}  // namespace anycl
