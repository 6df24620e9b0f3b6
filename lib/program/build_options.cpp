#include "anycl/program/build_options.hpp"

#include <fmt/format.h>

#include "anycl/base/error.hpp"

namespace anycl {

BuildOptions::BuildOptions(std::initializer_list<Definition> definitions) {
  for (const Definition& definition : definitions) define(definition);
}

BuildOptions& BuildOptions::define(const Definition& definition) {
  defines_.insert_or_assign(definition.name(), definition.value());
  return *this;
}

BuildOptions& BuildOptions::set(BuildFlag flag, bool on) noexcept {
  flags_ = on ? flags_ | bit(flag) : flags_ & ~bit(flag);
  return *this;
}

BuildOptions& BuildOptions::warnings(Warnings warnings) noexcept {
  warnings_ = warnings;
  return *this;
}

BuildOptions& BuildOptions::language(Version version) {
  if (version < Version{1, 1} || version.patch != 0)
    throw InvalidArgument(
        fmt::format("language: there is no build option for OpenCL C {}.{}.{}; 1.1, 1.2, 2.0 and 3.0 have one",
                    version.major, version.minor, version.patch));
  language_ = version;
  return *this;
}

BuildOptions& BuildOptions::place(BuildPlace place) noexcept {
  place_ = place;
  return *this;
}

}  // namespace anycl
