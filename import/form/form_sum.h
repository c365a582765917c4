// Combinations of joints' positions: what a tendon is as long as, what a drive of several joints
// moves.
#ifndef FA_FORM_SUM_H
#define FA_FORM_SUM_H

#include "form.h"

#define FA_FORM_SUM_TERMS (FA_RELATION_TERMS - 1)

// constant + sum of coefficient times position, of independent joints that are not fixed; each
// joint once, no coefficient zero.
typedef struct fa_form_sum {
    double       constant;
    int          n; // FA_FORM_SUM_TERMS + 1: of too many joints, and not all of them are here
    fa_form_term term[FA_FORM_SUM_TERMS];
} fa_form_sum;

fa_form_sum fa_form_sum_of(const fa_form *form, int first_term, int n_terms);

// The factor that makes `of` from `by`, their constants apart; 0: there is none.
double fa_form_sum_ratio(const fa_form_sum *of, const fa_form_sum *by);

// The nearest link that carries all of its joints; FA_FORM_NOBODY: none does. `holder` is each
// link's joint.
int fa_form_sum_carrier(const fa_form *form, const int holder[], const fa_form_sum *sum);

// Its value, or its rate, where the robot starts.
double fa_form_sum_start(const fa_form *form, const fa_form_sum *sum);
double fa_form_sum_start_rate(const fa_form *form, const fa_form_sum *sum);

// Returns true and the position if a coupling without a leader fixes the joint.
bool fa_form_is_held(const fa_form *form, int joint, double *position);

// True if the polynomial of the coupling has a degree above 1.
bool fa_form_bends(const fa_form_coupling *coupling);

#endif
