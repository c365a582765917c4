// Whatever the bytes: a robot description is refused with a sentence, or gives a robot that can be
// written and read back.
#include "fuzz_robot.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fa_import_options lenient = {.lenient = true};
    fa_robot               *robot = NULL;
    fa_error                error = {0};
    if (fa_import_text((const char *)data, size, "fuzz", &lenient, NULL, &robot, &error) != FA_OK) {
        check(error.message[0] != '\0' && !robot);
        return 0;
    }
    // Limit of links when writing: more of them test nothing new, and 100,000 take seconds.
    enum { MOST = 2000 };
    if (robot->n_links > MOST) {
        free(robot);
        return 0;
    }
    check_written(robot);
    free(robot);
    return 0;
}
