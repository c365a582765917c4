# The sources of the FMU's library in one folder, as `forearm export --sources` puts them into an FMU:
#
#     lib/forearm/sources/files.txt    their names, one a line; then the files
#     lib/forearm/sources/fmi/         the headers of the standard, for `forearm export --specialise`
#
# They stand side by side there, so that no two may have one name.
set(FOREARM_SOURCES "") # of the library, relative to the project
set(FOREARM_SMALL "")   # those of them that are compiled to be small rather than fast
set(FOREARM_SHORT "")   # those of them whose loops are not written out
set(FOREARM_FOLDERS "") # with its headers
foreach(part fa_model fa_solve fa_fmu)
  get_target_property(files ${part} SOURCES)
  list(APPEND FOREARM_SOURCES ${files})
  get_property(small TARGET ${part} PROPERTY FA_SMALL)
  list(APPEND FOREARM_SMALL ${small})
  get_property(short TARGET ${part} PROPERTY FA_SHORT)
  list(APPEND FOREARM_SHORT ${short})
  get_target_property(folders ${part} FA_FOLDERS)
  list(APPEND FOREARM_FOLDERS ${folders})
endforeach()
list(TRANSFORM FOREARM_SOURCES REPLACE "^${PROJECT_SOURCE_DIR}/" "")
list(TRANSFORM FOREARM_SMALL REPLACE "^${PROJECT_SOURCE_DIR}/" "")
list(TRANSFORM FOREARM_SHORT REPLACE "^${PROJECT_SOURCE_DIR}/" "")
list(TRANSFORM FOREARM_FOLDERS APPEND /*.h OUTPUT_VARIABLE headers)
file(GLOB FOREARM_HEADERS CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${headers})
list(TRANSFORM FOREARM_FOLDERS REPLACE "^${PROJECT_SOURCE_DIR}/" "")
list(APPEND FOREARM_HEADERS ${FOREARM_GENERATED_HEADERS}) # which the build writes

set(names "")
foreach(file IN LISTS FOREARM_SOURCES FOREARM_HEADERS)
  cmake_path(GET file FILENAME name)
  if(name IN_LIST names)
    message(FATAL_ERROR "Two files of the FMU's library are called ${name}; a source-code FMU has one folder")
  endif()
  list(APPEND names ${name})
endforeach()
list(SORT names)
list(JOIN names "\n" text)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/files.txt CONTENT "${text}\n")

get_target_property(folders fmi_headers INTERFACE_INCLUDE_DIRECTORIES)
string(REGEX REPLACE "\\$<BUILD_INTERFACE:(.*)>" "\\1" folders "${folders}")
set(standard fmi2Functions.h fmi2FunctionTypes.h fmi2TypesPlatform.h
             fmi3Functions.h fmi3FunctionTypes.h fmi3PlatformTypes.h)
list(TRANSFORM standard PREPEND ${folders}/)

set(FOREARM_SOURCES_DIR ${PROJECT_BINARY_DIR}/lib/forearm/sources)
add_custom_command(
  OUTPUT ${FOREARM_SOURCES_DIR}/files.txt VERBATIM WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${FOREARM_SOURCES_DIR}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${FOREARM_SOURCES_DIR}
  COMMAND ${CMAKE_COMMAND} -E copy ${FOREARM_SOURCES} ${FOREARM_HEADERS} ${PROJECT_BINARY_DIR}/files.txt
          ${FOREARM_SOURCES_DIR}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${FOREARM_SOURCES_DIR}/fmi
  COMMAND ${CMAKE_COMMAND} -E copy ${standard} ${FOREARM_SOURCES_DIR}/fmi
  DEPENDS ${FOREARM_SOURCES} ${FOREARM_HEADERS} ${PROJECT_BINARY_DIR}/files.txt
  COMMENT "Gathering the FMU's sources")
add_custom_target(forearm_sources ALL DEPENDS ${FOREARM_SOURCES_DIR}/files.txt)
