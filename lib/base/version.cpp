#include "anycl/base/version.hpp"

namespace anycl {

std::string_view version() noexcept { return ANYCL_VERSION_STRING; }

}  // namespace anycl
