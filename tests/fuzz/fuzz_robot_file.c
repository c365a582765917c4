// Whatever the bytes: a robot file is refused with a sentence, or is what would be written again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "robot_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool claim)
{
    if (!claim) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fa_robot  *robot = NULL;
    fa_options options = {0};
    fa_error   error = {0};
    if (fa_robot_file_read((const char *)data, size, &robot, &options, &error) != FA_OK) {
        check(error.message[0] != '\0');
        return 0;
    }
    char  *text = NULL;
    size_t length = 0;
    check(fa_robot_file_write(robot, &options, &text, &length, &error) == FA_OK);
    check(length == size && memcmp(text, data, size) == 0);
    free(text);
    free(robot);
    return 0;
}
