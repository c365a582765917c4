# Writes the pages of the manual and the scripts with which shells complete commands, by the program itself:
#     cmake -DPROGRAM=forearm -DTO=FOLDER -P manual.cmake
file(REMOVE_RECURSE "${TO}")
execute_process(COMMAND "${PROGRAM}" help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z]+ " commands "${help}")

function(write file)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${TO}/${file}" "${text}")
endfunction()

write(man1/forearm.1 help --man)
foreach(line IN LISTS commands)
  string(STRIP "${line}" command)
  write(man1/forearm-${command}.1 help ${command} --man)
endforeach()
write(completion/bash-completion/completions/forearm completion bash)
write(completion/zsh/site-functions/_forearm completion zsh)
write(completion/fish/vendor_completions.d/forearm.fish completion fish)
