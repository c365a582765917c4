# What `cmake --install` puts where, and how others find it: find_package(forearm) and pkg-config.
#
#     bin/forearm                                  the program
#     lib/forearm/binaries/<platform>/forearm.…    what it copies into every FMU
#     lib/forearm/sources/                         what it copies into FMUs with sources
#     lib/libforearm.a, libforearm.so              the promised interface, forearm/forearm.h (docs/c-library.md)
#     lib/libforearm_model.a, _solve, _run         its parts: dynamics and motions
#     lib/libforearm_import.a                      robots from files, which needs libxml2 and libyaml: a component of its own, with _system
#     include/forearm/                             their headers
#     share/forearm/                               robots, schemas
include(CMakePackageConfigHelpers)

# The build has the same folders as an installation, so that the program finds the libraries in both.
set(binaries lib/forearm/binaries)
add_dependencies(forearm forearm_fmu forearm_sources)
if(TARGET forearm_fmu_elsewhere)
  add_dependencies(forearm forearm_fmu_elsewhere)
endif()
add_executable(forearm::program ALIAS forearm)
set_target_properties(forearm PROPERTIES EXPORT_NAME program)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/forearm)

foreach(library IN ITEMS model solve lanes run system import)
  set_target_properties(fa_${library} PROPERTIES EXPORT_NAME ${library} OUTPUT_NAME forearm_${library})
endforeach()
foreach(library IN ITEMS solve lanes run system import)
  target_include_directories(fa_${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
install(TARGETS fa_model fa_solve fa_lanes fa_run EXPORT forearm DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fa_system fa_import EXPORT forearm-import DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fa_shared EXPORT forearm DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fa_static EXPORT forearm-static DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS forearm EXPORT forearm DESTINATION ${CMAKE_INSTALL_BINDIR})
if(NOT CMAKE_CROSSCOMPILING AND NOT SKBUILD)
  set(manual ${PROJECT_BINARY_DIR}/manual)
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DPROGRAM=$<TARGET_FILE:forearm>\" \"-DTO=${manual}\"
    -P \"${PROJECT_SOURCE_DIR}/cmake/manual.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(DIRECTORY ${manual}/completion/ DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()
install(FILES $<TARGET_FILE:forearm_fmu> DESTINATION ${binaries}/${FOREARM_PLATFORM})
foreach(library IN LISTS FOREARM_LIBRARIES)
  cmake_path(GET library PARENT_PATH folder)
  cmake_path(GET folder FILENAME platform)
  install(FILES ${library} DESTINATION ${binaries}/${platform})
endforeach()
install(DIRECTORY ${FOREARM_SOURCES_DIR}/ DESTINATION lib/forearm/sources)
set(headers "") # side by side: they include each other so
foreach(library IN ITEMS model solve lanes run)
  get_target_property(folders fa_${library} FA_FOLDERS)
  list(APPEND headers ${folders})
endforeach()
list(TRANSFORM headers APPEND /*.h)
list(APPEND headers interface/forearm.h import/import.h import/robot_stops.h import/xacro/xacro.h)
file(GLOB headers CONFIGURE_DEPENDS ${headers})
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/forearm)
install(DIRECTORY resources/ DESTINATION ${CMAKE_INSTALL_DATADIR}/forearm)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT forearm NAMESPACE forearm:: FILE forearm-targets.cmake DESTINATION ${package})
install(EXPORT forearm-static NAMESPACE forearm:: FILE forearm-static-targets.cmake DESTINATION ${package})
install(EXPORT forearm-import NAMESPACE forearm:: FILE forearm-import-targets.cmake DESTINATION ${package})
configure_package_config_file(cmake/forearm-config.cmake.in forearm-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(forearm-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/forearm-config.cmake cmake/forearm_add_fmu.cmake
              ${PROJECT_BINARY_DIR}/forearm-config-version.cmake DESTINATION ${package})

# Relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH FOREARM_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/forearm.pc.in forearm.pc @ONLY)
configure_file(cmake/forearm-run.pc.in forearm-run.pc @ONLY)
configure_file(cmake/forearm-import.pc.in forearm-import.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/forearm.pc ${PROJECT_BINARY_DIR}/forearm-run.pc ${PROJECT_BINARY_DIR}/forearm-import.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
