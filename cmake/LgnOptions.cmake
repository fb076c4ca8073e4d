# What can be chosen at configure time, and the defaults.

# Warnings stop the build with the compilers that the project is tested with; a newer compiler that
# warns about more must not keep anyone from building.
set(tested_compiler OFF)
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(top_level AND compiler MATCHES "^(GNU 12|Clang 14)\\.")
  set(tested_compiler ON)
endif()

# Tests are built wherever GoogleTest is there, and LBFGSpp, on which some baselines of the experiments stand.
find_path(LBFGSPP_INCLUDE_DIR LBFGS.h DOC "Headers of LBFGSpp, for the paper's experiments")
mark_as_advanced(LBFGSPP_INCLUDE_DIR)
set(can_test OFF)
if(top_level)
  find_package(GTest QUIET)
  if(GTest_FOUND AND LBFGSPP_INCLUDE_DIR)
    set(can_test ON)
  endif()
endif()

option(LGN_BUILD_PROGRAM "Build the program lgn" ${top_level})
option(LGN_BUILD_TESTS "Build the tests and the examples (needs GoogleTest and LBFGSpp)" ${can_test})
option(LGN_BUILD_EXPERIMENTS "Build the experiments (program and tests build them too)" OFF)
set(LGN_NEURAL AUTO CACHE STRING "Build the neural baselines of the experiments, on libtorch: ON, OFF, AUTO (where it is found)")
set_property(CACHE LGN_NEURAL PROPERTY STRINGS AUTO ON OFF)
set(LGN_BUILD_PYTHON OFF CACHE STRING "Build the Python package lgn, on pybind11 and NumPy: ON, OFF, AUTO (where they are found)")
set_property(CACHE LGN_BUILD_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(LGN_HDF5 AUTO CACHE STRING "Read and write HDF5 and MAT v7.3 files, with libhdf5: ON, OFF, AUTO (where it is found)")
set_property(CACHE LGN_HDF5 PROPERTY STRINGS AUTO ON OFF)
set(LGN_ZSTD AUTO CACHE STRING "Read files packed by zstd, with libzstd: ON, OFF, AUTO (where it is found)")
set_property(CACHE LGN_ZSTD PROPERTY STRINGS AUTO ON OFF)
set(LGN_SNDFILE AUTO CACHE STRING "Read WAV and FLAC files, with libsndfile: ON, OFF, AUTO (where it is found)")
set_property(CACHE LGN_SNDFILE PROPERTY STRINGS AUTO ON OFF)
set(LGN_PETSC AUTO CACHE STRING "Build lgn-petsc, for fits on several machines, on PETSc, SLEPc and MPI: ON, OFF, AUTO (where they are found)")
set_property(CACHE LGN_PETSC PROPERTY STRINGS AUTO ON OFF)
option(LGN_BUILD_FUZZERS "Build the fuzzers of the readers of data files (clang only)" OFF)
option(LGN_BUILD_BENCH "Build the benchmark program lgn-bench" OFF)
option(LGN_WERROR "Warnings are errors" ${tested_compiler})
option(LGN_SANITIZE "Address and undefined-behaviour sanitizers, in every target" OFF)
option(LGN_PRECOMPILE "Precompile the large headers of third parties" ON)
option(LGN_UNITY "Compile several sources of a folder at once: half the work of a whole build, more of a small change" ON)

# Where ccache is there and can write its cache, what has been compiled before, in another folder too, is not compiled again.
find_program(LGN_CCACHE ccache DOC "Keeps what was compiled; empty for none")
mark_as_advanced(LGN_CCACHE)
set(ccache_fails ON)
if(top_level AND LGN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(probe "${PROJECT_BINARY_DIR}/CMakeFiles/ccache_probe")
  file(WRITE "${probe}.cpp" "int main() {}\n")
  execute_process(COMMAND ${LGN_CCACHE} ${CMAKE_CXX_COMPILER} -c "${probe}.cpp" -o "${probe}.o"
                  RESULT_VARIABLE ccache_fails OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT ccache_fails)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${LGN_CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # by which ccache sees what was precompiled
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(LGN_PRECOMPILE OFF)  # it writes the folder into what it precompiles, so that no other clone could use the cache
  endif()
endif()

if(LGN_SANITIZE)
  # Null pointers and what lies outside of an object are seen by the address sanitizer, and alignment by Eigen's own assertions;
  # to check them at every access once more takes two fifths of the compiler's time.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,object-size,alignment -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=address,undefined)
endif()
