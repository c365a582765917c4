# Makes viewer_page.c in BUILD from the viewer in SOURCE, with the programs NODE and NPM. Without
# them, or where npm reaches no registry, the page is empty, and `simulate --html` says why.
set(page ${BUILD}/report.html)
file(WRITE ${page}.empty "")
set(made ${page}.empty)
if(NODE)
  # npm writes into the folder that it works in, so that is not the source's.
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${BUILD})
  get_filename_component(bin ${NODE} DIRECTORY)
  set(ENV{PATH} "${bin}:$ENV{PATH}")
  execute_process(
    COMMAND ${NODE} ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
            --prefer-offline --cache ${CACHE}
    WORKING_DIRECTORY ${BUILD} OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    message("npm could not fetch the viewer's packages, so simulate --html will not be there: ${said}")
  else()
    execute_process(COMMAND ${NODE} ${SOURCE}/build.mjs ${BUILD}/node_modules ${page}
                    COMMAND_ERROR_IS_FATAL ANY)
    set(made ${page})
  endif()
endif()

file(READ ${made} hex HEX)
string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${hex}")
file(WRITE ${BUILD}/viewer_page.c
"// Made by viewer/make.cmake from the viewer
#include <stddef.h>

extern const unsigned char fa_viewer_page[];
extern const size_t        fa_viewer_page_size;

const unsigned char fa_viewer_page[] = {
${bytes}0};
const size_t fa_viewer_page_size = sizeof fa_viewer_page - 1;
")
