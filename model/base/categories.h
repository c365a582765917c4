// Categories of an FMU's log messages: those in the description, and no others.
#ifndef FA_CATEGORIES_H
#define FA_CATEGORIES_H

// X(code, name as FMI hosts see it, description). The first four are the standard's names.
#define FA_CATEGORY_LIST(X)                                                                        \
    X(FA_CATEGORY_ERROR, "logStatusError", "Calls that were refused, and why")                     \
    X(FA_CATEGORY_WARNING, "logStatusWarning", "What is odd but was carried out")                  \
    X(FA_CATEGORY_DISCARD, "logStatusDiscard", "Values or steps for which there is no solution")   \
    X(FA_CATEGORY_EVENTS, "logEvents", "Events and what they changed")                             \
    X(FA_CATEGORY_SOLVER, "logSolver", "Steps that the solver of Co-Simulation took")

typedef enum fa_category {
#define X(code, name, description) code,
    FA_CATEGORY_LIST(X)
#undef X
        FA_CATEGORY_COUNT
} fa_category;

#endif
