// Compares the laws of elements with the hand-written ones that they replaced: bitwise equality of
// values, and nanoseconds of values, tangents and adjoints, in double and in lanes.
//
//   compare          from the folder tests/
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "element_points.h"
#include "forms.h"
#include "old.h"
#include "random.h"

enum { MANY = 64, ROUNDS = 60, REPEATS = 40, BLOCK = 64 * (REALS + FLAGS) };

static _Alignas(64) char in_block[MANY * BLOCK], dot_block[MANY * BLOCK], out_block[MANY * BLOCK];
static old            *olds[MANY];
static volatile double sink;

static void set_old(old *o, const point *p)
{
    for (int i = 0; i < p->element->n_reals; i++)
        old_set(o, fa_element_item(p->element, FA_ITEM_NUMBER, FA_ITEM_MODE, i)->name, p->real[i]);
    for (int i = 0; i < p->element->n_flags; i++)
        old_flag(o, fa_element_item(p->element, FA_ITEM_SITE, FA_ITEM_SHORTCUT, i)->name,
                 p->flag[i]);
}

// ------------------------------------------------------------------------------------------- bits

static int compare_values(int k)
{
    const fa_element *e = &fa_elements[k];
    uint64_t          seed = 1;
    int               compared = 0, different = 0;
    old              *o = old_of(e->name);
    for (int variant = 0; o && variant < 4800; variant++) {
        point  p = point_random(k, variant, &seed);
        double in[REALS + FLAGS], out[RESULTS + 1], was;
        if (k == FA_ELEMENT_gait) p.real[fa_element_real_index(e, "joint", 5)] = variant % 9;
        set_old(o, &p);
        point_fill(&p, in);
        form_plain[k].values(1, in, out);
        for (int r = 0; r < e->n_results; r++) {
            const fa_item *item = fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, r);
            if (!old_result(o, item->name, &was)) continue;
            compared++;
            if (was == out[r]) continue; // equal apart from the sign of zero
            if (different++ < 3)
                printf("%s.%s at point %d: %a, was %a\n", e->name, item->name, variant, out[r],
                       was);
        }
    }
    old_free(o);
    if (compared) printf("%-9s %6d values, %d not the same bits\n", e->name, compared, different);
    return different;
}

// ------------------------------------------------------------------------------------------ times

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef enum what { OLD_VALUE, OLD_TANGENT, OLD_ADJOINT, VALUE, TANGENT, MOTION, ADJOINT } what;

static void run(what w, const form *f)
{
    double sum = 0;
    switch (w) {
    case OLD_VALUE:
        for (int i = 0; i < MANY; i++) sum += old_value(olds[i]);
        break;
    case OLD_TANGENT:
        for (int i = 0; i < MANY; i++) sum += old_tangent(olds[i]);
        break;
    case OLD_ADJOINT:
        for (int i = 0; i < MANY; i++) sum += old_adjoint(olds[i]);
        break;
    case VALUE:
        f->push(MANY, in_block, out_block);
        break;
    case TANGENT:
        f->push_tangent(MANY, in_block, dot_block, out_block);
        break;
    case MOTION:
        f->push_motion(MANY, in_block, dot_block, out_block);
        break;
    case ADJOINT:
        f->adjoint_of_motion(MANY, in_block, dot_block, out_block);
        break;
    }
    sink = sum;
}

static double nanoseconds(what w, const form *f)
{
    double best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = seconds();
        for (int i = 0; i < REPEATS; i++) run(w, f);
        best = fmin(best, (seconds() - begin) / ((double)REPEATS * MANY));
    }
    return 1e9 * best / (w < VALUE ? 1 : f->lanes);
}

// Prepares inputs with the same set of flags: those of golden point k.
static void prepare(int k, const form *f, int variant)
{
    uint64_t    seed = 2;
    const point first = point_random(k, variant, &seed);
    for (int i = 0; i < MANY; i++) {
        point p = point_random(k, variant, &seed);
        if (memcmp(p.flag, first.flag, sizeof p.flag) != 0) p = first;
        if (olds[i]) set_old(olds[i], &p);
        char *in = in_block + (size_t)i * f->in_size, *dot = dot_block + (size_t)i * f->in_size;
        for (int lane = 0; lane < f->lanes; lane++)
            for (int r = 0; r < p.element->n_reals; r++) {
                f->put(in, r, lane, p.real[r]);
                f->put(dot, r, lane, 0.25 + r);
            }
        memcpy(in + (size_t)p.element->n_reals * f->real_size, p.flag,
               (size_t)p.element->n_flags * sizeof *p.flag);
        for (int lane = 0; lane < f->lanes; lane++)
            for (int r = 0; r < p.element->n_results; r++)
                f->put(dot_block + (size_t)i * f->out_size, r, lane, 1);
    }
}

static void times(void)
{
    static const struct {
        int         element, variant;
        const char *name;
    } of[] = {{FA_ELEMENT_friction, 0, "friction, smooth"},
              {FA_ELEMENT_friction, 2, "friction, stick-slip"},
              {FA_ELEMENT_motor, 0, "motor, L, limits"},
              {FA_ELEMENT_motor, 15, "motor, R and K"},
              {FA_ELEMENT_spring, 0, "spring"},
              {FA_ELEMENT_stop, 0, "stop"},
              {FA_ELEMENT_closure, 1, "closed valve"},
              {FA_ELEMENT_cylinder, 0, "cylinder"},
              {FA_ELEMENT_valve, 2, "valve"},
              {FA_ELEMENT_pump, 0, "pump"}};
    printf("\nns, lowest of %d rounds:      value                       tangent             "
           "adjoint\n%-21s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s\n",
           ROUNDS, "", "was", "law", "ratio", "4", "8", "16f", "was", "law", "motion", "was",
           "law");
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const int k = of[i].element;
        for (int n = 0; n < MANY; n++) olds[n] = old_of(fa_elements[k].name);
        const form *forms[] = {&form_plain[k], &form_lanes4[k], &form_lanes8[k], &form_floats16[k]};
        double      value[4];
        for (int f = 3; f >= 0; f--) {
            prepare(k, forms[f], of[i].variant);
            value[f] = nanoseconds(VALUE, forms[f]);
        }
        const double was = nanoseconds(OLD_VALUE, forms[0]);
        printf("%-21s %6.3g %6.3g %6.2f %6.3g %6.3g %6.3g %6.3g %6.3g %6.3g %6.3g %6.3g\n",
               of[i].name, was, value[0], value[0] / was, value[1], value[2], value[3],
               nanoseconds(OLD_TANGENT, forms[0]), nanoseconds(TANGENT, forms[0]),
               nanoseconds(MOTION, forms[0]), nanoseconds(OLD_ADJOINT, forms[0]),
               nanoseconds(ADJOINT, forms[0]));
        for (int n = 0; n < MANY; n++) old_free(olds[n]);
    }
}

int main(void)
{
    int different = 0;
    for (int k = 0; k < FA_ELEMENTS; k++) different += compare_values(k);
    times();
    return different != 0;
}
