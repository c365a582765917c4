// The forces that the cylinders of an inverse need: those that give the joints the torques of its
// answer.
//
// Cylinders that share joints belong together. With A, what each of their lengths changes by each
// of these joints' coordinates, A F = tau is wanted, and the smallest forces that come nearest to
// it are F = P tau, P being the pseudo-inverse of A: exact where there is a cylinder for each
// joint, and even where two share one. P comes from A V = W, V orthogonal and the columns of W,
// too:
//
//     P = sum V_s W_s^T / |W_s|^2     over the columns that are not zero
//
// (M. R. Hestenes, "Inversion of matrices by biorthogonalization and related results", J. SIAM 6(1)
// (1958)). Where the rank does not change, with r = tau - A F, what is left,
//
//     dF = P (dtau - dA F + P^T dA^T r - A dA^T P^T F) + dA^T P^T F
//
// and a column of dA is d^2L/dq^2 times the tangent of the coordinates.
#include <math.h>
#include <string.h>

#include "arm.h"

// A column of W that is so much shorter than the longest is rounding.
static const double NOTHING = 1e-10;

// Cylinders that belong together, and their joints. Vectors of cylinders have n elements, those of
// joints one for each of the arm's coordinates, of which only the group's are used.
typedef struct group {
    const fa_arm *arm;
    int           n, n_joints;
    const int    *cylinder, *joint; // indices, coordinates
    double       *W, *V;            // by columns
    double       *square;           // of the columns of W; 0: rounding
    double       *u, *v;            // of cylinders
    double       *r, *f, *z;        // of joints
} group;

void fa_arm_cylinders_join(fa_arm *arm)
{
    fa_arm_cylinder *of = arm->cylinders.of;
    const int        n = arm->cylinders.n;
    for (int k = 0; k < n; k++) {
        of[k].leader = k;
        for (int i = 0; i < k; i++) {
            bool shared = false;
            for (int j = 0; j < arm->chain.n_coordinates; j++)
                shared |= of[k].lever_row[j] != FA_NO_ROW && of[i].lever_row[j] != FA_NO_ROW;
            const int own = of[k].leader, other = of[i].leader;
            for (int l = 0; shared && l <= k; l++)
                if (of[l].leader == own) of[l].leader = other;
        }
    }
}

size_t fa_arm_cylinders_need_numbers(size_t cylinders, size_t coordinates)
{
    return cylinders * (cylinders + coordinates + 3) + 3 * coordinates;
}

static fa_arm_cylinder *cylinder(const group *g, int k)
{
    return &g->arm->cylinders.of[g->cylinder[k]];
}

// The group of this leader; false: it leads none.
static bool group_of(const fa_arm *arm, int leader, group *g)
{
    const int n = arm->cylinders.n, c = arm->chain.n_coordinates;
    int      *member = arm->cylinders.member, *joint = member + n;
    double   *number = arm->cylinders.number;
    *g = (group){.arm = arm, .cylinder = member, .joint = joint};
    for (int k = 0; k < n; k++)
        if (arm->cylinders.of[k].leader == leader) member[g->n++] = k;
    for (int j = 0; j < c; j++) {
        bool any = false;
        for (int k = 0; k < g->n; k++) any |= cylinder(g, k)->lever_row[j] != FA_NO_ROW;
        if (any) joint[g->n_joints++] = j;
    }
    double **const part[] = {&g->square, &g->u, &g->v, &g->r, &g->f, &g->z};
    g->W = number;
    g->V = g->W + n * c;
    number = g->V + n * n;
    for (int i = 0; i < 6; i++) {
        *part[i] = number;
        number += i < 3 ? n : c;
    }
    return g->n > 0;
}

// ------------------------------------------------------------------------------ the pseudo-inverse

static void turn(double a[], double b[], int n, double cosine, double sine)
{
    for (int i = 0; i < n; i++) {
        const double x = a[i], y = b[i];
        a[i] = cosine * x - sine * y;
        b[i] = sine * x + cosine * y;
    }
}

static double product(const double a[], const double b[], int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Turns two columns of W until they are perpendicular. True: they were, as far as rounding allows.
static bool part(group *g, int p, int q)
{
    double      *a = g->W + p * g->n_joints, *b = g->W + q * g->n_joints;
    const double aa = product(a, a, g->n_joints), bb = product(b, b, g->n_joints);
    const double ab = product(a, b, g->n_joints);
    if (!(fabs(ab) > 1e-15 * sqrt(aa * bb))) return true;
    const double half = (bb - aa) / (2 * ab);
    const double tangent = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    const double cosine = 1 / sqrt(1 + tangent * tangent);
    turn(a, b, g->n_joints, cosine, tangent * cosine);
    turn(g->V + p * g->n, g->V + q * g->n, g->n, cosine, tangent * cosine);
    return false;
}

static void decompose(group *g)
{
    enum { SWEEPS = 60 }; // a few are enough; they converge quadratically
    double longest = 0;
    memset(g->V, 0, (size_t)g->n * (size_t)g->n * sizeof *g->V);
    for (int k = 0; k < g->n; k++) {
        g->V[k * g->n + k] = 1;
        for (int i = 0; i < g->n_joints; i++)
            g->W[k * g->n_joints + i] = cylinder(g, k)->lever[g->joint[i]];
    }
    bool done = false;
    for (int sweep = 0; sweep < SWEEPS && !done; sweep++) {
        done = true;
        for (int p = 0; p < g->n; p++)
            for (int q = p + 1; q < g->n; q++) done &= part(g, p, q);
    }
    for (int s = 0; s < g->n; s++) {
        const double *w = g->W + s * g->n_joints;
        g->square[s] = product(w, w, g->n_joints);
        longest = fmax(longest, g->square[s]);
    }
    for (int s = 0; s < g->n; s++)
        if (!(g->square[s] > NOTHING * NOTHING * longest)) g->square[s] = 0;
}

// out = P x, of cylinders.
static void apply(const group *g, const double x[], double out[])
{
    memset(out, 0, (size_t)g->n * sizeof *out);
    for (int s = 0; s < g->n; s++) {
        double along = 0;
        if (g->square[s] == 0) continue;
        for (int i = 0; i < g->n_joints; i++) along += g->W[s * g->n_joints + i] * x[g->joint[i]];
        for (int k = 0; k < g->n; k++) out[k] += g->V[s * g->n + k] * along / g->square[s];
    }
}

// out += P^T x, of joints.
static void add_transposed(const group *g, const double x[], double out[])
{
    for (int s = 0; s < g->n; s++) {
        if (g->square[s] == 0) continue;
        const double along = product(g->V + s * g->n, x, g->n) / g->square[s];
        for (int i = 0; i < g->n_joints; i++) out[g->joint[i]] += g->W[s * g->n_joints + i] * along;
    }
}

static double along_lever(const group *g, int k, const double x[]) // (A^T x)_k
{
    double sum = 0;
    for (int i = 0; i < g->n_joints; i++)
        sum += cylinder(g, k)->lever[g->joint[i]] * x[g->joint[i]];
    return sum;
}

static void add_lever(const group *g, int k, double factor, double x[]) // x += factor A_k
{
    for (int i = 0; i < g->n_joints; i++)
        x[g->joint[i]] += factor * cylinder(g, k)->lever[g->joint[i]];
}

static void clear(const group *g, double x[])
{
    memset(x, 0, (size_t)g->arm->chain.n_coordinates * sizeof *x);
}

// The forces of a group, r and f = P^T F.
static void solve(group *g)
{
    decompose(g);
    clear(g, g->r);
    for (int i = 0; i < g->n_joints; i++) g->r[g->joint[i]] = g->arm->result[g->joint[i]];
    apply(g, g->r, g->u);
    for (int k = 0; k < g->n; k++) {
        cylinder(g, k)->needed = g->u[k];
        add_lever(g, k, -g->u[k], g->r);
    }
    clear(g, g->f);
    add_transposed(g, g->u, g->f);
}

// ------------------------------------------------------------------------------------------ values

fa_status fa_arm_cylinders_need(fa_arm *arm, fa_error *error)
{
    group g;
    for (int leader = 0; leader < arm->cylinders.n; leader++) {
        if (!group_of(arm, leader, &g)) continue;
        solve(&g);
        bool some = false, finite = true;
        for (int k = 0; k < g.n; k++) {
            some |= g.square[k] > 0;
            finite &= isfinite(cylinder(&g, k)->needed) != 0;
        }
        if (!some || !finite)
            return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                           "in this position a cylinder has no lever, so that no force of it gives "
                           "its joint the torque");
    }
    return FA_OK;
}

void fa_arm_cylinders_put_needs(const fa_arm *arm, double value[])
{
    for (int k = 0; k < arm->cylinders.n; k++)
        value[arm->cylinders.of[k].force_row] = arm->cylinders.of[k].needed;
}

void fa_arm_cylinders_need_tangent(fa_arm *arm, const double value[], const double torque_tangent[],
                                   double direction[])
{
    group g;
    for (int leader = 0; leader < arm->cylinders.n; leader++) {
        if (!group_of(arm, leader, &g)) continue;
        solve(&g);
        // z = dtau - dA F + P^T u - A v with u = dA^T r, v = dA^T f.
        clear(&g, g.z);
        for (int i = 0; i < g.n_joints; i++) g.z[g.joint[i]] = torque_tangent[g.joint[i]];
        for (int k = 0; k < g.n; k++) {
            const double *h =
                fa_arm_cylinder_lever_tangents(arm, cylinder(&g, k), value, direction);
            g.u[k] = g.v[k] = 0;
            for (int i = 0; i < g.n_joints; i++) {
                const int j = g.joint[i];
                g.u[k] += h[j] * g.r[j];
                g.v[k] += h[j] * g.f[j];
                g.z[j] -= cylinder(&g, k)->needed * h[j];
            }
        }
        add_transposed(&g, g.u, g.z);
        for (int k = 0; k < g.n; k++) add_lever(&g, k, -g.v[k], g.z);
        apply(&g, g.z, g.u);
        for (int k = 0; k < g.n; k++) direction[cylinder(&g, k)->force_row] = g.u[k] + g.v[k];
    }
}

void fa_arm_cylinders_need_adjoint(fa_arm *arm, const double value[], double torque_adjoint[],
                                   double adjoint[])
{
    double *q_adjoint = adjoint + arm->row[FA_ARM_POSITION], *along = arm->tau_tangent; // scratch
    group   g;
    for (int leader = 0; leader < arm->cylinders.n; leader++) {
        if (!group_of(arm, leader, &g)) continue;
        solve(&g);
        // z pairs with dtau, u with dA^T r, v with dA^T f.
        clear(&g, g.z);
        for (int k = 0; k < g.n; k++) g.v[k] = adjoint[cylinder(&g, k)->force_row];
        add_transposed(&g, g.v, g.z);
        apply(&g, g.z, g.u);
        for (int k = 0; k < g.n; k++) g.v[k] -= along_lever(&g, k, g.z);
        for (int i = 0; i < g.n_joints; i++) torque_adjoint[g.joint[i]] += g.z[g.joint[i]];
        for (int k = 0; k < g.n; k++) {
            const fa_arm_cylinder *c = cylinder(&g, k);
            for (int j = 0; j < arm->chain.n_coordinates; j++)
                along[j] = g.u[k] * g.r[j] + g.v[k] * g.f[j] - c->needed * g.z[j];
            const double *h = fa_arm_cylinder_curvature(arm, c, value, along);
            for (int j = 0; j < arm->chain.n_coordinates; j++) q_adjoint[j] += h[j];
            fa_arm_cylinder_pitch_adjoints(arm, c, 1, adjoint);
        }
    }
}
