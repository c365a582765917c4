// Control of the snake's two degrees of freedom by its joints. See snake_control.h; M, G as in
// snake_kane.c.
//
// All quantities are computed from the columns y_k = L^-1 g_k of L^-1 G, where M = L L^T: their
// norms measure joint k's effect on kinetic energy. A small angle between two vectors is computed
// from the orthogonal remainder of one of them, never from a difference of squares.
#include "snake_control.h"

#include <math.h>

typedef struct pair {
    double x, y;
} pair;

static double dot(pair p, pair q)
{
    return p.x * q.x + p.y * q.y;
}

// Cholesky factor of M = L L^T.
typedef struct factor {
    double l00, l10, l11;
} factor;

static factor factor_of(const fa_snake_equations *equations)
{
    const double(*M)[2] = equations->M;
    factor L;
    L.l00 = sqrt(M[0][0]);
    L.l10 = M[0][1] / L.l00;
    L.l11 = sqrt(M[1][1] - L.l10 * L.l10);
    return L;
}

static pair solve_lower(factor L, double x, double y)
{
    pair z;
    z.x = x / L.l00;
    z.y = (y - L.l10 * z.x) / L.l11;
    return z;
}

static pair leverage(factor L, const fa_snake_motion motion[], int k)
{
    return solve_lower(L, motion[k + 1].w_u[0] - motion[k].w_u[0],
                       motion[k + 1].w_u[1] - motion[k].w_u[1]);
}

// The rows of L^-1 G, the longer one (`lead`) first, and the orthogonal remainder of the other.
typedef struct rows {
    bool   second_leads; // the longer row is the second
    double lead;         // its square
    double along;        // projection of the other on it, relative to it
    double rest;         // square of the orthogonal remainder
} rows;

static double lead_of(const rows *of, pair y)
{
    return of->second_leads ? y.y : y.x;
}

static double rest_of(const rows *of, pair y)
{
    return of->second_leads ? y.x - of->along * y.y : y.y - of->along * y.x;
}

static rows rows_of(const fa_snake *snake, const fa_snake_motion motion[], factor L)
{
    double xx = 0, xy = 0, yy = 0;
    for (int k = 0; k < snake->n - 1; k++) {
        const pair y = leverage(L, motion, k);
        xx += y.x * y.x;
        xy += y.x * y.y;
        yy += y.y * y.y;
    }
    rows of;
    of.second_leads = yy > xx;
    of.lead = fmax(xx, yy);
    of.along = of.lead > 0 ? xy / of.lead : 0;
    of.rest = 0;
    for (int k = 0; k < snake->n - 1; k++) {
        const double rest = rest_of(&of, leverage(L, motion, k));
        of.rest += rest * rest;
    }
    return of;
}

// Eigenvalues of the rows' Gram matrix from its entries; their product is lead times rest.
static fa_snake_grip grip_of(const rows *of)
{
    fa_snake_grip grip = {0, 0};
    if (!(of->lead > 0)) return grip;
    const double across = of->along * of->lead;         // product of the two rows
    const double other = of->along * across + of->rest; // square of the shorter one
    const double half = (of->lead - other) / 2;
    grip.sigma1 = sqrt((of->lead + other) / 2 + sqrt(half * half + across * across));
    grip.sigma2 = sqrt(of->lead * of->rest) / grip.sigma1;
    return grip;
}

fa_snake_grip fa_snake_controllability(const fa_snake *snake, const fa_snake_motion motion[],
                                       const fa_snake_equations *equations)
{
    const rows of = rows_of(snake, motion, factor_of(equations));
    return grip_of(&of);
}

static fa_status no_leverage(fa_error *error, int joint)
{
    return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                   "joint %d cannot be moved in this shape, because its two links turn alike in "
                   "every motion of the snake; unfold it, or prescribe another joint",
                   joint + 1);
}

fa_status fa_snake_drive_joints(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_equations *equations, int n_joints,
                                const int joint[], const double change[], double torque[],
                                double du[2], fa_error *error)
{
    if (n_joints < 1 || n_joints > 2)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "%d joints are prescribed, but a snake on wheels has two degrees of freedom "
                       "whatever its length; prescribe one or two (free ground takes any number: "
                       "see <ground>)",
                       n_joints);
    for (int i = 0; i < n_joints; i++)
        if (joint[i] < 0 || joint[i] >= snake->n - 1)
            return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                           "joint %d is prescribed, but the snake's joints are 1 to %d",
                           joint[i] + 1, snake->n - 1);

    const factor L = factor_of(equations);
    pair         y[2];
    for (int i = 0; i < n_joints; i++) {
        const fa_snake_motion *rear = &motion[joint[i]], *front = &motion[joint[i] + 1];
        const pair             turn = solve_lower(L, rear->w_u[0], rear->w_u[1]);
        const pair             turn_front = solve_lower(L, front->w_u[0], front->w_u[1]);
        const double           most = dot(turn, turn) + dot(turn_front, turn_front);
        y[i] = leverage(L, motion, joint[i]);
        if (!(dot(y[i], y[i]) > FA_SNAKE_CONTROL_MIN * FA_SNAKE_CONTROL_MIN * most))
            return no_leverage(error, joint[i]);
    }

    // change = Y^T Y torque, with the second column of Y split along and across the first.
    const double first = dot(y[0], y[0]);
    if (n_joints == 1) {
        torque[0] = change[0] / first;
    } else {
        const double along = dot(y[0], y[1]) / first;
        const pair   rest = {y[1].x - along * y[0].x, y[1].y - along * y[0].y};
        const double second = dot(rest, rest);
        if (!(second > FA_SNAKE_CONTROL_MIN * FA_SNAKE_CONTROL_MIN * dot(y[1], y[1])))
            return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                           "joints %d and %d cannot move independently in this shape, as when the "
                           "snake is straight or bent to an arc; start in another shape",
                           joint[0] + 1, joint[1] + 1);
        torque[1] = (change[1] - along * change[0]) / second;
        torque[0] = change[0] / first - along * torque[1];
    }

    pair push = {0, 0}; // Y torque
    for (int i = 0; i < n_joints; i++) {
        push.x += y[i].x * torque[i];
        push.y += y[i].y * torque[i];
    }
    du[1] = push.y / L.l11;
    du[0] = (push.x - L.l10 * du[1]) / L.l00;
    return FA_OK;
}

fa_status fa_snake_drive_base(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_equations *equations, const double change[2],
                              double torque[], fa_error *error)
{
    if (snake->n < 3)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "a snake of %d links has one joint, which cannot drive both its speed and "
                       "its rate; give it three links or more",
                       snake->n);
    const factor        L = factor_of(equations);
    const rows          of = rows_of(snake, motion, L);
    const fa_snake_grip grip = grip_of(&of);
    if (!(grip.sigma2 > FA_SNAKE_CONTROL_MIN * grip.sigma1))
        return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                       "the joints cannot drive the snake in this shape, because the axles of its "
                       "wheels meet in one point or are parallel; start in another shape");

    // L^-1 G torque = L^T change, torque in the span of the two rows.
    const pair   wanted = {L.l00 * change[0] + L.l10 * change[1], L.l11 * change[1]};
    const double by_lead = lead_of(&of, wanted) / of.lead;
    const double by_rest = rest_of(&of, wanted) / of.rest;
    for (int k = 0; k < snake->n - 1; k++) {
        const pair y = leverage(L, motion, k);
        torque[k] = by_lead * lead_of(&of, y) + by_rest * rest_of(&of, y);
    }
    return FA_OK;
}
