# lgn_embed(TARGET HEADER NAME=FILE…): files as constants of the program.
#
# HEADER, below the build folder's include/, declares for each NAME a `std::string_view NAME` in namespace
# lgn::embedded; the bytes are compiled into TARGET.
function(lgn_embed target header)
  set(folder "${PROJECT_BINARY_DIR}/embedded")
  set(declarations "")
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.+)$" _ "${pair}")
    set(name "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    string(APPEND declarations "extern const std::string_view ${name};\n")
    add_custom_command(OUTPUT "${folder}/${name}.cpp" VERBATIM
      DEPENDS "${file}" "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
      COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFILE=${file} -DOUTPUT=${folder}/${name}.cpp
              -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
      COMMENT "Embedding ${file}")
    target_sources(${target} PRIVATE "${folder}/${name}.cpp")
    set_source_files_properties("${folder}/${name}.cpp" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/include/${header}" @ONLY CONTENT
"#pragma once

#include <string_view>

namespace lgn::embedded {

@declarations@
}  // namespace lgn::embedded
")
endfunction()

# The plotting library of the report: Debian's package, or a file that is named.
find_file(LGN_CHART_JS chart.min.js
  PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
  DOC "Chart.js 3, minified, for the plots of reports" NO_DEFAULT_PATH)
if(NOT LGN_CHART_JS)
  message(FATAL_ERROR "Chart.js 3 is needed for the plots of reports: install Debian's libjs-chart.js, "
    "or name the file with -DLGN_CHART_JS=…/chart.min.js")
endif()
