// What gcc's analyser cannot see from one file alone: fa_fail gives back the status that it is
// given, which is never FA_OK. Put before each file by analyse.py.
#include "status.h"

#define fa_fail(error, status, ...) (fa_fail(error, status, __VA_ARGS__), (status))
