// Whatever the bytes: a number that is read is the one that strtod reads, and survives being
// written and read again; nothing beyond the size given is touched.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "number.h"

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // A block of exactly this size: a sanitizer sees one byte too many.
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    char *exact = malloc(size ? size : 1);
    if (exact && size) memcpy(exact, data, size);

    double value = 0;
    size_t length = exact ? fa_number_read(exact, size, &value) : 0;
    check(length <= size);
    if (length > 0) {
        text[length] = '\0';
        // This program never leaves the C locale, in which strtod is a fair judge.
        char *end = NULL;
        check(same(strtod(text, &end), value) && end == text + length);
        char   written[FA_NUMBER_SIZE];
        double again = 0;
        size_t n = fa_number_write(value, written);
        check(n < sizeof written && written[n] == '\0');
        if (isfinite(value)) check(fa_number_read(written, n, &again) == n && same(again, value));
        n = fa_hex_write(value, written);
        check(n < sizeof written && fa_hex_read(written, n, &again) == n && same(again, value));
    }

    length = exact ? fa_hex_read(exact, size, &value) : 0;
    check(length <= size);
    if (length > 0) {
        char written[FA_NUMBER_SIZE];
        check(fa_hex_write(value, written) == length && memcmp(written, exact, length) == 0);
    }
    free(exact);
    free(text);
    return 0;
}
