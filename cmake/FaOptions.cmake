# fa_options: every flag, feature and sanitizer hangs on this target; nothing is global.
option(FOREARM_WERROR "Treat warnings as errors (our CI does)" OFF)
option(FOREARM_COVERAGE "Count the lines that run" OFF)
option(FOREARM_FUZZ "Build the fuzzers as libFuzzer programs (clang)" OFF)
set(FOREARM_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined")

include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
add_library(fa_options INTERFACE)
target_include_directories(fa_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/model/base>)
target_compile_options(fa_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
                       -Wmissing-prototypes $<$<BOOL:${FOREARM_WERROR}>:-Werror>)
# gcc guesses, differently at each level of optimisation, where snprintf might cut its text. Where
# that matters we look at what snprintf returns; messages are cut on purpose.
target_compile_options(fa_options INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>)
# Nobody reads errno after a square root: without it a root is one instruction and no call beside it. The bits are the same.
target_compile_options(fa_options INTERFACE -fno-math-errno)
# What strangers' files and other people's processes meet: a stack that notices being overrun, tables of
# addresses that nobody writes to after loading, no page that is both written and run. And what a program
# or library never calls is left out of it. tests/python/fmu/test_hardening.py looks at the results.
if(NOT WASI) # whose position-independent code makes an unstable kind of module
  set_target_properties(fa_options PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_compile_options(fa_options INTERFACE -fstack-protector-strong -ffunction-sections -fdata-sections)
  target_link_options(fa_options INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--gc-sections)
endif()
# Instrumented code hides from gcc that a variable is set on each path, and it warns of paths that do not exist. In
# builds without sanitizers the warning stays an error; clang and both analysers look, too.
if(FOREARM_SANITIZE)
  target_compile_options(fa_options INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
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
