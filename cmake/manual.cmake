# Writes the pages of the manual and the scripts with which shells complete commands, by the program itself:
#     cmake -DPROGRAM=forearm -DTO=PREFIX -DMAN=share/man -DDATA=share -P manual.cmake
execute_process(COMMAND ${PROGRAM} help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z]+ " commands "${help}")

function(write file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${TO}/${file} "${text}")
  message(STATUS "Installing: ${TO}/${file}")
endfunction()

write(${MAN}/man1/forearm.1 help --man)
foreach(line IN LISTS commands)
  string(STRIP "${line}" command)
  write(${MAN}/man1/forearm-${command}.1 help ${command} --man)
endforeach()
write(${DATA}/bash-completion/completions/forearm completion bash)
write(${DATA}/zsh/site-functions/_forearm completion zsh)
write(${DATA}/fish/vendor_completions.d/forearm.fish completion fish)
