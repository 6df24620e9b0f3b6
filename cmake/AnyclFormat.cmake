# `cmake --build ... --target format-check`: names each file that clang-format would change.
find_program(ANYCL_CLANG_FORMAT NAMES clang-format-14 clang-format)
mark_as_advanced(ANYCL_CLANG_FORMAT)
if(PROJECT_IS_TOP_LEVEL AND ANYCL_CLANG_FORMAT)
  add_custom_target(format-check
    COMMAND sh -c "git ls-files -co --exclude-standard '*.cpp' '*.hpp' | xargs -r -d '\\n' '${ANYCL_CLANG_FORMAT}' --dry-run -Werror"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMENT "Checking the format of C++ files"
    VERBATIM)
endif()
