// SHA-256, as FIPS 180-4 defines it.
#ifndef FA_SHA256_H
#define FA_SHA256_H

#include <stddef.h>
#include <stdint.h>

void fa_sha256(const void *data, size_t size, uint8_t digest[32]);

#endif
