// Bytes as text, for what is embedded in JSON and in pictures (RFC 4648).
#ifndef FA_BASE64_H
#define FA_BASE64_H

#include <stddef.h>
#include <stdio.h>

// Writes n bytes, the last of them filled up with '='. Calls that follow each other make one text
// where n is a multiple of three.
void fa_base64_put(FILE *out, const unsigned char byte[], size_t n);

#endif
