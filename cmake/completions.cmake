# cmake -DPROGRAM=… -DFOLDER=… -P completions.cmake: asks the program for its shell completions.
# A program that cannot answer leaves no file, and that shell has no completion.
foreach(shell_and_name "bash;lgn" "zsh;_lgn" "fish;lgn.fish")
  list(GET shell_and_name 0 shell)
  list(GET shell_and_name 1 name)
  execute_process(COMMAND "${PROGRAM}" completion ${shell}
                  OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE failed)
  file(REMOVE "${FOLDER}/${shell}/${name}")
  if(failed STREQUAL "0" AND NOT text STREQUAL "")
    file(WRITE "${FOLDER}/${shell}/${name}" "${text}")
  endif()
endforeach()
