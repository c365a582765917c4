# The FMU's library for the systems that this one is not, so that an FMU exported here runs there:
# compiled from the same sources by zig, a C compiler that brings every system's C library with it.
#
#     lib/forearm/binaries/<platform>/forearm.so, .dll, .dylib
#     lib/forearm/binaries/universal-darwin/forearm.dylib    both kinds of Mac in one, for FMI 2.0
#
# zig comes with the wheel that tests/python/requirements.txt pins, from the PATH, or by -DFOREARM_ZIG=.
set(FOREARM_LIBRARIES "") # the files that come of it
option(FOREARM_CROSS "Build the FMU's library for the other platforms too, with zig" ON)
if(FOREARM_CROSS)
  include(FaWheels)
  fa_wheel_folder(ziglang wheel)
  find_program(FOREARM_ZIG zig HINTS ${wheel} DOC "The compiler for the other platforms")
endif()
if(NOT FOREARM_CROSS OR NOT FOREARM_ZIG)
  message(STATUS "FMUs will run on ${FOREARM_PLATFORM} only: zig is not used or not found")
  return()
endif()

# zig's names of the systems. glibc 2.17 is the oldest one that hosts still run on.
set(FOREARM_TARGET_x86_64-linux x86_64-linux-gnu.2.17)
set(FOREARM_TARGET_aarch64-linux aarch64-linux-gnu.2.17)
set(FOREARM_TARGET_x86_64-windows x86_64-windows-gnu)
set(FOREARM_TARGET_x86_64-darwin x86_64-macos.11.0)
set(FOREARM_TARGET_aarch64-darwin aarch64-macos.11.0)
set(ending_linux .so)
set(ending_windows .dll)
set(ending_darwin .dylib)
set(link_linux -Wl,-Bsymbolic -Wl,--gc-sections -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
set(link_windows -Wl,--gc-sections)
set(link_darwin -Wl,-dead_strip -Wl,-install_name,@rpath/forearm.dylib)

# No contraction: a multiplication and an addition are rounded one after the other on every machine,
# so that all give the same bits.
set(flags -std=c99 -DNDEBUG -fPIC -fvisibility=hidden -ffp-contract=off -fno-math-errno -ffunction-sections
    -fdata-sections -fstack-protector-strong -DFA_WITHOUT_DESCRIPTIONS -Wall -Wextra)
if(FOREARM_WERROR)
  list(APPEND flags -Werror)
endif()
set(includes "")
file(RELATIVE_PATH generated ${PROJECT_SOURCE_DIR} ${FOREARM_GENERATED})
foreach(folder ${FOREARM_FOLDERS} ${generated})
  list(APPEND includes -I ${folder})
endforeach()
get_target_property(folders fmi_headers INTERFACE_INCLUDE_DIRECTORIES)
string(REGEX REPLACE "\\$<BUILD_INTERFACE:(.*)>" "\\1" folders "${folders}")
list(APPEND includes -isystem ${folders})

# What zig compiled once it does not compile again; its cache outlives any one build folder. Of each system's C library
# it keeps one for each combination of options such as -s and -fstack-protector, and for each folder that it is called in.
set(FOREARM_ZIG_CACHE ${PROJECT_SOURCE_DIR}/build/zig CACHE PATH "Where zig keeps what it compiled")
set_property(GLOBAL APPEND PROPERTY JOB_POOLS zig=2)
set(FOREARM_ZIG_CC ${CMAKE_COMMAND} -E env ZIG_GLOBAL_CACHE_DIR=${FOREARM_ZIG_CACHE}
        ZIG_LOCAL_CACHE_DIR=${FOREARM_ZIG_CACHE} ${FOREARM_ZIG} cc)
set(binaries ${PROJECT_BINARY_DIR}/lib/forearm/binaries)

set(fast ${FOREARM_SOURCES})
list(REMOVE_ITEM fast ${FOREARM_SMALL} ${FOREARM_SHORT})

foreach(platform x86_64-linux aarch64-linux x86_64-windows x86_64-darwin aarch64-darwin)
  if(platform STREQUAL FOREARM_PLATFORM)
    continue() # this system's own compiler makes it (fmu/CMakeLists.txt)
  endif()
  string(REGEX REPLACE ".*-" "" system ${platform})
  set(library ${binaries}/${platform}/forearm${ending_${system}})
  set(implib "")
  if(system STREQUAL "windows")
    set(implib -Wl,--out-implib=${PROJECT_BINARY_DIR}/forearm.lib)
  endif()
  # The paths are relative to the project, so that none of this machine gets into the library.
  set(compile ${FOREARM_ZIG_CC} -target ${FOREARM_TARGET_${platform}} ${flags} ${includes})
  set(objects "")
  set(small ${PROJECT_BINARY_DIR}/small/${platform})
  file(MAKE_DIRECTORY ${binaries}/${platform} ${small})
  # The C library of Windows takes a minute of one processor. It waits for nothing, and goes on beside all else.
  set(begun "")
  if(system STREQUAL "windows")
    set(begun ${small}/nothing${ending_${system}})
    file(CONFIGURE OUTPUT ${small}/nothing.c CONTENT "int fa_nothing;\n")
    add_custom_command(
      OUTPUT ${begun} VERBATIM JOB_POOL zig WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      COMMAND ${compile} -O3 ${small}/nothing.c -shared -s ${link_${system}} -lm -o ${begun}
      COMMENT "Compiling the C library of ${platform}")
  endif()
  foreach(source IN LISTS FOREARM_SMALL FOREARM_SHORT) # one by one: zig takes one option of this kind for all sources
    cmake_path(GET source STEM name)
    set(level -Os -Xclang -Oz)
    if(source IN_LIST FOREARM_SHORT) # clang's -fno-unroll-loops leaves loops of three, which are to be written out
      set(level -O3 -fno-vectorize -mllvm -unroll-runtime=false)
    endif()
    add_custom_command(
      OUTPUT ${small}/${name}.o VERBATIM WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      COMMAND ${compile} ${level} -c ${source} -o ${small}/${name}.o
      DEPENDS ${source} ${FOREARM_HEADERS} COMMENT "Compiling ${source} for ${platform}")
    list(APPEND objects ${small}/${name}.o)
  endforeach()
  add_custom_command(
    OUTPUT ${library} VERBATIM JOB_POOL zig WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMAND ${compile} -O3 ${fast} ${objects} -shared -s ${link_${system}} ${implib} -lm -o ${library}
    DEPENDS ${fast} ${objects} ${begun} ${FOREARM_HEADERS} COMMENT "Compiling the FMU's library for ${platform}")
  list(APPEND FOREARM_LIBRARIES ${library})
  set(FOREARM_ZIG_BEGUN_${platform} ${begun})
endforeach()

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Darwin")
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(universal ${binaries}/universal-darwin/forearm.dylib)
  set(thin ${binaries}/x86_64-darwin/forearm.dylib ${binaries}/aarch64-darwin/forearm.dylib)
  file(MAKE_DIRECTORY ${binaries}/universal-darwin)
  add_custom_command(
    OUTPUT ${universal} VERBATIM
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/universal.py ${universal} ${thin}
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/universal.py ${thin}
    COMMENT "Joining the libraries for both kinds of Mac")
  list(APPEND FOREARM_LIBRARIES ${universal})
endif()
add_custom_target(forearm_fmu_elsewhere ALL DEPENDS ${FOREARM_LIBRARIES})
