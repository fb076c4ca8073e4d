# Finds libzip, for NPZ files; sets LGN_ZIP_INCLUDE and LGN_ZIP_LIBRARY.
#
# Debian's own package file for CMake names programs of libzip that come in other packages, and fails without them.
find_path(LGN_ZIP_INCLUDE zip.h)
find_library(LGN_ZIP_LIBRARY NAMES zip)
mark_as_advanced(LGN_ZIP_INCLUDE LGN_ZIP_LIBRARY)
if(NOT LGN_ZIP_INCLUDE OR NOT LGN_ZIP_LIBRARY)
  message(FATAL_ERROR "libzip was not found (Debian: libzip-dev)")
endif()
