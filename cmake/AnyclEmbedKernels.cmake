# anycl_embed_kernels(<target>
#     FILES <file.cl|file.clh>...
#     [INCLUDE_DIRS <folder>...]     where #include looks after BASE_DIR
#     [BASE_DIR <folder>]            default: CMAKE_CURRENT_SOURCE_DIR
#     [NAMESPACE <name>]             default: kernels
#     [HEADER <name.hpp>])           default: kernels.hpp
#
# Compiles OpenCL C files into <target>. The generated header declares one `extern const anycl::Source` per .cl file,
# named after its path below BASE_DIR: blur/fast.cl becomes kernels::blur_fast. A .clh file has no name of its own; it
# is there for #include. Files that are only reached by #include are found and embedded too.
#
# An #include is looked up as in C: first beside the file that says it, then from BASE_DIR and each of INCLUDE_DIRS.
# Bytes are kept as they are. An edit to any of the files, included ones too, makes the next build embed again.

function(anycl_embed_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BASE_DIR;NAMESPACE;HEADER" "FILES;INCLUDE_DIRS")
  _anycl_embed_check_call()
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/anycl_embed_kernels.cmake")
  if(NOT arg_BASE_DIR)
    set(arg_BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE kernels)
  endif()
  if(NOT arg_HEADER)
    set(arg_HEADER kernels.hpp)
  endif()
  foreach(list IN ITEMS BASE_DIR FILES INCLUDE_DIRS)
    set(absolute "")
    foreach(path IN LISTS arg_${list})
      get_filename_component(path "${path}" ABSOLUTE)
      list(APPEND absolute "${path}")
    endforeach()
    set(arg_${list} "${absolute}")
  endforeach()

  set(directory "${CMAKE_CURRENT_BINARY_DIR}/anycl_kernels/${target}")
  set(header "${directory}/${arg_HEADER}")
  string(REGEX REPLACE "\\.[^./]*$" "" stem "${header}")
  get_target_property(sources ${target} SOURCES)
  if("${stem}.cpp" IN_LIST sources)
    message(FATAL_ERROR "anycl_embed_kernels(${target}): ${arg_HEADER} is taken by an earlier call; name another HEADER")
  endif()

  # The script reads what to do from a file: a long list would not fit in a command line everywhere.
  set(settings "${stem}.settings.cmake")
  file(CONFIGURE OUTPUT "${settings}" @ONLY CONTENT [==[
set(FILES [=[@arg_FILES@]=])
set(BASE_DIR [=[@arg_BASE_DIR@]=])
set(INCLUDE_DIRS [=[@arg_INCLUDE_DIRS@]=])
set(NAMESPACE [=[@arg_NAMESPACE@]=])
set(HEADER [=[@header@]=])
]==])

  # Wrong names stop here, before the build starts.
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -D "SETTINGS=${settings}" -D CHECK_ONLY=ON -P "${script}"
    RESULT_VARIABLE failed
    ERROR_VARIABLE message)
  if(failed)
    string(REGEX REPLACE "\n.*" "" message "${message}")
    message(FATAL_ERROR "${message}")
  endif()

  add_custom_command(
    OUTPUT "${stem}.cpp"
    BYPRODUCTS "${header}"  # left alone while the names stay: an edited kernel recompiles one file
    COMMAND "${CMAKE_COMMAND}" -D "SETTINGS=${settings}" -P "${script}"
    DEPENDS "${settings}" "${script}" ${arg_FILES}
    DEPFILE "${stem}.d"
    COMMENT "Embedding OpenCL kernels of ${target} as ${arg_HEADER}"
    VERBATIM)
  target_sources(${target} PRIVATE "${stem}.cpp")
  # It has names of its own at file scope.
  set_source_files_properties("${stem}.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_LINTING ON)
  target_include_directories(${target} PRIVATE "${directory}")
endfunction()

# Reads the caller's variables; stops the configuration with one line that says what is wrong.
macro(_anycl_embed_check_call)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "anycl_embed_kernels: '${target}' is not a target")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "anycl_embed_kernels(${target}): unknown argument '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "anycl_embed_kernels(${target}): no value after ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_FILES)
    message(FATAL_ERROR "anycl_embed_kernels(${target}): no FILES given")
  endif()
  get_target_property(_anycl_target_dir ${target} SOURCE_DIR)
  if(NOT _anycl_target_dir STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    # CMake ties a generated file to the folder that makes it: the target would not find it.
    message(FATAL_ERROR "anycl_embed_kernels(${target}): call it in the CMakeLists.txt that defines ${target}")
  endif()
endmacro()
