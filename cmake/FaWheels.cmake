# Sets `result` to the folder of a Python package that brings a tool of the build: in build/venv, or,
# while pip builds the wheel of this project, among what pyproject.toml asks for. Empty: it is not there.
function(fa_wheel_folder package result)
  file(GLOB folder ${PROJECT_SOURCE_DIR}/build/venv/lib/python3*/site-packages/${package})
  if(NOT folder AND DEFINED SKBUILD)
    find_package(Python3 COMPONENTS Interpreter QUIET)
    execute_process(
      COMMAND ${Python3_EXECUTABLE} -c
              "import importlib.util as u; print(u.find_spec('${package}').submodule_search_locations[0])"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
