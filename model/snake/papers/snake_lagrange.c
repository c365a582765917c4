// Lagrange's equations with multipliers for the wheeled snake, O(n^3).
//
// H. Tavakoli Nia, H. N. Pishkenari, A. Meghdari, "A recursive approach for the analysis of snake
// robots using Kane's equations", Robotica (2005), section IV. This is the referee of the other
// methods and shares no kinematics with them: it knows where points are, as sums of vectors, and
// differentiates.
//
//     paper               here (arrays from 0)
//     q                   theta_0 ... theta_{n-1}, x, y; (x, y) is the wheel of the base link
//     M(q), B, Q          M, B, Q
//     A(q)^T, A' q'       J, Jdot_qd
//     lambda              lambda
//
// With the wheel of the base link at (x, y), wheel i is at (x, y) + sum_j r_ij e_j, and r_ij is the
// same for all links i beyond j: `through` of link j towards that side. Link j's own wheel has
// r_jj = `own`. From these constants, and the masses beyond each link, follow the coefficients of
//
//     M_ij = c_ij cos(theta_i - theta_j) + s_ij sin(theta_i - theta_j)
//
// in O(n^2), and B_i = sum_j dM_ij/dtheta_j thetad_j^2.
//
// Departures from the paper:
//   - The multipliers belong to J q' = 0 with M q'' + B = Q + J^T lambda, so that the matrix of
//     (27) becomes symmetric; printed, the sign of lambda differs between (26) and (27).
//   - The right side of (27) is Q - B and -J' q'. Printed: Q and A' q'.
//   - Wheel and centre of mass may be anywhere on the link, and joints may have rotor inertia.
//   - The rates follow from u by solving J q' = 0, which is triangular, outwards from the base.
#include "snake_kkt.h"
#include "snake_methods.h"

#include <math.h>

typedef struct layout {
    int     n;
    double *cosine, *sine;            // of theta_i, n each
    double *qd;                       // n + 2
    double *own;                      // n: r_ii
    double *ahead, *behind;           // n each: r_ji of links j in front of i, behind i
    double *mass_ahead, *mass_behind; // n each: of all links in front of i, behind i
    double *kkt;                      // (2 n + 2) squared: M, and J below it
    double *right;                    // 2 n + 2: Q - B, -J' q', then the solution
} layout;

size_t fa_snake_lagrange_work_size(int n_links)
{
    const size_t n = (size_t)n_links, rows = 2 * n + 2;
    return (8 * n + 2 + rows * rows + rows) * sizeof(double);
}

static layout lay_out(int n, void *work)
{
    layout at;
    at.n = n;
    at.cosine = (double *)work;
    at.sine = at.cosine + n;
    at.qd = at.sine + n;
    at.own = at.qd + n + 2;
    at.ahead = at.own + n;
    at.behind = at.ahead + n;
    at.mass_ahead = at.behind + n;
    at.mass_behind = at.mass_ahead + n;
    at.right = at.mass_behind + n;
    at.kkt = at.right + 2 * n + 2;
    return at;
}

static double *entry(layout at, int row, int column)
{
    return at.kkt + (size_t)row * (size_t)(2 * at.n + 2) + column;
}

// The constants r_ij and the masses beyond each link.
static void constants(const fa_snake *snake, layout at)
{
    const fa_snake_link *link = snake->link;
    const int            n = at.n, base = snake->base;
    for (int i = 0; i < n; i++) {
        at.ahead[i] = i > base ? link[i].a + link[i].b : i == base ? link[i].b : 0;
        at.behind[i] = i < base ? -(link[i].a + link[i].b) : i == base ? -link[i].a : 0;
        at.own[i] = i > base ? link[i].a : i == base ? 0 : -link[i].b;
    }
    double mass = 0;
    for (int i = n - 1; i >= 0; i--) {
        at.mass_ahead[i] = mass;
        mass += link[i].m;
    }
    mass = 0;
    for (int i = 0; i < n; i++) {
        at.mass_behind[i] = mass;
        mass += link[i].m;
    }
}

// r_ij, how far wheel i lies from the base's wheel along e_j.
static double lever(layout at, int i, int j)
{
    return i > j ? at.ahead[j] : i < j ? at.behind[j] : at.own[j];
}

static double cos_between(layout at, int i, int j)
{
    return at.cosine[i] * at.cosine[j] + at.sine[i] * at.sine[j];
}

static double sin_between(layout at, int i, int j)
{
    return at.sine[i] * at.cosine[j] - at.cosine[i] * at.sine[j];
}

// M (25), lower triangle, and Q - B (24).
static void masses_and_forces(const fa_snake *snake, const fa_snake_forces *forces, layout at)
{
    const int n = at.n;
    double    total = 0;
    for (int i = 0; i < n; i++) {
        at.right[i] = 0;
        total += snake->link[i].m;
    }
    at.right[n] = at.right[n + 1] = 0;

    for (int j = 0; j < n; j++) {
        const fa_snake_link *link = &snake->link[j];
        const double         along = at.own[j] + link->c;
        *entry(at, j, j) = link->I + link->m * (along * along + link->d * link->d) +
                           at.mass_ahead[j] * at.ahead[j] * at.ahead[j] +
                           at.mass_behind[j] * at.behind[j] * at.behind[j];

        // Moment of the masses moved by theta_j: as if all were at `p` e_j + `q` n_j.
        const double p =
            link->m * along + at.mass_ahead[j] * at.ahead[j] + at.mass_behind[j] * at.behind[j];
        const double q = link->m * link->d;
        *entry(at, n, j) = -p * at.sine[j] - q * at.cosine[j];
        *entry(at, n + 1, j) = p * at.cosine[j] - q * at.sine[j];
        const double w = at.qd[j];
        at.right[n] += (p * at.cosine[j] - q * at.sine[j]) * w * w;
        at.right[n + 1] += (p * at.sine[j] + q * at.cosine[j]) * w * w;
    }
    *entry(at, n, n) = *entry(at, n + 1, n + 1) = total;
    *entry(at, n + 1, n) = 0;

    // For two links i, j on one side of the base, or the base and another, the outer one, j,
    // determines the masses that both angles move.
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) *entry(at, i, j) = 0;
    for (int j = 0; j < n; j++) {
        const fa_snake_link *link = &snake->link[j];
        if (j == snake->base) continue;
        const int    inward = j > snake->base ? -1 : 1;
        const double beyond =
            j > snake->base ? at.mass_ahead[j] * at.ahead[j] : at.mass_behind[j] * at.behind[j];
        const double p = link->m * (at.own[j] + link->c) + beyond;
        const double q = link->m * link->d;
        for (int i = j + inward; i != snake->base + inward; i += inward) {
            const double r = lever(at, j, i);
            const double C = cos_between(at, i, j), S = sin_between(at, i, j);
            const double M_ij = r * (p * C + q * S);
            const double slope = r * (p * S - q * C); // dM_ij/dtheta_j = -dM_ij/dtheta_i
            *entry(at, i > j ? i : j, i > j ? j : i) = M_ij;
            at.right[i] -= slope * at.qd[j] * at.qd[j];
            at.right[j] += slope * at.qd[i] * at.qd[i];
        }
    }

    for (int k = 0; k < n - 1; k++) {
        const double J = snake->joint[k].rotor;
        *entry(at, k, k) += J;
        *entry(at, k + 1, k + 1) += J;
        *entry(at, k + 1, k) -= J;
        at.right[k] -= forces->torque[k];
        at.right[k + 1] += forces->torque[k];
    }
    if (!forces->rolling) return;
    for (int i = 0; i < n; i++) { // at wheel i along e_i
        at.right[n] += forces->rolling[i] * at.cosine[i];
        at.right[n + 1] += forces->rolling[i] * at.sine[i];
        for (int j = 0; j < n; j++)
            at.right[j] += forces->rolling[i] * lever(at, i, j) * sin_between(at, i, j);
    }
}

// J: row i is n_i . (velocity of wheel i) = 0.
static void constraints(layout at)
{
    const int n = at.n;
    for (int i = 0; i < n; i++) {
        const int row = n + 2 + i;
        for (int j = 0; j < n; j++) *entry(at, row, j) = lever(at, i, j) * cos_between(at, i, j);
        *entry(at, row, n) = -at.sine[i];
        *entry(at, row, n + 1) = at.cosine[i];
        for (int j = 0; j <= i; j++) *entry(at, row, n + 2 + j) = 0;
    }
}

// The rates that follow from those of the base by the constraints.
static void rates(const fa_snake *snake, layout at)
{
    const int n = at.n, base = snake->base;
    // Outwards from the base, row i has one unknown rate more than the rows before it.
    for (int step = 0; step < 2; step++) {
        const int end = step == 0 ? n : -1, way = step == 0 ? 1 : -1;
        for (int i = base + way; i != end; i += way) {
            double sum = 0;
            for (int j = base; j != i; j += way) sum += *entry(at, n + 2 + i, j) * at.qd[j];
            sum +=
                *entry(at, n + 2 + i, n) * at.qd[n] + *entry(at, n + 2 + i, n + 1) * at.qd[n + 1];
            at.qd[i] = -sum / *entry(at, n + 2 + i, i);
        }
    }
}

// -J' q'.
static void constraint_bias(layout at)
{
    const int n = at.n;
    // d/dt of r_ij cos(theta_i - theta_j) qd_j and of -sin(theta_i) xd + cos(theta_i) yd.
    for (int i = 0; i < n; i++) {
        double sum = -(at.cosine[i] * at.qd[n] + at.sine[i] * at.qd[n + 1]) * at.qd[i];
        for (int j = 0; j < n; j++)
            sum -= lever(at, i, j) * sin_between(at, i, j) * (at.qd[i] - at.qd[j]) * at.qd[j];
        at.right[n + 2 + i] = -sum;
    }
}

static void directions(layout at, const double theta[])
{
    for (int i = 0; i < at.n; i++) {
        at.cosine[i] = cos(theta[i]);
        at.sine[i] = sin(theta[i]);
    }
}

// Solves (27) with the rates in at.qd; the solution is in at.right.
static fa_status solve(const fa_snake *snake, const fa_snake_forces *forces, layout at)
{
    constraint_bias(at);
    masses_and_forces(snake, forces, at);
    return fa_snake_kkt_solve(at.n + 2, at.n, at.kkt, at.right);
}

fa_status fa_snake_lagrange_rates(const fa_snake *snake, const double theta[], const double qd[],
                                  const fa_snake_forces *forces, double qdd[], void *work)
{
    const int    n = snake->n;
    const layout at = lay_out(n, work);
    directions(at, theta);
    for (int i = 0; i < n + 2; i++) at.qd[i] = qd[i];
    constants(snake, at);
    constraints(at);
    const fa_status status = solve(snake, forces, at);
    for (int i = 0; i < n + 2; i++) qdd[i] = at.right[i];
    return status;
}

fa_status fa_snake_lagrange(const fa_snake *snake, const double theta[], const double u[2],
                            const fa_snake_forces *forces, double ud[2], double lambda[],
                            void *work)
{
    const int    n = snake->n, base = snake->base;
    const layout at = lay_out(n, work);

    directions(at, theta);
    at.qd[base] = u[1];
    at.qd[n] = u[0] * at.cosine[base];
    at.qd[n + 1] = u[0] * at.sine[base];

    constants(snake, at);
    constraints(at);
    rates(snake, at);
    const fa_status status = solve(snake, forces, at);
    if (status != FA_OK) return status;

    // V = x' cos(theta) + y' sin(theta); its derivative has no other part, for x', y' is along e.
    const double *qdd = at.right;
    ud[0] = qdd[n] * at.cosine[base] + qdd[n + 1] * at.sine[base];
    ud[1] = qdd[base];
    if (lambda)
        for (int i = 0; i < n; i++) lambda[i] = -at.right[n + 2 + i];
    return isfinite(ud[0]) && isfinite(ud[1]) ? FA_OK : FA_NOT_FINITE;
}
