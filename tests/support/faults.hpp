/// \file  A driver that lies or fails: the real one with some entry points replaced. For programs that link anycl_testing.
#pragma once

#include "device/entry_points.hpp"

namespace anycl::test {

/// The loader's own table, for replacements that hand on most calls.
[[nodiscard]] const detail::EntryPoints& real_driver();

/// While it lives, all OpenCL calls of the process go through a copy of the real table as `change(table)` left it.
/// Replacements are lambdas without captures; what they must remember is static. Work that was begun under the faults
/// should be done before they end.
///
///   const Faults faults([](detail::EntryPoints& table) {
///     table.clFlush = [](cl_command_queue) -> cl_int { return CL_OUT_OF_RESOURCES; };
///   });
class Faults {
 public:
  template <class Change>
  explicit Faults(Change&& change) : table_(changed(change)), scope_(table_) {}

 private:
  template <class Change>
  static detail::EntryPoints changed(Change&& change) {
    detail::EntryPoints table = real_driver();
    change(table);
    return table;
  }

  detail::EntryPoints table_;
  detail::ScopedEntryPoints scope_;
};

}  // namespace anycl::test
