// Comparison of methods that compute the same quantities: the distance of their answers over random
// states, and their cost. fa_contest is the interface to the methods of arms and to those of
// snakes.
#ifndef FA_COMPARISON_H
#define FA_COMPARISON_H

#include <stdint.h>

#include "counts.h"
#include "measure.h"

// Number of states in memory at the same time; timed calls cycle through them.
enum { FA_CONTEST_STATES = 8, FA_CONTEST_CALLS = 3 };

typedef struct fa_contest {
    void *self;
    int   n_methods;
    int   reference; // index of the method that the others are compared with
    int   room;      // length of the longest answer
    int   n_calls;
    struct {
        const char *name;
        int         n; // numbers of an answer that are compared; further ones are ignored
    } call[FA_CONTEST_CALLS];
    const char *(*name)(void *self, int method);
    bool (*gives)(void *self, int method, int call);

    // Draws the state that belongs to the seed into place `at` of FA_CONTEST_STATES.
    fa_status (*draw)(void *self, int at, uint64_t seed);
    fa_status (*ask)(void *self, int method, int call, int at, double answer[]);
    // Returns the magnitude that rounding is relative to: at least the largest entry of the answer,
    // and more where large terms cancel or the state is ill-conditioned.
    double (*scale)(void *self, int call, int at, const double answer[]);
    fa_status (*count)(void *self, int method, int call, fa_operations *executed,
                       fa_operations *online);
} fa_contest;

// Tolerance relative to fa_contest.scale. Rounding leaves up to 1e-13 between two methods, and a
// wrong sign or a missing term some tenths.
#define FA_COMPARISON_TOLERANCE 1e-10

// The result for one call of one method. NAN: not measured.
typedef struct fa_comparison_row {
    int    method, call;
    long   states;        // number of states compared
    long   unanswered;    // number of states in which only the reference has a finite answer
    double disagreement;  // largest distance, relative to the largest entry of the answer; NAN: no
                          // finite one
    bool          agrees; // the disagreement is within FA_COMPARISON_TOLERANCE
    bool          counted;
    fa_operations executed, online;
    double        instructions, nanoseconds;
} fa_comparison_row;

typedef struct fa_comparison {
    int                n;
    fa_comparison_row *row; // sorted by call, then in the order of the methods' table
    fa_counter         counter;
    bool               too_slow;  // some call was too slow for its operations to be counted
    bool               uncounted; // some method cannot be counted
} fa_comparison;

typedef struct fa_comparison_wish {
    long     samples;
    uint64_t seed;
    bool     untimed; // measures neither instructions nor time
    bool (*wanted)(const void *context, const char *method); // filter by name; NULL: all methods
    const void *context;
} fa_comparison_wish;

// Release with fa_comparison_free, also after a failure.
fa_status fa_comparison_make(const fa_contest *contest, const fa_comparison_wish *wish,
                             fa_comparison *comparison, fa_error *error);
void      fa_comparison_free(fa_comparison *comparison);

#endif
