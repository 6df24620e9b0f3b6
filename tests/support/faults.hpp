/// \file  A driver that lies or fails: the real one with some entry points replaced. For programs that link anycl_testing.
#pragma once

#include <memory>
#include <utility>

#include "device/entry_points.hpp"
#include "support/sanitizer.hpp"

namespace anycl::test {

/// The loader's own table, for replacements that hand on most calls.
[[nodiscard]] const detail::EntryPoints& real_driver();

/// While it lives, all OpenCL calls of the process go through a copy of the real table as `change(table)` left it.
/// Replacements are lambdas without captures; what they must remember is static. A library thread may be inside a call
/// when the faults end, so their table stays for the life of the process.
///
///   const Faults faults([](detail::EntryPoints& table) {
///     table.clFlush = [](cl_command_queue) -> cl_int { return CL_OUT_OF_RESOURCES; };
///   });
class Faults {
 public:
  template <class Change>
  explicit Faults(Change&& change) : scope_(changed(change)) {}

 private:
  template <class Change>
  static const detail::EntryPoints& changed(Change&& change) {
    auto table = std::make_unique<detail::EntryPoints>(real_driver());
    change(*table);
    return never_destroyed(std::move(table));
  }

  detail::ScopedEntryPoints scope_;
};

}  // namespace anycl::test
