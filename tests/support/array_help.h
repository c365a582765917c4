// Common helpers of the tests of arrays: two instances of one robot, one of scalars and one of
// arrays, and the scalar of each element, found from the names as docs/arrays.md gives them.
#ifndef ARRAY_HELP_H
#define ARRAY_HELP_H

#include <fmi3Functions.h>

#include "fmu_help.h"

enum { ARRAY_ROWS = 12000 }; // room for a snake of 200 links

typedef struct array_pair {
    fa_instance *scalar, *arrays;
    fmu_host     scalar_host, arrays_host;
    unsigned     of[ARRAY_ROWS];      // for each scalar: the array's value reference
    int          element[ARRAY_ROWS]; // and the element, from 0
} array_pair;

// A reference by name; fails the test if there is none.
unsigned array_reference(const fa_instance *self, const char *name);
int      array_size(const fa_instance *self, unsigned reference);

// Takes the instances, finds what belongs together, and fails if anything has no partner.
void array_pair_match(array_pair *pair, fa_instance *scalar, fa_instance *arrays);
void array_pair_free(array_pair *pair);

// Enters configuration mode, sets the links, leaves it.
void array_set_links(fa_instance *self, uint64_t links);

// Sets every real parameter and input of both, to its own value times a random number near one.
void array_pair_stir(array_pair *pair, uint64_t seed);

// Fails unless every variable of both has the same bits.
void array_pair_compare(const array_pair *pair);

// Both through initialisation and, in Model Exchange, into continuous-time mode.
void array_pair_start(array_pair *pair);

#endif
