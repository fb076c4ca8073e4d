# Finds HDF5, for HDF5 and MAT v7.3 files, where LGN_HDF5 allows it; sets LGN_WITH_HDF5.
#
# The library alone is looked for, where Debian or others have it: CMake's own module wants a C compiler and links what
# HDF5 itself links.
set(LGN_WITH_HDF5 OFF)
if(LGN_HDF5)
  find_path(LGN_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(LGN_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
  mark_as_advanced(LGN_HDF5_INCLUDE LGN_HDF5_LIBRARY)
  if(LGN_HDF5_INCLUDE AND LGN_HDF5_LIBRARY)
    set(LGN_WITH_HDF5 ON)
  elseif(LGN_HDF5 STREQUAL "AUTO")
    message(STATUS "HDF5 was not found: lgn will read and write neither HDF5 nor MAT v7.3 files")
  else()
    message(FATAL_ERROR "HDF5 was not found (Debian: libhdf5-dev), and LGN_HDF5 asks for it")
  endif()
endif()

# lgn_use_hdf5(TARGET): its flags go to the files that use it and to nothing else.
function(lgn_use_hdf5 target)
  if(LGN_WITH_HDF5)
    set_source_files_properties(lgn/data/arrays/array_file.cpp PROPERTIES COMPILE_DEFINITIONS LGN_WITH_HDF5)
    set_source_files_properties(
      lgn/data/arrays/hdf5_reader.cpp lgn/data/arrays/hdf5_slices.cpp lgn/data/arrays/hdf5_writer.cpp PROPERTIES
      COMPILE_OPTIONS "-isystem;${LGN_HDF5_INCLUDE}")
    target_link_libraries(${target} PRIVATE "${LGN_HDF5_LIBRARY}")
  endif()
endfunction()
