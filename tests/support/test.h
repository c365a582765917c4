// cmocka with what it needs in front of it.
#ifndef FA_TEST_H
#define FA_TEST_H

// clang-format off: cmocka.h uses these without including them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#endif
