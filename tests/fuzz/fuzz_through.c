// Whatever the bytes: a robot file is refused with a sentence, or its robot goes through everything
// that a robot can come to, in the FMU's library and in the program (tests/support/through.c).
//
// libFuzzer also changes one word of one line, to what it could mean: an index out of range, a flag
// turned over, a number that is none.
#include <string.h>

#include "fuzz.h"
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // The commands take ten times as long as the library.
    const bool commands = size > 0 && data[size / 2] % 4 == 0;
    (void)through_everything((const char *)data, size, commands ? THROUGH_ALL : THROUGH_LIBRARY);
    return 0;
}

#if defined(FOREARM_FUZZ)

#include "made_up.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    const size_t words = made_up_words((const char *)data, size);
    if (words == 0 || seed % 8 == 0) return LLVMFuzzerMutate(data, size, most);
    char        *out = malloc(most);
    const size_t length = made_up((const char *)data, size, seed / 8 % words,
                                  seed / 8 / words % MADE_UP_VALUES, out, most);
    if (length > 0) memcpy(data, out, length);
    free(out);
    return length > 0 ? length : LLVMFuzzerMutate(data, size, most);
}

#endif
