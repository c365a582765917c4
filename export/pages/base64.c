// Base64: three bytes are four letters.
#include "base64.h"

#include <stdint.h>

void fa_base64_put(FILE *out, const unsigned char byte[], size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < n; at += 3) {
        uint32_t bits = 0;
        for (size_t i = 0; i < 3; i++) bits = bits << 8 | (at + i < n ? byte[at + i] : 0u);
        for (size_t i = 0; i < 4; i++)
            fputc(at + i > n ? '=' : digits[bits >> (18 - 6 * i) & 63], out);
    }
}
