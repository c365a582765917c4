// Whatever the bytes: MJCF is refused with a sentence, or gives a form as fuzz_form.h wants it.
#include "fuzz_form.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int torques = 0; torques <= 1; torques++) {
        const fa_import_options options = {.torques = torques == 1};
        fuzz_form(data, size, fa_mjcf_read, &options);
    }
    return 0;
}
