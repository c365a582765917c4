// Numbers as text, exactly, in every locale: reading rounds correctly, writing gives the shortest
// text that reads back as the same double.
#ifndef FA_NUMBER_H
#define FA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#define FA_NUMBER_SIZE 32 // bytes that any number written here needs, with the closing zero

// Reads one decimal number at the start of text[0..size): sign, digits, point, exponent with e or
// E. Gives the bytes consumed, 0 if there is no number. No white space is skipped; "inf", "nan" and
// hexadecimal are no numbers here. A number too large for a double reads as infinity.
size_t fa_number_read(const char *text, size_t size, double *value);

// Shortest decimal text, such as 0.1, -3, 6.02e+23; infinities and NaN come out as inf, -inf, nan.
// Gives the length.
size_t fa_number_write(double value, char text[FA_NUMBER_SIZE]);

// The same for hexadecimal text, such as 0x1.8p+1: one spelling for each value. It reads what it
// writes and nothing else; infinities are written and read as inf and -inf, NaN is refused.
size_t fa_hex_read(const char *text, size_t size, double *value);
size_t fa_hex_write(double value, char text[FA_NUMBER_SIZE]);

// For messages: fa_number_text(x).text is x as fa_number_write has it, and a word of English where
// there is no number: infinity, -infinity, NaN.
typedef struct fa_text {
    char text[FA_NUMBER_SIZE];
} fa_text;
fa_text fa_number_text(double value);

#endif
