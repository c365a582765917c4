// Interface of the hand-written laws before the elements (the script `run` names the commit).
#ifndef OLD_H
#define OLD_H

#include <stdbool.h>

// An element of the old code, with its numbers.
typedef struct old old;
old               *old_of(const char *element);   // NULL: the old code had no such element
void old_set(old *o, const char *real, double x); // sets a real by its name in the list
void old_flag(old *o, const char *flag, bool set);
void old_free(old *o);

// Returns a result of the old code by name; false: it had none.
bool old_result(old *o, const char *result, double *value);

// Evaluate value, tangent and adjoint of the hand-written laws. Each returns a part of its result,
// so that the compiler does not remove the call.
double old_value(old *o);
double old_tangent(old *o);
double old_adjoint(old *o);

#endif
