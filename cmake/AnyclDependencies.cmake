# What anycl builds on. A missing package is one line that says what to install.

# anycl_find_package(<name> <Debian package>): find_package that names the Debian package when nothing is found.
macro(anycl_find_package name debian_package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "anycl: ${name} not found; on Debian: apt install ${debian_package}")
  endif()
endmacro()

# anycl_find_pkgconfig(<target> <module> <Debian package>): the same for packages known to pkg-config only.
macro(anycl_find_pkgconfig target module debian_package)
  pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module})
  if(NOT ${target}_FOUND)
    message(FATAL_ERROR "anycl: ${module} not found; on Debian: apt install ${debian_package}")
  endif()
endmacro()

anycl_find_package(PkgConfig pkg-config)
anycl_find_package(fmt libfmt-dev)
anycl_find_package(spdlog libspdlog-dev)
anycl_find_pkgconfig(ANYCL_SODIUM libsodium libsodium-dev)

find_path(ANYCL_OPENCL_INCLUDE_DIR CL/cl.h)
if(NOT ANYCL_OPENCL_INCLUDE_DIR)
  message(FATAL_ERROR "anycl: CL/cl.h not found; on Debian: apt install opencl-c-headers")
endif()
find_path(ANYCL_CLHPP_INCLUDE_DIR CL/opencl.hpp)
if(NOT ANYCL_CLHPP_INCLUDE_DIR)
  message(FATAL_ERROR "anycl: CL/opencl.hpp not found; on Debian: apt install opencl-clhpp-headers")
endif()
mark_as_advanced(ANYCL_OPENCL_INCLUDE_DIR ANYCL_CLHPP_INCLUDE_DIR)

# Headers only: the library opens the OpenCL loader at run time and never links it.
add_library(anycl_opencl_headers INTERFACE)
target_include_directories(anycl_opencl_headers SYSTEM INTERFACE
  "${ANYCL_OPENCL_INCLUDE_DIR}" "${ANYCL_CLHPP_INCLUDE_DIR}")
target_compile_definitions(anycl_opencl_headers INTERFACE
  CL_TARGET_OPENCL_VERSION=300
  CL_HPP_TARGET_OPENCL_VERSION=300
  # The floor is OpenCL 1.2, but Debian 12's CLHPP does not compile with a minimum of 120.
  CL_HPP_MINIMUM_OPENCL_VERSION=110)

if(ANYCL_BUILD_TOOLS)
  anycl_find_package(CLI11 libcli11-dev)
  anycl_find_package(nlohmann_json nlohmann-json3-dev)
  anycl_find_pkgconfig(ANYCL_PNG libpng libpng-dev)
  anycl_find_pkgconfig(ANYCL_TURBOJPEG libturbojpeg libturbojpeg0-dev)
endif()
if(ANYCL_BUILD_BENCH)
  anycl_find_package(benchmark libbenchmark-dev)
endif()
if(ANYCL_BUILD_TESTS)
  anycl_find_package(Catch2 catch2)
  anycl_find_package(Python3 python3 COMPONENTS Interpreter)
endif()
