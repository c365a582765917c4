// The tip's Jacobian and the mass matrix of a mechanism. The arm inside has J and M by its own
// coordinates, whose speeds are P times the speeds u that hosts see: turned by a ball's frame, and
// followed by those that loops determine. So J P and P^T M P are asked for, and
//
//     d(J P) = dJ P + J dP,   d(P^T M P) = P^T dM P + dP^T M P + P^T M dP
#include "mechanism_matrices.h"

#include <string.h>

#include "arm_outputs.h"
#include "arm_table.h"
#include "joint_parts.h"
#include "mechanism_loops.h"

enum { TWIST = 6 };

static int columns_of(const fa_robot *robot)
{
    int n = 0;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (fa_joint_is_free(joint) && !joint->dependent) n += fa_joint_speeds(joint);
    }
    return n;
}

void fa_mechanism_lay_out_matrices(fa_mechanism *to, fa_arena *arena, const fa_robot *robot)
{
    const bool   asked = robot->outputs & (FA_EXTRA_JACOBIAN | FA_EXTRA_MASS_MATRIX);
    const size_t n = asked ? (size_t)columns_of(robot) : 0;
    const size_t c = asked ? (size_t)fa_robot_freedom(robot) : 0;
    to->column = fa_arena_take(arena, n, sizeof *to->column);
    to->P = fa_arena_take(arena, n * c, sizeof *to->P);
    to->dP = fa_arena_take(arena, n * c, sizeof *to->dP);
    to->product = fa_arena_take(arena, c, sizeof *to->product);
}

void fa_mechanism_prepare_matrices(fa_mechanism *m, const fa_robot *robot,
                                   const fa_variables *outer)
{
    const bool asked = robot->outputs & (FA_EXTRA_JACOBIAN | FA_EXTRA_MASS_MATRIX);
    int        coordinate = 0, ball = 0;
    m->n_columns = 0;
    m->jacobian_row = fa_arm_row_with(outer, FA_ARM_JACOBIAN, 0);
    m->mass_row = fa_arm_row_with(outer, FA_ARM_MASS_MATRIX, 0);
    for (int i = 0; i < robot->n_links && asked; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        const int turning = fa_joint_ball_part(joint->type), speeds = fa_joint_speeds(joint);
        for (int k = 0; k < speeds && !joint->dependent; k++) {
            const bool of_ball = turning != FA_NOBODY && k >= turning;
            m->column[m->n_columns++] =
                (fa_mechanism_column){of_ball ? coordinate + turning : coordinate + k,
                                      of_ball ? ball : FA_NOBODY, of_ball ? k - turning : 0};
        }
        coordinate += speeds;
        ball += turning != FA_NOBODY;
    }
}

// Column j of P.
static void find_column(const fa_mechanism *m, int j, double x[])
{
    const fa_mechanism_column *column = &m->column[j];
    const int                  c = m->arm->chain.n_coordinates, first = column->coordinate;
    memset(x, 0, (size_t)c * sizeof *x);
    if (column->ball == FA_NOBODY) {
        x[first] = 1;
    } else {
        const fa_vec3 turned =
            mat3_mul(m->ball[column->ball].now.E,
                     vec3(column->axis == 0, column->axis == 1, column->axis == 2));
        x[first] = turned.x;
        x[first + 1] = turned.y;
        x[first + 2] = turned.z;
    }
    for (int i = 0; m->loops && i < c; i++)
        if (m->loops->loops->is_dependent[i])
            x[i] = fa_loops_combine(m->loops->loops, i, x, &m->loops->work);
}

// Computes the tangent of a column, with the tangents of the arm's coordinates in m->change.
static void find_column_tangent(const fa_mechanism *m, int j, const double direction[],
                                const double x[], double dx[])
{
    const fa_mechanism_column *column = &m->column[j];
    const int                  c = m->arm->chain.n_coordinates;
    memset(dx, 0, (size_t)c * sizeof *dx);
    if (column->ball != FA_NOBODY) { // as rates change that belong to a steady angular velocity
        const fa_mechanism_ball *ball = &m->ball[column->ball];
        fa_ball                  at = ball->now;
        double                   given[FA_BALL_GIVEN] = {0}, y[FA_BALL_INNER];
        at.rate = vec3(x[column->coordinate], x[column->coordinate + 1], x[column->coordinate + 2]);
        memcpy(given, direction + ball->position, 4 * sizeof *given);
        fa_ball_step_in(&at, false, given, y);
        memcpy(dx + column->coordinate, y + 3, 3 * sizeof *dx);
    }
    if (!m->loops) return;
    struct fa_mechanism_loops *l = m->loops;
    const fa_loop_motion       motion = {.qd = x, .dq = m->change + m->arm->row[FA_ARM_POSITION]};
    double                    *rows = l->tangent.velocity;
    fa_loops_row_tangents(l->loops, &m->arm->chain, &motion, &l->tangent.loop, rows,
                          l->tangent.acceleration, l->tangent.tangent);
    for (int r = 0; r < l->loops->n_rows; r++) rows[r] = -rows[r];
    for (int k = 0; k < l->loops->n_clusters; k++)
        fa_loops_solve(l->loops, k, rows, dx, &l->tangent.loop);
}

static double product(const double a[], const double b[], int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// to += A Q, of a matrix with `rows` rows, where column j of Q stands at Q + j c.
static void add_jacobian(const fa_mechanism *m, const double A[], const double Q[], double to[])
{
    const int c = m->arm->chain.n_coordinates, n = m->n_columns;
    for (int i = 0; i < TWIST; i++)
        for (int j = 0; j < n; j++) to[i * n + j] += product(&A[i * c], &Q[j * c], c);
}

// to += Q^T A R.
static void add_mass(const fa_mechanism *m, const double A[], const double Q[], const double R[],
                     double to[])
{
    const int c = m->arm->chain.n_coordinates, n = m->n_columns;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < c; i++) m->product[i] = product(&A[i * c], &R[j * c], c);
        for (int i = 0; i < n; i++) to[i * n + j] += product(&Q[i * c], m->product, c);
    }
}

static double *cleared(double row[], int n)
{
    memset(row, 0, (size_t)n * sizeof *row);
    return row;
}

void fa_mechanism_give_matrices(const fa_mechanism *m, double value[], unsigned groups)
{
    const int c = m->arm->chain.n_coordinates, n = m->n_columns, *row = m->arm->row;
    if (!(groups & FA_MECHANISM_MATRICES) || n == 0) return;
    for (int j = 0; j < n; j++) find_column(m, j, m->P + j * c);
    if (groups & FA_ARM_GROUP_JACOBIAN && m->jacobian_row != FA_NO_ROW)
        add_jacobian(m, m->value + row[FA_ARM_JACOBIAN], m->P,
                     cleared(value + m->jacobian_row, TWIST * n));
    if (groups & FA_ARM_GROUP_MASS_MATRIX && m->mass_row != FA_NO_ROW)
        add_mass(m, m->value + row[FA_ARM_MASS_MATRIX], m->P, m->P,
                 cleared(value + m->mass_row, n * n));
}

void fa_mechanism_give_matrix_tangents(const fa_mechanism *m, double direction[], unsigned groups)
{
    const int c = m->arm->chain.n_coordinates, n = m->n_columns, *row = m->arm->row;
    if (!(groups & FA_MECHANISM_MATRICES) || n == 0) return;
    for (int j = 0; j < n; j++) {
        find_column(m, j, m->P + j * c);
        find_column_tangent(m, j, direction, m->P + j * c, m->dP + j * c);
    }
    if (groups & FA_ARM_GROUP_JACOBIAN && m->jacobian_row != FA_NO_ROW) {
        double *to = cleared(direction + m->jacobian_row, TWIST * n);
        add_jacobian(m, m->change + row[FA_ARM_JACOBIAN], m->P, to);
        add_jacobian(m, m->value + row[FA_ARM_JACOBIAN], m->dP, to);
    }
    if (groups & FA_ARM_GROUP_MASS_MATRIX && m->mass_row != FA_NO_ROW) {
        double       *to = cleared(direction + m->mass_row, n * n);
        const double *M = m->value + row[FA_ARM_MASS_MATRIX];
        add_mass(m, m->change + row[FA_ARM_MASS_MATRIX], m->P, m->P, to);
        add_mass(m, M, m->dP, m->P, to);
        add_mass(m, M, m->P, m->dP, to);
    }
}
