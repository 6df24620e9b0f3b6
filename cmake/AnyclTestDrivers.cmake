# The drivers of tests/drivers/list.txt, and which of them a test can run on.
set(anycl_driver_list "${PROJECT_SOURCE_DIR}/tests/drivers/list.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${anycl_driver_list}")

# ANYCL_TEST_DRIVERS, which a build may shorten, and for each driver anycl_driver_<name>_has: what it can do.
file(STRINGS "${anycl_driver_list}" lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " *#.*" "" line "${line}")
  string(REGEX REPLACE " +" ";" words "${line}")
  list(POP_FRONT words name platform)
  list(APPEND ANYCL_TEST_DRIVERS "${name}")
  list(APPEND anycl_known_abilities ${words})
  set(anycl_driver_${name}_has "${words}")
endforeach()

# anycl_drivers_for(<source> <variable>): reads the line "Needs: ..." among the comments of a test:
#   Needs: no driver                            gives NONE
#   Needs: a driver                             all of them
#   Needs: a driver with compiler, threads      those that have all of that
function(anycl_drivers_for source variable)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(STRINGS "${source}" line REGEX "^(//|#) Needs: " LIMIT_COUNT 1)
  if(line MATCHES "Needs: no driver$")
    set(${variable} NONE PARENT_SCOPE)
    return()
  elseif(NOT line MATCHES "Needs: a driver( with ([a-z, ]+))?$")
    message(FATAL_ERROR "${source}: no line '// Needs: no driver' or '// Needs: a driver [with ABILITY, ...]', "
      "which says where the test can run; see tests/drivers/list.txt")
  endif()
  string(REGEX MATCHALL "[a-z]+" needs "${CMAKE_MATCH_2}")
  anycl_check_abilities("${source}" "${needs}")

  set(result "")
  foreach(driver IN LISTS ANYCL_TEST_DRIVERS)
    set(lacking ${needs})
    list(REMOVE_ITEM lacking ${anycl_driver_${driver}_has} "")
    if(NOT lacking)
      list(APPEND result "${driver}")
    endif()
  endforeach()
  set(${variable} "${result}" PARENT_SCOPE)
endfunction()

# A misspelt ability would have the test run nowhere.
function(anycl_check_abilities source needs)
  foreach(need IN LISTS needs)
    if(NOT need IN_LIST anycl_known_abilities)
      message(FATAL_ERROR "${source}: needs '${need}', which no driver of tests/drivers/list.txt has")
    endif()
  endforeach()
endfunction()
