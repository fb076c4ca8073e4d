# Finds zstd, for files packed by it, and libsndfile, for sounds, where LGN_ZSTD and LGN_SNDFILE allow it; sets
# LGN_WITH_ZSTD and LGN_WITH_SNDFILE.

# lgn_find_reader(NAME HEADER LIBRARY PACKAGE PURPOSE): sets LGN_WITH_NAME, LGN_NAME_INCLUDE and LGN_NAME_LIBRARY.
macro(lgn_find_reader name header library package purpose)
  set(LGN_WITH_${name} OFF)
  if(LGN_${name})
    find_path(LGN_${name}_INCLUDE ${header})
    find_library(LGN_${name}_LIBRARY NAMES ${library})
    mark_as_advanced(LGN_${name}_INCLUDE LGN_${name}_LIBRARY)
    if(LGN_${name}_INCLUDE AND LGN_${name}_LIBRARY)
      set(LGN_WITH_${name} ON)
    elseif(LGN_${name} STREQUAL "AUTO")
      message(STATUS "${library} was not found: lgn will not read ${purpose}")
    else()
      message(FATAL_ERROR "${library} was not found (Debian: ${package}), and LGN_${name} asks for it")
    endif()
  endif()
endmacro()

lgn_find_reader(ZSTD zstd.h zstd libzstd-dev "files packed by zstd")
lgn_find_reader(SNDFILE sndfile.h sndfile libsndfile1-dev "WAV and FLAC files")

# lgn_use_packed(TARGET): their flags go to the files that use them and to nothing else.
function(lgn_use_packed target)
  if(LGN_WITH_ZSTD)
    set_source_files_properties(lgn/data/unpacked_input.cpp PROPERTIES COMPILE_DEFINITIONS LGN_WITH_ZSTD)
    target_link_libraries(${target} PRIVATE "${LGN_ZSTD_LIBRARY}")
  endif()
  if(LGN_WITH_SNDFILE)
    set_source_files_properties(lgn/data/sound.cpp PROPERTIES COMPILE_DEFINITIONS LGN_WITH_SNDFILE)
    target_link_libraries(${target} PRIVATE "${LGN_SNDFILE_LIBRARY}")
  endif()
endfunction()
