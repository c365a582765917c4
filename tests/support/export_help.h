// Common helpers of the tests of the exporter: a folder of their own, a robot, and exporting it.
#ifndef EXPORT_HELP_H
#define EXPORT_HELP_H

#include <limits.h>

#include "export.h"
#include "test.h"

extern char       folder[PATH_MAX]; // of this run's files
extern fa_library library;          // of this platform; nobody looks at its content here

// Set-up and tear-down of a group of tests.
int make_folder(void **state);
int remove_folder(void **state);

// `library`, as that version of FMI names its platform, and nothing else.
const fa_contents *contents_for(int fmi);

// A path in the folder; the one before stays usable, too.
const char *in_folder(const char *name);

// A turning base and a sliding arm, with names that need replacing.
fa_robot  *small_robot(void);
fa_options options_for(int fmi);
void       export_to(const char *path, int fmi);

void assert_contains(const char *text, const char *part);

#endif
