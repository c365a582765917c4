# Runs LAWC on FOLDER and writes what it prints to HEADER.
execute_process(COMMAND ${LAWC} ${WHAT} ${FOLDER} OUTPUT_FILE ${HEADER}.new RESULT_VARIABLE failed)
if(failed)
  file(REMOVE ${HEADER}.new)
  message(FATAL_ERROR "lawc cannot read the laws; see above")
endif()
file(RENAME ${HEADER}.new ${HEADER})
