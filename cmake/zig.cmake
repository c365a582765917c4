# CMake's toolchain file for a program that runs on another platform, compiled by zig, which brings the C library:
#
#     cmake --preset cross -DFOREARM_TARGET=x86_64-windows        scripts/cross does that, and builds the libraries before
#
# FOREARM_TARGET   x86_64-linux and aarch64-linux (static, musl), x86_64-windows, x86_64-darwin, aarch64-darwin, wasm32-wasi
# FOREARM_ZIG      the compiler; found in build/venv or on the PATH where nobody says
# FOREARM_PREFIX   where the static libraries are installed (scripts/cross)
set(FOREARM_TARGET "" CACHE STRING "Platform as FMI 3.0 names it, or wasm32-wasi")
set(FOREARM_PREFIX "" CACHE PATH "Where the static libraries for this platform are installed")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FOREARM_TARGET FOREARM_ZIG FOREARM_PREFIX)
set(x86_64-linux x86_64-linux-musl Linux)
set(aarch64-linux aarch64-linux-musl Linux)
set(x86_64-windows x86_64-windows-gnu Windows)
set(x86_64-darwin x86_64-macos.11.0 Darwin)
set(aarch64-darwin aarch64-macos.11.0 Darwin)
set(wasm32-wasi wasm32-wasi WASI)
if(NOT FOREARM_TARGET MATCHES "^([a-z0-9_]+)-(linux|windows|darwin|wasi)$" OR NOT DEFINED ${FOREARM_TARGET})
  message(FATAL_ERROR "There is no platform '${FOREARM_TARGET}'; say -DFOREARM_TARGET= with one of those in cmake/zig.cmake")
endif()
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
list(GET ${FOREARM_TARGET} 0 target)
list(GET ${FOREARM_TARGET} 1 CMAKE_SYSTEM_NAME)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})

file(GLOB wheel ${CMAKE_CURRENT_LIST_DIR}/../build/venv/lib/python3*/site-packages/ziglang)
find_program(FOREARM_ZIG zig HINTS ${wheel} NO_CMAKE_FIND_ROOT_PATH REQUIRED DOC "The compiler for other platforms")
# CMake calls each tool by one name.
set(tools ${CMAKE_BINARY_DIR}/tools)
if(CMAKE_BINARY_DIR MATCHES "/CMakeFiles/CMakeScratch/|/CMakeTmp") # a trial of CMake's own
  string(REGEX REPLACE "/CMakeFiles/.*" "/tools" tools ${CMAKE_BINARY_DIR})
endif()
foreach(tool cc ar ranlib rc)
  set(words ${tool})
  if(tool STREQUAL "cc")
    set(words "cc -target ${target}")
  endif()
  if(NOT EXISTS ${tools}/${tool})
    file(WRITE ${tools}/${tool} "#!/bin/sh\nexec '${FOREARM_ZIG}' ${words} \"$@\"\n")
    file(CHMOD ${tools}/${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endif()
endforeach()
set(CMAKE_C_COMPILER ${tools}/cc)
set(CMAKE_AR ${tools}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${tools}/ranlib CACHE FILEPATH "")
set(CMAKE_RC_COMPILER ${tools}/rc)
set(CMAKE_OSX_SYSROOT "" CACHE STRING "" FORCE) # zig brings its own
set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "" FORCE)

# No contraction, as in the libraries of FMUs: the same bits on every machine. No path of this machine in the program.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(CMAKE_C_FLAGS_INIT "-ffp-contract=off -ffile-prefix-map=${root}=. -fno-sanitize=undefined")
set(CMAKE_EXE_LINKER_FLAGS_INIT -s)
if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,-dead_strip")
else()
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,--gc-sections")
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Windows") # their headers else ask for DLLs
  string(APPEND CMAKE_C_FLAGS_INIT " -DLIBXML_STATIC -DZIP_STATIC")
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
  string(APPEND CMAKE_C_FLAGS_INIT " -msimd128 -D_WASI_EMULATED_GETPID")
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -lwasi-emulated-getpid -Wl,-z,stack-size=8388608")
endif()

set(CMAKE_FIND_ROOT_PATH ${FOREARM_PREFIX})
set(CMAKE_PREFIX_PATH ${FOREARM_PREFIX})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${FOREARM_PREFIX}/lib/pkgconfig)
