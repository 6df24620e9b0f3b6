# What `cmake --install` puts in place. The result may be moved as a whole: every path in it is relative.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/anycl")

install(TARGETS anycl EXPORT anyclTargets)
install(TARGETS anycl_worker DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/anycl")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/anycl" "${PROJECT_BINARY_DIR}/include/anycl"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp")
if(TARGET anycl_command)
  install(TARGETS anycl_command)
endif()

install(EXPORT anyclTargets NAMESPACE anycl:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/anyclConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/anyclConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may break sources and the ABI.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/anyclConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/anyclConfig.cmake"
  "${PROJECT_BINARY_DIR}/anyclConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/AnyclEmbedKernels.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/anycl_embed_kernels.cmake"
  DESTINATION "${package_dir}")

# The .pc file finds everything from its own place.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "${pc_dir}" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH pc_to_libdir "${pc_dir}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH pc_to_includedir "${pc_dir}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
foreach(path IN ITEMS pc_to_prefix pc_to_libdir pc_to_includedir)
  string(REGEX REPLACE "/$" "" ${path} "${${path}}")
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/cmake/anycl.pc.in" "${PROJECT_BINARY_DIR}/anycl.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/anycl.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
