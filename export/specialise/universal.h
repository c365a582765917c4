// Joins the libraries of both Mac processors into a universal binary, for FMI 2.0.
#ifndef FA_UNIVERSAL_H
#define FA_UNIVERSAL_H

#include "status.h"

// Joins two Mach-O libraries into one file, as Apple's lipo does.
fa_status fa_universal_join(const char *const path[2], const char *joined, fa_error *error);

#endif
