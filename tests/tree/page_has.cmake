# Fails unless PAGE contains, word for word, what PROGRAM prints when called with ARGUMENTS.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${PAGE} page)
string(FIND "${page}" "${printed}" place)
if(printed STREQUAL "" OR place EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show what ${PROGRAM} ${ARGUMENTS} prints; put it there")
endif()
