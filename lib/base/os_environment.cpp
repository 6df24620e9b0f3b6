#include "base/os_environment.hpp"

#include <stdlib.h>

namespace anycl::os {
namespace {

void set(const std::string& name, const std::optional<std::string>& value) {
  if (value)
    ::setenv(name.c_str(), value->c_str(), 1);
  else
    ::unsetenv(name.c_str());
}

}  // namespace

ScopedVariables::ScopedVariables(const std::vector<std::string>& changes) {
  for (const std::string& change : changes) {
    const auto equals = change.find('=');
    const std::string name = change.substr(0, equals);
    const char* before = ::getenv(name.c_str());
    before_.emplace_back(name, before != nullptr ? std::optional<std::string>(before) : std::nullopt);
    set(name, equals != std::string::npos ? std::optional(change.substr(equals + 1)) : std::nullopt);
  }
}

ScopedVariables::~ScopedVariables() {
  for (auto entry = before_.rbegin(); entry != before_.rend(); ++entry) set(entry->first, entry->second);
}

}  // namespace anycl::os
