# The program `lgn` from program_sources, at the top of the build folder, and its shell completions beside it.
find_package(CLI11 2.1 REQUIRED)

add_executable(lgn-cli ${program_sources})
lgn_own_target(lgn-cli)
target_link_libraries(lgn-cli PRIVATE lgn::lgn lgn-reproduction CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)
set_target_properties(lgn-cli PROPERTIES
  OUTPUT_NAME lgn RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
lgn_precompile(lgn-cli <lgn/core/eigen_instances_internal.h> <fmt/format.h> <CLI/CLI.hpp>)

# Here and not at install time: `sudo make install` must leave nothing of root's in the build folder.
if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(TARGET lgn-cli POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:lgn-cli>
            -DFOLDER=${PROJECT_BINARY_DIR}/completions -P ${PROJECT_SOURCE_DIR}/cmake/completions.cmake)
endif()
