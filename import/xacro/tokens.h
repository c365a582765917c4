// Tokeniser of expressions: a text, and the current position.
#ifndef FA_TOKENS_H
#define FA_TOKENS_H

#include "expansion.h"

typedef struct fa_xacro_parser {
    fa_xacro   *x;
    const char *all, *at;
    int         depth, n; // nesting, and terms so far
} fa_xacro_parser;

_Noreturn void fa_xacro_no_expression(const fa_xacro_parser *p, const char *why);
_Noreturn void fa_xacro_too_much(const fa_xacro_parser *p); // Python beyond what is read here

fa_xacro_term *fa_xacro_term_new(fa_xacro_parser *p, fa_xacro_term_kind kind);
void           fa_xacro_skip(fa_xacro_parser *p); // white space
bool           fa_xacro_is_digit(char c);
size_t         fa_xacro_word_length(const char *at); // 0: no word begins there
bool           fa_xacro_take_sign(fa_xacro_parser *p, const char *sign);
bool           fa_xacro_at_word(fa_xacro_parser *p, const char *word);
bool           fa_xacro_take_word(fa_xacro_parser *p, const char *word);
void           fa_xacro_need(fa_xacro_parser *p, const char *sign);
fa_xacro_term *fa_xacro_number(fa_xacro_parser *p);
fa_xacro_term *fa_xacro_quoted(fa_xacro_parser *p); // texts in quotes, in a row

#endif
