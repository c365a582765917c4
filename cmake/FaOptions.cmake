# fa_options: every flag, feature and sanitizer hangs on this target; nothing is global.
option(FOREARM_WERROR "Treat warnings as errors (our CI does)" OFF)
option(FOREARM_COVERAGE "Count the lines that run" OFF)
option(FOREARM_FUZZ "Build the fuzzers as libFuzzer programs (clang)" OFF)
set(FOREARM_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined")

add_library(fa_options INTERFACE)
target_include_directories(fa_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/model>)
target_compile_options(fa_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
                       -Wmissing-prototypes $<$<BOOL:${FOREARM_WERROR}>:-Werror>)
# gcc guesses, differently at each level of optimisation, where snprintf might cut its text. Where
# that matters we look at what snprintf returns; messages are cut on purpose.
target_compile_options(fa_options INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>)
if(FOREARM_SANITIZE)
  target_compile_options(fa_options INTERFACE -fsanitize=${FOREARM_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(fa_options INTERFACE -fsanitize=${FOREARM_SANITIZE})
endif()
if(FOREARM_FUZZ) # coverage feedback everywhere; the fuzzers themselves add libFuzzer's main
  target_compile_options(fa_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(FOREARM_COVERAGE)
  target_compile_options(fa_options INTERFACE --coverage)
  target_link_options(fa_options INTERFACE --coverage)
endif()
