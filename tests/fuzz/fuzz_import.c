// Whatever the bytes: a robot description is refused with a sentence, or gives a robot that can be
// written and read back.
#include <stdlib.h>

#include "fuzz.h"
#include "import.h"
#include "robot_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fa_import_options lenient = {.lenient = true};
    fa_robot               *robot = NULL;
    fa_error                error = {0};
    if (fa_import_text((const char *)data, size, "fuzz", &lenient, NULL, &robot, &error) != FA_OK) {
        check(error.message[0] != '\0' && !robot);
        return 0;
    }
    // What more links are written as is no different, and slow: 100,000 take seconds.
    enum { MOST = 2000 };
    if (robot->n_links > MOST) {
        free(robot);
        return 0;
    }
    const fa_options options = {.fmi = 3, .identifier = "fuzz"};
    char            *text = NULL;
    size_t           length = 0;
    check(fa_robot_file_write(robot, &options, &text, &length, &error) == FA_OK);
    fa_robot  *again = NULL;
    fa_options read = {0};
    check(fa_robot_file_read(text, length, &again, &read, &error) == FA_OK);
    free(again);
    free(text);
    free(robot);
    return 0;
}
