# lgn_own_target(TARGET): the language and the warnings of every target that we write ourselves.
function(lgn_own_target target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual $<$<BOOL:${LGN_WERROR}>:-Werror>)
  # Where sources are compiled together, what one keeps to itself is no concern of the names and types of another.
  if(LGN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local -Wno-subobject-linkage)
  elseif(LGN_UNITY)
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
  # g++ 12 sees overflows in std::string's own operator+ that are not there (GCC bugs 105329 and 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds
      -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# lgn_precompile(TARGET HEADER…): parse these headers once for the whole target.
# lgn_precompile(TARGET): use those of the library, for a static library that is compiled as it is.
function(lgn_precompile target)
  if(NOT ARGN)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  if(LGN_PRECOMPILE AND ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  elseif(LGN_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM lgn)
  endif()
endfunction()

# lgn_unity(TARGET FILE…): compile sources of a folder several at once, so that what they share of templates is compiled
# once. Files that have flags of their own, and those that are named, are compiled alone.
function(lgn_unity target)
  if(NOT LGN_UNITY)
    return()
  endif()
  set(most_bytes 90000)  # a few seconds each, and enough of them for many cores
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(folder "")
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(name "${source}" NAME)
    get_source_file_property(without_headers "${source}" SKIP_PRECOMPILE_HEADERS)
    if(NOT source MATCHES "\\.cpp$" OR without_headers OR name IN_LIST ARGN OR NOT EXISTS "${path}")
      continue()
    endif()
    get_filename_component(its_folder "${path}" DIRECTORY)
    file(SIZE "${path}" bytes)
    if(NOT its_folder STREQUAL folder)
      set(folder "${its_folder}")
      file(RELATIVE_PATH group "${PROJECT_SOURCE_DIR}" "${folder}")
      string(REPLACE "/" "_" group "${group}")
      set(number 1)
      set(total 0)
    endif()
    math(EXPR total "${total} + ${bytes}")
    if(total GREATER most_bytes)
      math(EXPR number "${number} + 1")
      set(total ${bytes})
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${number}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
