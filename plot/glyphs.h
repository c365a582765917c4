// Letters made of strokes, for pictures without a font, and how wide text is.
#ifndef FA_GLYPHS_H
#define FA_GLYPHS_H

#include <stddef.h>

// Receives the strokes of a text: a piece of a line, in pixels, y down.
typedef void fa_stroke_fn(void *context, double x1, double y1, double x2, double y2);

// The text (UTF-8) with its left end on the baseline at x, y; `size` [px] is that of the em.
void fa_glyphs_trace(const char *text, double x, double y, double size, fa_stroke_fn *stroke,
                     void *context);

// Width of what fa_glyphs_trace draws [px].
double fa_glyphs_width(const char *text, double size);

// The next character of a UTF-8 text, and the bytes that it has; a wrong byte is one character.
unsigned fa_utf8_next(const char *text, size_t *bytes);

#endif
