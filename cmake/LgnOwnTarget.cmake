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
#
# What is generated names files as the compiler finds them from the top of the repository, so that ccache knows it again in
# another clone; CMake's own unity builds name whole paths.
function(lgn_unity target)
  if(NOT LGN_UNITY)
    return()
  endif()
  set(most_bytes 90000)  # some seconds of compiling, and enough files for the cores there are
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(kept "")
  set(groups "")
  set(folder "")
  set(total 0)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(name "${source}" NAME)
    file(RELATIVE_PATH place "${PROJECT_SOURCE_DIR}" "${path}")
    set(own_flags OFF)
    foreach(property IN ITEMS SKIP_PRECOMPILE_HEADERS COMPILE_DEFINITIONS COMPILE_OPTIONS)
      get_source_file_property(value "${source}" ${property})
      if(value)
        set(own_flags ON)
      endif()
    endforeach()
    if(own_flags OR name IN_LIST ARGN OR NOT place MATCHES "^[^.].*\\.cpp$" OR NOT EXISTS "${path}")
      list(APPEND kept "${source}")
      continue()
    endif()
    get_filename_component(its_folder "${place}" DIRECTORY)
    file(SIZE "${path}" bytes)
    math(EXPR total "${total} + ${bytes}")
    if(NOT its_folder STREQUAL folder)
      set(folder "${its_folder}")
      string(REPLACE "/" "_" room "${folder}")
      set(number 1)
      set(total ${bytes})
    elseif(total GREATER most_bytes)
      math(EXPR number "${number} + 1")
      set(total ${bytes})
    endif()
    set(group "${room}_${number}")
    list(APPEND groups "${group}")
    string(APPEND includes_of_${group} "#include \"${place}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    set(together "${PROJECT_BINARY_DIR}/together/${target}/${group}.cpp")
    file(CONFIGURE OUTPUT "${together}" CONTENT "${includes_of_${group}}")
    list(APPEND kept "${together}")
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${kept}")
endfunction()
