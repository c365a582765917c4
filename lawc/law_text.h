// Reads the law of an element from its file, as a graph of expressions. The language is the part of
// C that laws are written in: constants of type real and mask, results, calls, operators.
#ifndef FA_LAW_TEXT_H
#define FA_LAW_TEXT_H

#include "elements.h"
#include "expressions.h"

enum { FA_RESULTS_MAX = 24, FA_REALS_MAX = 64 };

// Families of inputs in a graph.
enum { FA_LAW_IN, FA_LAW_IN_DOT, FA_LAW_OUT_BAR };

typedef struct fa_law_graph {
    const fa_element *of;
    fa_expressions    graph;
    int               result[FA_RESULTS_MAX]; // nodes
} fa_law_graph;

// `law` and `functions`: the texts of the element's file and of functions.h, which the graph's
// names point into. What is no law is refused with file, line and what to write.
fa_status fa_law_read(const fa_element *element, const char *file, const char *law,
                      const char *functions, fa_law_graph *read, fa_error *error);
void      fa_law_free(fa_law_graph *law);

// The same with flags known: flag[i] 0 or 1; below zero: open. Shortcuts count as taken unless
// flag[] says how they are.
fa_status fa_law_with_flags(const fa_law_graph *law, const int flag[], fa_law_graph *folded,
                            fa_error *error);

// The whole of a text file, with a zero behind it; NULL: it could not be read. To be freed.
char *fa_law_file(const char *path);

#endif
