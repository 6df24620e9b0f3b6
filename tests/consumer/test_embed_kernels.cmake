# Tests anycl_embed_kernels() and its script on small trees of kernels.
#   cmake -D MODULE_DIR=<folder of the module> -D WORK_DIR=<folder to work in> -P test_embed_kernels.cmake
cmake_minimum_required(VERSION 3.21)

set(failures 0)
function(claim what)
  if(NOT (${ARGN}))
    message(NOTICE "FAILED: ${what}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

# embed(<files> [<-D argument>...]): runs the script in `tree`; gives `code`, `output`.
function(embed files)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -D "FILES=${files}" ${ARGN} -D "HEADER=${out}/kernels.hpp" -P "${MODULE_DIR}/anycl_embed_kernels.cmake"
    WORKING_DIRECTORY "${tree}"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  set(code "${code}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(refuses what expected files)
  embed("${files}" ${ARGN})
  string(FIND "${output}" "${expected}" at)
  claim("${what}: exits with an error" NOT code EQUAL 0)
  claim("${what}: says '${expected}', got: ${output}" NOT at EQUAL -1)
  set(failures ${failures} PARENT_SCOPE)
endfunction()

# The bytes of array text_<index> as hex digits, read back from the generated .cpp.
function(embedded_bytes index out_hex)
  file(READ "${out}/kernels.cpp" text)
  string(REGEX MATCH "text_${index}\\[\\] = {[^\n]*\n([^}]*)}" found "${text}")
  string(REGEX REPLACE "[^0-9a-f]" "" hex "${CMAKE_MATCH_1}")
  set(${out_hex} "${hex}" PARENT_SCOPE)
endfunction()

set(tree "${WORK_DIR}/kernel tree")
set(out "${WORK_DIR}/generated here")
file(REMOVE_RECURSE "${WORK_DIR}")
file(WRITE "${tree}/one.cl" "#include \"common/near.clh\"\nkernel void one(global char x[2]) {}")
file(WRITE "${tree}/sub dir/3d.cl" "/* #include \"gone.clh\" */ // images/*.cl\n  # include \"beside.clh\"\r\n#include <math.h>")
file(WRITE "${tree}/sub dir/beside.clh" "#include \"../common/near.clh\"\n")
file(WRITE "${tree}/common/near.clh" "#include \"far.clh\"\n")
file(WRITE "${WORK_DIR}/more/far.clh" "int far;\r\n")
file(WRITE "${tree}/empty.cl" "")
file(WRITE "${tree}/one!.cl" "")
file(WRITE "${tree}/a-b.cl" "")
file(WRITE "${tree}/a_b.cl" "")
file(WRITE "${tree}/class.cl" "")
file(WRITE "${tree}/embedded_files.cl" "")
file(WRITE "${tree}/lost.cl" "#include \"nowhere.clh\"\n")
file(WRITE "${tree}/outside.cl" "#include \"../more/far.clh\"\n")
file(WRITE "${tree}/round.cl" "#include \"round.cl\"\n")
file(WRITE "${tree}/text.txt" "")

# What is embedded, under which names.
embed("one.cl;sub dir/3d.cl;empty.cl" "-DINCLUDE_DIRS=${WORK_DIR}/more" -DNAMESPACE=my::kernels)
claim("embeds: ${output}" code EQUAL 0)
file(READ "${out}/kernels.hpp" header)
file(READ "${out}/kernels.cpp" cpp)
file(READ "${out}/kernels.d" depfile)
foreach(name IN ITEMS "Source one;" "Source sub_dir_3d;" "Source empty;" "namespace my::kernels {")
  claim("the header has '${name}'" header MATCHES "${name}")
endforeach()
foreach(path IN ITEMS one.cl "sub dir/3d.cl" empty.cl common/near.clh "sub dir/beside.clh" far.clh)
  claim("the table has '${path}'" cpp MATCHES "{\"${path}\", {")
endforeach()
claim("a file is embedded once" NOT cpp MATCHES "near.clh\", .*near.clh\", ")
claim("the depfile names included files" depfile MATCHES "/more/far.clh")
claim("the depfile escapes blanks" depfile MATCHES "kernel\\\\ tree/one.cl")
file(SHA256 "${tree}/one.cl" sha256)
claim("the table has the SHA-256" cpp MATCHES "${sha256}")

foreach(index_path IN ITEMS "0;one.cl" "1;sub dir/3d.cl")
  list(GET index_path 0 index)
  list(GET index_path 1 path)
  embedded_bytes(${index} got)
  file(READ "${tree}/${path}" want HEX)
  claim("the bytes of ${path} are kept" got STREQUAL want)
endforeach()

embed(round.cl)
claim("a file that includes itself ends" code EQUAL 0)

# What is refused, with one line that says why.
refuses("a missing file" "gone.cl does not exist" gone.cl)
refuses("a folder" "does not exist" "sub dir")
refuses("a file elsewhere" "is not below BASE_DIR" "${WORK_DIR}/more/far.clh")
refuses("another kind of file" "is neither a .cl nor a .clh file" text.txt)
refuses("two files of one name" "a-b.cl and a_b.cl would both be named 'a_b'" "a-b.cl;a_b.cl")
refuses("a keyword" "class.cl would be named 'class', a C++ keyword" class.cl)
refuses("the name of the table" "embedded_files.cl would be named 'embedded_files', as all files together are" embedded_files.cl)
# A comment sign inside a literal hides no include after it.
file(WRITE "${WORK_DIR}/kernel tree/literal.cl" "constant char s[] = \"/* \\\" //\";\n#include \"nowhere.clh\"\n")
refuses("an include after a literal" "literal.cl: #include \"nowhere.clh\" not found" literal.cl)
refuses("a missing include" "lost.cl: #include \"nowhere.clh\" not found" lost.cl)
refuses("an include that leaves the roots" "outside.cl: #include \"../more/far.clh\" not found" outside.cl)
refuses("a bad namespace" "'my-kernels' is not a namespace" one.cl -DNAMESPACE=my-kernels)
refuses("no files" "give at least" "")

# The same lines come at configure time.
file(WRITE "${WORK_DIR}/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES NONE)
include(\"${MODULE_DIR}/AnyclEmbedKernels.cmake\")
add_custom_target(t)
anycl_embed_kernels(\${CALL})
")
foreach(case IN ITEMS
    "t,FILES,gone.cl|gone.cl does not exist"
    "t,WHAT,FILES,a.cl|unknown argument 'WHAT'"
    "t|no FILES given"
    "u,FILES,a.cl|'u' is not a target"
    "t,FILES,a.cl,HEADER|no value after HEADER")
  string(REGEX MATCH "^(.*)\\|(.*)$" matched "${case}")
  string(REPLACE "," ";" call "${CMAKE_MATCH_1}")
  set(expected "${CMAKE_MATCH_2}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${WORK_DIR}/project" -B "${WORK_DIR}/project/build" "-DCALL=${call}"
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${expected}" at)
  claim("configure refuses ${call}" NOT code EQUAL 0)
  claim("configure says '${expected}', got: ${output}" NOT at EQUAL -1)
endforeach()

if(failures)
  message(FATAL_ERROR "${failures} claims failed")
endif()
message(STATUS "all claims hold")
