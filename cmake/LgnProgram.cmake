# The program `lgn` at the top of the build folder, its shell completions beside it, and `lgn-experiments`, which it
# becomes for the commands that need the paper's experiments.
find_package(CLI11 2.1 REQUIRED)

# Commands and what they share; CLI11 is seen by one file.
file(GLOB command_sources CONFIGURE_DEPENDS cli/*.cpp)
list(FILTER command_sources EXCLUDE REGEX "/main\\.cpp$")
add_library(lgn-commands STATIC ${command_sources})
lgn_own_target(lgn-commands)
target_link_libraries(lgn-commands PUBLIC lgn::lgn PRIVATE CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)
lgn_precompile(lgn-commands)
lgn_unity(lgn-commands command_line.cpp)

add_executable(lgn-cli cli/main.cpp)
lgn_own_target(lgn-cli)
target_link_libraries(lgn-cli PRIVATE lgn-commands)
set_target_properties(lgn-cli PROPERTIES
  OUTPUT_NAME lgn RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

if(TARGET lgn-reproduction)
  file(GLOB experiment_command_sources CONFIGURE_DEPENDS cli/experiments/*.cpp)
  add_executable(lgn-experiments ${experiment_command_sources})
  lgn_own_target(lgn-experiments)
  target_link_libraries(lgn-experiments PRIVATE lgn-commands lgn-reproduction fmt::fmt)
  lgn_unity(lgn-experiments)
  set_target_properties(lgn-experiments PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endif()

# Here and not at install time: `sudo make install` must leave nothing of root's in the build folder.
if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(TARGET lgn-cli POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:lgn-cli>
            -DFOLDER=${PROJECT_BINARY_DIR}/completions -P ${PROJECT_SOURCE_DIR}/cmake/completions.cmake)
endif()
