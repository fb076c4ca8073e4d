# A Debian package of what `cmake --install` puts under /usr, made by cpack from the release build. What needs libtorch
# and the Python package are components of their own, and stay out.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lgn)
set(CPACK_PACKAGE_CONTACT "The authors of lgn <${PROJECT_NAME}@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};lgn;Unspecified;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# What the programs link, found by dpkg-shlibdeps; what those need who compile against the library is for them to choose.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "g++, cmake, libeigen3-dev, libopenblas-dev, libfmt-dev, libssl-dev, zlib1g-dev, libzip-dev, libhdf5-dev, libzstd-dev, libsndfile1-dev")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lgn RENAME copyright)
include(CPack)
