# forearm_add_fmu(<target> <robot file> [FMI 2|3] [OPTIONS <option>...])
#
# Exports <robot file> to <target>.fmu in the current build folder whenever the file or the program
# changes. The target's property FMU holds the path.
function(forearm_add_fmu target robot)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "FMI" "OPTIONS")
  cmake_path(ABSOLUTE_PATH robot NORMALIZE)
  set(fmu ${CMAKE_CURRENT_BINARY_DIR}/${target}.fmu)
  if(ARG_FMI)
    list(APPEND ARG_OPTIONS --fmi ${ARG_FMI})
  endif()
  add_custom_command(OUTPUT ${fmu} VERBATIM DEPENDS ${robot} forearm::forearm
                     COMMAND forearm::forearm export ${robot} -o ${fmu} ${ARG_OPTIONS})
  add_custom_target(${target} ALL DEPENDS ${fmu})
  set_target_properties(${target} PROPERTIES FMU ${fmu})
endfunction()
