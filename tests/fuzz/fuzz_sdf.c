// Whatever the bytes: SDFormat is refused with a sentence, or gives a form as fuzz_form.h wants it.
#include "fuzz_form.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int base = FA_BASE_FIXED; base <= FA_BASE_FREE; base++) {
        const fa_import_options options = {.lenient = true, .base = base};
        fuzz_form(data, size, fa_sdf_read, &options);
    }
    return 0;
}
