// The regressor against inverse dynamics: multiplied by the parameters it gives the torques, and it
// is how these change with them.
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "methods.h"
#include "random.h"
#include "regressor.h"

enum { MAX = 8, LINKS = 2 * MAX + 1, COLUMNS = FA_REGRESSOR_COLUMNS * LINKS };

typedef struct point {
    fa_robot    *robot;
    fa_body      body[MAX];
    int          link_body[LINKS];
    fa_transform link_frame[LINKS];
    fa_chain     chain;
    double       q[MAX], qd[MAX], qdd[MAX], tau[MAX];
} point;

static char   work[1 << 16];
static double Y[MAX * COLUMNS];

static void random_point(uint64_t *seed, int trial, point *p)
{
    static const unsigned kind[] = {RANDOM_REVOLUTE_ONLY, 0, RANDOM_BRANCHED,
                                    RANDOM_BRANCHED | RANDOM_COUPLED};
    p->robot = random_robot(seed, 1 + trial % MAX, kind[trial / MAX % 4]);
    for (int i = 0; i < p->robot->n_links; i++) p->robot->link[i].joint.rotor.inertia = 0;
    p->chain = fa_chain_build(p->robot, p->body, p->link_body, p->link_frame);
    for (int i = 0; i < p->chain.n_coordinates; i++) {
        p->q[i] = random_in(seed, -3, 3);
        p->qd[i] = random_in(seed, -3, 3);
        p->qdd[i] = random_in(seed, -3, 3);
    }
}

static void torques(const point *p, double tau[])
{
    assert_int_equal(fa_newton_euler_inverse(&p->chain, p->q, p->qd, p->qdd, NULL, tau, work),
                     FA_OK);
}

static void fill(const point *p)
{
    assert_true(fa_regressor_work_size(&p->chain) <= sizeof work);
    fa_regressor(&p->chain, p->q, p->qd, p->qdd, p->robot->n_links, p->link_body, p->link_frame, Y,
                 work);
}

static void times_the_parameters_it_gives_the_torques(void **state)
{
    (void)state;
    static point p;
    uint64_t     seed = 1;
    double       worst = 0;
    for (int trial = 0; trial < 160; trial++) {
        random_point(&seed, trial, &p);
        fill(&p);
        torques(&p, p.tau);
        int width = FA_REGRESSOR_COLUMNS * p.robot->n_links;
        for (int i = 0; i < p.chain.n_coordinates; i++) {
            double sum = 0, size = 1e-3;
            for (int k = 0; k < p.robot->n_links; k++) {
                const fa_link *link = &p.robot->link[k];
                fa_inertia     I =
                    fa_link_inertia(link->mass, link->com, link->inertia, transform_identity());
                const double phi[] = {I.mass, I.h.x,  I.h.y,  I.h.z,  I.I.xx,
                                      I.I.yy, I.I.zz, I.I.xy, I.I.xz, I.I.yz};
                for (int c = 0; c < FA_REGRESSOR_COLUMNS; c++) {
                    double term = Y[i * width + FA_REGRESSOR_COLUMNS * k + c] * phi[c];
                    sum += term;
                    size += fabs(term);
                }
            }
            worst = fmax(worst, fabs(sum - p.tau[i]) / size);
        }
        free(p.robot);
    }
    print_message("worst %g\n", worst);
    assert_true(worst < 1e-13); // rounding, relative to the sum of the terms' sizes
}

// Torques are linear in the parameters: a difference with a unit step has no error of its own.
static void each_column_is_what_its_parameter_does(void **state)
{
    (void)state;
    static point p;
    uint64_t     seed = 2;
    for (int trial = 0; trial < 32; trial++) {
        random_point(&seed, trial, &p);
        fill(&p);
        torques(&p, p.tau);
        int width = FA_REGRESSOR_COLUMNS * p.robot->n_links;
        for (int k = 0; k < p.robot->n_links; k++)
            for (int c = 0; c < FA_REGRESSOR_COLUMNS; c++) {
                fa_inertia unit = {c == 0,
                                   {c == 1, c == 2, c == 3},
                                   {c == 4, c == 5, c == 6, c == 7, c == 8, c == 9}};
                double     tau[MAX], largest = 1;
                int        b = p.link_body[k];
                if (b != FA_WORLD) {
                    fa_inertia before = p.body[b].inertia;
                    p.body[b].inertia =
                        inertia_add(before, inertia_to_parent(p.link_frame[k], unit));
                    torques(&p, tau);
                    p.body[b].inertia = before;
                } else {
                    torques(&p, tau);
                }
                for (int i = 0; i < p.chain.n_coordinates; i++)
                    largest = fmax(largest, fabs(tau[i]));
                for (int i = 0; i < p.chain.n_coordinates; i++) // rounding of the difference
                    assert_true(
                        fabs(tau[i] - p.tau[i] - Y[i * width + FA_REGRESSOR_COLUMNS * k + c]) <
                        1e-12 * largest);
            }
        free(p.robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_the_parameters_it_gives_the_torques),
        cmocka_unit_test(each_column_is_what_its_parameter_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
