# fa_options: every flag, feature and sanitizer hangs on this target; nothing is global.
option(FOREARM_WERROR "Treat warnings as errors (our CI does)" OFF)
set(FOREARM_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined")

add_library(fa_options INTERFACE)
target_include_directories(fa_options INTERFACE ${PROJECT_SOURCE_DIR}/model)
target_compile_options(fa_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
                       -Wmissing-prototypes $<$<BOOL:${FOREARM_WERROR}>:-Werror>)
if(FOREARM_SANITIZE)
  target_compile_options(fa_options INTERFACE -fsanitize=${FOREARM_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(fa_options INTERFACE -fsanitize=${FOREARM_SANITIZE})
endif()
