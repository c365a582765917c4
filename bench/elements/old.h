// The laws as they were written by hand, of a commit before the elements (run says which).
#ifndef OLD_H
#define OLD_H

#include <stdbool.h>

// One place with its numbers, of the element of that name.
typedef struct old old;
old               *old_of(const char *element);                 // NULL: there was none
void               old_set(old *o, const char *real, double x); // a real, by its name in the list
void               old_flag(old *o, const char *flag, bool set);
void               old_free(old *o);

// Results that there were, by name; false: none.
bool old_result(old *o, const char *result, double *value);

// Value, tangent and adjoint of the hand-written laws. Each returns a part of its result, so that
// the compiler removes nothing.
double old_value(old *o);
double old_tangent(old *o);
double old_adjoint(old *o);

#endif
