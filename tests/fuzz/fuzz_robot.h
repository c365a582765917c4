// Checks every robot that was read: it can be written for an FMU, and read back.
#ifndef FUZZ_ROBOT_H
#define FUZZ_ROBOT_H

#include <stdlib.h>

#include "fuzz.h"
#include "robot_file.h"

static inline void check_written(const fa_robot *robot)
{
    const fa_options options = {.fmi = 3, .identifier = "fuzz"};
    char            *text = NULL;
    size_t           length = 0;
    fa_error         error = {0};
    check(fa_robot_file_write(robot, &options, &text, &length, &error) == FA_OK);
    fa_robot  *again = NULL;
    fa_options read = {0};
    check(fa_robot_file_read(text, length, &again, &read, &error) == FA_OK);
    free(again);
    free(text);
}

#endif
