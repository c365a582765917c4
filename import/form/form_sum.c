// Combinations of joints' positions, with followers replaced by what they follow.
#include "form_sum.h"

#include <math.h>

bool fa_form_bends(const fa_form_coupling *coupling)
{
    for (int k = 2; k <= FA_FORM_DEGREE; k++)
        if (coupling->coefficient[k] != 0) return true;
    return false;
}

bool fa_form_is_held(const fa_form *form, int joint, double *position)
{
    for (int i = 0; i < form->n_couplings; i++) {
        const fa_form_coupling *c = &form->coupling[i];
        if (c->follower != joint || c->leader != FA_FORM_NOBODY) continue;
        *position = c->coefficient[0];
        return true;
    }
    return false;
}

static const fa_form_coupling *line_of(const fa_form *form, int joint)
{
    for (int i = 0; i < form->n_couplings; i++) {
        const fa_form_coupling *c = &form->coupling[i];
        if (c->follower == joint && c->leader != FA_FORM_NOBODY && !fa_form_bends(c)) return c;
    }
    return NULL;
}

static void add(fa_form_sum *sum, int joint, double coefficient)
{
    for (int i = 0; i < sum->n && i < FA_FORM_SUM_TERMS; i++)
        if (sum->term[i].joint == joint) {
            sum->term[i].coefficient += coefficient;
            return;
        }
    if (sum->n < FA_FORM_SUM_TERMS) sum->term[sum->n] = (fa_form_term){joint, coefficient};
    if (sum->n <= FA_FORM_SUM_TERMS) sum->n++;
}

fa_form_sum fa_form_sum_of(const fa_form *form, int first_term, int n_terms)
{
    fa_form_sum sum = {.constant = 0};
    for (int i = 0; i < n_terms; i++) {
        fa_form_term            term = form->term[first_term + i];
        const fa_form_coupling *c;
        double                  position;
        // A circle of followers is refused elsewhere; here it ends.
        for (int steps = 0; steps < form->n_couplings && (c = line_of(form, term.joint)); steps++) {
            sum.constant += term.coefficient * c->coefficient[0];
            term = (fa_form_term){c->leader, term.coefficient * c->coefficient[1]};
        }
        if (fa_form_is_held(form, term.joint, &position))
            sum.constant += term.coefficient * position;
        else
            add(&sum, term.joint, term.coefficient);
    }
    if (sum.n > FA_FORM_SUM_TERMS) return sum;
    int kept = 0;
    for (int i = 0; i < sum.n; i++)
        if (sum.term[i].coefficient != 0) sum.term[kept++] = sum.term[i];
    sum.n = kept;
    return sum;
}

double fa_form_sum_ratio(const fa_form_sum *of, const fa_form_sum *by)
{
    const double rounding = 1e-12; // products of a file's numbers, in any order
    double       ratio = 0;
    if (of->n != by->n || of->n == 0 || of->n > FA_FORM_SUM_TERMS) return 0;
    for (int i = 0; i < of->n; i++) {
        int k = 0;
        while (k < by->n && by->term[k].joint != of->term[i].joint) k++;
        if (k == by->n) return 0;
        const double own = of->term[i].coefficient / by->term[k].coefficient;
        if (i == 0) ratio = own;
        if (!(fabs(own - ratio) <= rounding * fabs(ratio))) return 0;
    }
    return ratio;
}

static bool carries(const fa_form *form, const int holder[], int link, int other)
{
    while (other != link && holder[other] != FA_FORM_NOBODY)
        other = form->joint[holder[other]].parent;
    return other == link;
}

int fa_form_sum_carrier(const fa_form *form, const int holder[], const fa_form_sum *sum)
{
    int link = form->joint[sum->term[0].joint].parent;
    for (int i = 1; i < sum->n; i++)
        while (!carries(form, holder, link, form->joint[sum->term[i].joint].parent)) {
            if (holder[link] == FA_FORM_NOBODY) return FA_FORM_NOBODY;
            link = form->joint[holder[link]].parent;
        }
    return link;
}

double fa_form_sum_start(const fa_form *form, const fa_form_sum *sum)
{
    double value = sum->constant;
    for (int i = 0; i < sum->n; i++)
        value += sum->term[i].coefficient * form->joint[sum->term[i].joint].start[0];
    return value;
}

double fa_form_sum_start_rate(const fa_form *form, const fa_form_sum *sum)
{
    double rate = 0;
    for (int i = 0; i < sum->n; i++)
        rate += sum->term[i].coefficient * form->joint[sum->term[i].joint].start_speed[0];
    return rate;
}
