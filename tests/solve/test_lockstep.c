// Many problems side by side: each as if it were alone, to the last bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lockstep.h"
#include "stiff_problems.h"

enum { STATES = 2, WORK = 64, KINDS = 7, MEMBERS = 3 * KINDS, MOST = 8 };

// Every other kind has an end of its own: an oscillator goes on and on, a road ends, a derivative
// becomes no number, a problem is stiff, and one grows stiff on its way.
typedef struct member {
    stiff_problem of;
    fa_problem    problem;
    fa_solver     solver;
    fa_pace       pace;
    double        t, end, x[STATES], work[WORK];
    fa_lane       lane;
} member;

// x'' = -lambda^2 x
static fa_status oscillator(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)t, (void)error;
    stiff_problem *p = context;
    p->calls++;
    dx[0] = p->lambda * x[1];
    dx[1] = -p->lambda * x[0];
    return FA_OK;
}

static fa_status ends_at_one(void *context, double t, const double x[], double dx[],
                             fa_error *error)
{
    (void)x;
    ((stiff_problem *)context)->calls++;
    if (t > 1) return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE, "the road ends at t = 1");
    dx[0] = dx[1] = sqrt(1 - t);
    return FA_OK;
}

static fa_status becomes_no_number(void *context, double t, const double x[], double dx[],
                                   fa_error *error)
{
    (void)x, (void)error;
    ((stiff_problem *)context)->calls++;
    dx[0] = 1;
    dx[1] = t < 0.5 ? 1 : NAN;
    return FA_OK;
}

static fa_status is_refused(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)x;
    ((stiff_problem *)context)->calls++;
    dx[0] = dx[1] = 1;
    return t < 0.25 ? FA_OK : fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE, "enough of it");
}

static member member_of(int number)
{
    const double size = 1 + number / KINDS;
    member       m = {
              .of = {.lambda = size},
              .problem = {.n = 2, .rhs = oscillator},
              .solver = {.method = FA_SOLVER_AUTOMATIC, .tolerance = 1e-8 * size},
              .end = 3 * size,
              .x = {1, 0},
    };
    switch (number % KINDS) {
    case 1:
        m.problem.rhs = ends_at_one;
        break;
    case 2:
        m.problem.rhs = becomes_no_number;
        break;
    case 3:
        m.problem.rhs = is_refused;
        break;
    case 4: // stiff on a slow branch, then fast, then stiff again
        m.problem.rhs = van_der_pol;
        m.problem.jacobian = van_der_pol_slopes;
        m.of.lambda = 1e4;
        m.x[0] = 2;
        break;
    case 5:
        m.problem.rhs = kaps;
        m.problem.jacobian = kaps_slopes;
        m.of.lambda = -1e5 * size;
        m.x[1] = 1;
        break;
    case 6:
        m.solver.method = FA_SOLVER_ROSENBROCK;
        m.problem.rhs = van_der_pol;
        m.problem.jacobian = van_der_pol_slopes;
        m.of.lambda = 10 * size;
        break;
    default:
        break;
    }
    return m;
}

static void begin(member *m, int number)
{
    *m = member_of(number);
    m->problem.context = &m->of;
    assert_true(fa_integrate_work(STATES, NULL) <= WORK);
    fa_steps_begin(&m->lane.steps, &m->problem, &m->solver, &m->t, m->end, m->x, &m->pace, m->work);
}

// Everybody's own right-hand side; says how many asked.
static void answer(void *context, int n, fa_question question[])
{
    ++*(int *)context;
    for (int i = 0; i < n; i++) {
        fa_question      *q = &question[i];
        const fa_problem *p = q->lane->steps.problem;
        q->status = p->rhs(p->context, q->t, q->x, q->dx, &q->lane->error);
    }
}

// All members in that order, so many at a time: whoever ends makes room for the next.
static int run(int n, const int number[], int at_a_time, member all[])
{
    int         calls = 0, next = 0;
    fa_lane    *lane[MOST];
    member     *in[MOST];
    fa_question question[MOST];
    int         n_in = 0;
    for (;;) {
        for (; n_in < at_a_time && next < n; next++) {
            in[n_in++] = &all[number[next]];
            begin(in[n_in - 1], number[next]);
        }
        if (n_in == 0) return calls;
        for (int i = 0; i < n_in; i++) lane[i] = &in[i]->lane;
        fa_lockstep(n_in, lane, answer, &calls, question);
        int left = 0;
        for (int i = 0; i < n_in; i++) {
            fa_lane   *l = &in[i]->lane;
            const bool ends = l->accepted && l->steps.trial.t1 == in[i]->end;
            if (ends) fa_steps_go_on(&l->steps);
            if (!ends && l->status == FA_OK) in[left++] = in[i];
        }
        n_in = left;
    }
}

static void each_goes_as_it_would_alone(void **state)
{
    (void)state;
    static member alone[MEMBERS], beside[MEMBERS];
    fa_status     status[MEMBERS];
    fa_error      error[MEMBERS] = {{.status = FA_OK}};
    for (int k = 0; k < MEMBERS; k++) {
        member *m = &alone[k];
        begin(m, k);
        status[k] = fa_integrate(&m->problem, &m->solver, &m->t, m->end, m->x, &m->pace, m->work,
                                 &error[k]);
        assert_int_equal(status[k] == FA_OK, k % KINDS < 1 || k % KINDS > 3);
    }
    assert_true(alone[4].of.jacobians > 0 && alone[5].of.jacobians > 0); // it was stiff
    for (int at_a_time = 1; at_a_time <= MOST; at_a_time++)
        for (int turn = 0; turn < MEMBERS; turn += 5) {
            int number[MEMBERS];
            // 8 has no factor in common with their number: every one comes, in another order.
            for (int k = 0; k < MEMBERS; k++) number[k] = (8 * k + turn) % MEMBERS;
            run(MEMBERS, number, at_a_time, beside);
            for (int k = 0; k < MEMBERS; k++) {
                const member *m = &beside[k], *as = &alone[k];
                assert_int_equal(m->lane.status, status[k]);
                if (status[k] != FA_OK)
                    assert_string_equal(m->lane.error.message, error[k].message);
                else
                    assert_true(m->lane.steps.h == as->pace.step && m->t == m->end);
                assert_true(m->t == as->t);
                assert_memory_equal(m->x, as->x, sizeof m->x);
                assert_int_equal(m->of.calls, as->of.calls);
                assert_int_equal(m->of.jacobians, as->of.jacobians);
                assert_int_equal(m->pace.implicit, as->pace.implicit);
            }
        }
}

static void one_call_asks_for_all(void **state)
{
    (void)state;
    static member m[MOST];
    for (int n = 1; n <= MOST; n++) {
        int      calls = 0, steps = 0;
        fa_lane *lane[MOST];
        for (int k = 0; k < n; k++) {
            begin(&m[k], 0);
            lane[k] = &m[k].lane;
        }
        do {
            fa_question question[MOST];
            fa_lockstep(n, lane, answer, &calls, question);
            steps++;
            for (int k = 0; k < n; k++) assert_true(lane[k]->accepted == lane[0]->accepted);
        } while (!(lane[0]->accepted && lane[0]->steps.trial.t1 == m[0].end));
        // Six stages each, and the first of all; the seventh is the next step's first.
        assert_int_equal(calls, 6 * steps + 1);
        assert_int_equal(m[n - 1].of.calls, calls);
    }
}

static void points_between_are_those_of_the_circle(void **state)
{
    (void)state;
    static member m[3];
    fa_lane      *lane[3];
    double        worst = 0, worst_end = 0;
    for (int k = 0; k < 3; k++) {
        begin(&m[k], k * KINDS);
        m[k].solver.tolerance = 1e-8;
        lane[k] = &m[k].lane;
    }
    for (int calls = 0, left = 3; left > 0;) {
        fa_question question[3];
        fa_lockstep(left, lane, answer, &calls, question);
        for (int k = 0; k < left; k++) {
            fa_trial *trial = &lane[k]->steps.trial;
            if (!lane[k]->accepted) continue;
            const stiff_problem *p = lane[k]->steps.problem->context;
            for (int i = 1; i <= 10; i++) {
                const double t = trial->t + i * (trial->t1 - trial->t) / 10;
                assert_int_equal(lane[k]->steps.scheme->between(trial, t, NULL), FA_OK);
                const double off = hypot(trial->point[0] - cos(p->lambda * t),
                                         trial->point[1] + sin(p->lambda * t));
                *(i < 10 ? &worst : &worst_end) = fmax(i < 10 ? worst : worst_end, off);
            }
            if (trial->t1 == lane[k]->steps.t_end) lane[k--] = lane[--left];
        }
    }
    print_message("off by %.1e at the ends of steps, %.1e between\n", worst_end, worst);
    // Some 200 steps of at most 2e-8 each, and as much between two of them.
    assert_true(worst_end < 4e-6 && worst < 4e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_goes_as_it_would_alone),
        cmocka_unit_test(one_call_asks_for_all),
        cmocka_unit_test(points_between_are_those_of_the_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
