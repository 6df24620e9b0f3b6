# How anycl's own code is compiled. Nothing in here reaches the targets of a project that uses anycl.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(ANYCL_CCACHE ccache)
    mark_as_advanced(ANYCL_CCACHE)
    if(ANYCL_CCACHE)
      set(CMAKE_CXX_COMPILER_LAUNCHER "${ANYCL_CCACHE}")
    endif()
  endif()
  # For clangd and clang-tidy.
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Every target of ours links this one PRIVATE.
add_library(anycl_warnings INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(anycl_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(ANYCL_WERROR)
    target_compile_options(anycl_warnings INTERFACE -Werror)
  endif()
elseif(MSVC)
  target_compile_options(anycl_warnings INTERFACE /W4)
endif()

# libFuzzer's own sanitizer: code that reports what it covers.
set(ANYCL_FUZZER OFF)
if(ANYCL_SANITIZE MATCHES "fuzzer")
  set(ANYCL_FUZZER ON)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "libFuzzer comes with clang; configure with: cmake --preset fuzz")
  endif()
endif()

if(ANYCL_SANITIZE)
  add_compile_options(-fsanitize=${ANYCL_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ANYCL_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code confuses GCC: it warns about the C++ library's own headers.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  if(ANYCL_SANITIZE MATCHES "undefined")
    # A finding must fail the test that met it.
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
