# lgn_own_target(TARGET): the language and the warnings of every target that we write ourselves.
function(lgn_own_target target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual $<$<BOOL:${LGN_WERROR}>:-Werror>)
  # g++ 12 sees overflows in std::string's own operator+ that are not there (GCC bugs 105329 and 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds
      -Wno-stringop-overflow)
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
