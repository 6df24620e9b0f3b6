#include "support/faults.hpp"

namespace anycl::test {

const detail::EntryPoints& real_driver() {
  static const detail::EntryPoints& table = detail::entry_points();  // asked for before the first fault is in force
  return table;
}

}  // namespace anycl::test
