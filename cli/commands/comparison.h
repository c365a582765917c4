// Methods that answer the same questions, held against each other: how far apart their answers are
// over random states, and what they cost. The methods of arms and those of snakes are both seen
// through fa_contest.
#ifndef FA_COMPARISON_H
#define FA_COMPARISON_H

#include <stdint.h>

#include "counts.h"
#include "measure.h"

// States that are at hand at the same time, for calls that take turns.
enum { FA_CONTEST_STATES = 8, FA_CONTEST_CALLS = 3 };

typedef struct fa_contest {
    void *self;
    int   n_methods;
    int   reference; // the method that all others are held against
    int   room;      // numbers that some answer takes
    int   n_calls;
    struct {
        const char *name;
        int         n; // numbers of an answer that are compared
    } call[FA_CONTEST_CALLS];
    const char *(*name)(void *self, int method);
    bool (*gives)(void *self, int method, int call);

    // Puts a state, which follows from the seed alone, at place `at` of FA_CONTEST_STATES.
    fa_status (*draw)(void *self, int at, uint64_t seed);
    fa_status (*ask)(void *self, int method, int call, int at, double answer[]);
    // The size of what rounding acts on in that answer: at least its largest entry, and larger
    // where large terms cancel or the state is ill-conditioned.
    double (*scale)(void *self, int call, int at, const double answer[]);
    fa_status (*count)(void *self, int method, int call, fa_operations *executed,
                       fa_operations *online);
} fa_contest;

// Rounding leaves up to 1e-13 of fa_contest.scale between two methods, and a wrong sign or a
// missing term some tenths of it: what is further apart than this is wrong.
#define FA_COMPARISON_TOLERANCE 1e-10

// What is known of one call of one method. NAN: not known.
typedef struct fa_comparison_row {
    int    method, call;
    long   states;        // at which it was held against the reference
    long   unanswered;    // of these: it has no finite answer, and the reference has one
    double disagreement;  // largest distance, relative to the largest entry of the answer;
                          // NAN: there is no finite one
    bool          agrees; // as far as rounding allows
    bool          counted;
    fa_operations executed, online;
    double        instructions, nanoseconds;
} fa_comparison_row;

typedef struct fa_comparison {
    int                n;
    fa_comparison_row *row; // by call, then as the methods' table has them
    fa_counter         counter;
    bool               too_slow;  // some call was too slow for its operations to be counted
    bool               uncounted; // some method cannot be counted
} fa_comparison;

typedef struct fa_comparison_wish {
    long     samples;
    uint64_t seed;
    bool     untimed;                                        // no instructions and no time
    bool (*wanted)(const void *context, const char *method); // NULL: all
    const void *context;
} fa_comparison_wish;

// Release with fa_comparison_free, also after a failure.
fa_status fa_comparison_make(const fa_contest *contest, const fa_comparison_wish *wish,
                             fa_comparison *comparison, fa_error *error);
void      fa_comparison_free(fa_comparison *comparison);

#endif
