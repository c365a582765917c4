# forearm_add_fmu(<target> [ROBOT] <robot file> [FMI 2|3] [KIND forward|inverse] [PLATFORMS <platform>...]
#                 [SOURCES] [BARE] [OPTIONS <option>...])
#
# Exports <robot file> to <target>.fmu in the current build folder whenever the file or the program
# changes. The target's property FMU holds the path. PLATFORMS are those of `forearm export
# --platforms`, all if not said; SOURCES and BARE are its options of the same name; OPTIONS go to `forearm export`
# as they are.
function(forearm_add_fmu target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SOURCES;BARE" "ROBOT;FMI;KIND" "PLATFORMS;OPTIONS")
  set(robot ${ARG_ROBOT} ${ARG_UNPARSED_ARGUMENTS})
  list(LENGTH robot count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "forearm_add_fmu(${target}) takes one robot file and was given '${robot}'")
  endif()
  cmake_path(ABSOLUTE_PATH robot NORMALIZE)
  set(fmu ${CMAKE_CURRENT_BINARY_DIR}/${target}.fmu)
  if(ARG_FMI)
    list(APPEND ARG_OPTIONS --fmi ${ARG_FMI})
  endif()
  if(ARG_KIND)
    list(APPEND ARG_OPTIONS --kind ${ARG_KIND})
  endif()
  if(ARG_PLATFORMS)
    list(JOIN ARG_PLATFORMS "," platforms)
    list(APPEND ARG_OPTIONS --platforms ${platforms})
  endif()
  if(ARG_SOURCES)
    list(APPEND ARG_OPTIONS --sources)
  endif()
  if(ARG_BARE)
    list(APPEND ARG_OPTIONS --bare)
  endif()
  add_custom_command(OUTPUT ${fmu} VERBATIM DEPENDS ${robot} forearm::program
                     COMMAND forearm::program export ${robot} -o ${fmu} ${ARG_OPTIONS})
  add_custom_target(${target} ALL DEPENDS ${fmu})
  set_target_properties(${target} PROPERTIES FMU ${fmu})
endfunction()
