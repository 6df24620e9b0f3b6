/// \file  An environment variable for the time of a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace anycl::test {

/// Sets a variable, or unsets it for nothing; puts back what was there. While other threads run, use it for nothing that
/// they read.
class Variable {
 public:
  Variable(std::string name, std::optional<std::string> value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) before_ = old;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value)
      ::setenv(name_.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name_.c_str());
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace anycl::test
