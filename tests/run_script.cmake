# cmake -DSHELL=… -DSCRIPT=… -DFOLDER=… -DPROGRAM=… -P run_script.cmake: runs a test script in an empty folder.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(ENV{LGN} "${PROGRAM}")
execute_process(COMMAND "${SHELL}" "${SCRIPT}" "${PROGRAM}"
                WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE status)
if(NOT status STREQUAL "0")
  message(FATAL_ERROR "${SCRIPT}: exit status ${status}")
endif()
