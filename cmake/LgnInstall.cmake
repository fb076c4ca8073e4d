# What `cmake --install` puts where.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/lgn")

install(TARGETS lgn EXPORT lgnTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY lgn/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lgn
        FILES_MATCHING PATTERN "*.h" PATTERN "*_internal.h" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/lgn/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lgn)

install(EXPORT lgnTargets NAMESPACE lgn:: DESTINATION ${package_folder})
configure_package_config_file(cmake/lgnConfig.cmake.in lgnConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(lgnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lgnConfig.cmake ${PROJECT_BINARY_DIR}/lgnConfigVersion.cmake
              cmake/LgnFindLapack.cmake
        DESTINATION ${package_folder})

if(TARGET lgn-cli)
  install(TARGETS lgn-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set(neighbours DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/lgn OPTIONAL)
  if(TARGET lgn-experiments)
    install(PROGRAMS $<TARGET_FILE:lgn-experiments> ${neighbours})
  endif()
  if(TARGET lgn-petsc)
    install(PROGRAMS $<TARGET_FILE:lgn-petsc> ${neighbours} COMPONENT petsc)
  endif()
  if(TARGET lgn-neural)
    install(PROGRAMS $<TARGET_FILE:lgn-neural> ${neighbours} COMPONENT neural)
  endif()
  set(completions "${PROJECT_BINARY_DIR}/completions")
  install(FILES ${completions}/bash/lgn OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/zsh/_lgn OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${completions}/fish/lgn.fish OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
