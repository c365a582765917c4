# The headers of both FMI standards, as the target fmi_headers; their XML schemas in FMI_SCHEMA_DIR.
#
# They come from the FMPy wheel at a pinned version and hash, or from -DFMI_HEADERS_DIR=. The wheel
# stays unpacked in the build folder, so that only the first configuration needs the network.
set(FMI_HEADERS_DIR "" CACHE PATH
    "Folder with fmi2Functions.h and fmi3Functions.h; empty: take them from the FMPy wheel")

set(fmpy_version 0.3.32)
set(fmpy_sha256 b379deb9417b842028003a288d00c1c5f138d1580e1ff12cc6c42a98719cecf0)
set(fmpy_folder ${PROJECT_BINARY_DIR}/fmpy-${fmpy_version})

set(schema "")
if(FMI_HEADERS_DIR)
  set(fmi_include ${FMI_HEADERS_DIR})
else()
  set(fmi_include ${fmpy_folder}/fmpy/c-code)
  if(NOT EXISTS ${fmi_include}/fmi3Functions.h)
    message(STATUS "Downloading the FMI headers (FMPy ${fmpy_version})")
    find_package(Python3 COMPONENTS Interpreter QUIET)
    file(WRITE ${fmpy_folder}/requirements.txt "fmpy==${fmpy_version} --hash=sha256:${fmpy_sha256}\n")
    execute_process(
      COMMAND ${Python3_EXECUTABLE} -m pip download --quiet --disable-pip-version-check --no-deps
              --require-hashes --requirement requirements.txt --dest .
      WORKING_DIRECTORY ${fmpy_folder} RESULT_VARIABLE result ERROR_VARIABLE errors)
    set(wheel ${fmpy_folder}/fmpy-${fmpy_version}-py3-none-any.whl)
    if(NOT result EQUAL 0 OR NOT EXISTS ${wheel})
      message(FATAL_ERROR
              "The FMI headers could not be downloaded. Install Python 3 with pip and connect to "
              "the network once, or say where the headers are with -DFMI_HEADERS_DIR=FOLDER.\n"
              "${errors}")
    endif()
    file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${fmpy_folder}
         PATTERNS "fmpy/c-code/fmi[23]*.h" "fmpy/schema/*")
  endif()
  set(schema ${fmpy_folder}/fmpy/schema)
endif()
set(FMI_SCHEMA_DIR "${schema}" CACHE INTERNAL "fmi2/ and fmi3/ with the XML schemas, or empty")

foreach(header fmi2Functions.h fmi2FunctionTypes.h fmi2TypesPlatform.h
               fmi3Functions.h fmi3FunctionTypes.h fmi3PlatformTypes.h)
  if(NOT EXISTS ${fmi_include}/${header})
    message(FATAL_ERROR "There is no ${header} in ${fmi_include}. "
            "FMI_HEADERS_DIR must name a folder with the headers of FMI 2.0 and of FMI 3.0.")
  endif()
endforeach()

add_library(fmi_headers INTERFACE)
target_include_directories(fmi_headers SYSTEM INTERFACE $<BUILD_INTERFACE:${fmi_include}>)
