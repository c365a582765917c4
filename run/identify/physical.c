// Physically consistent mass parameters: Newton's method on a convex function of all parameters,
//
//   1/2 (K p - b)^T C^-1 (K p - b) + sum over links of tr(P0^-1 P) - log det(P0^-1 P) - 4,
//
// whose barrier keeps every pseudo-inertia P positive definite, and rotors and friction positive
// (Lee, Wensing and Park 2020, for the divergence). P0: the nominal pseudo-inertia.
#include "identification.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"

enum { EACH = FA_REGRESSOR_COLUMNS };

// P = [S h; h^T m] with S = tr(I)/2 - I; I about the link's frame.
static void pseudo_inertia(const double p[EACH], double P[16])
{
    const double xx = p[4], yy = p[5], zz = p[6];
    const double of[16] = {(yy + zz - xx) / 2,
                           -p[7],
                           -p[8],
                           p[1],
                           -p[7],
                           (xx + zz - yy) / 2,
                           -p[9],
                           p[2],
                           -p[8],
                           -p[9],
                           (xx + yy - zz) / 2,
                           p[3],
                           p[1],
                           p[2],
                           p[3],
                           p[0]};
    memcpy(P, of, sizeof of);
}

static bool inverted(const double P[16], double inverse[16], double *log_determinant)
{
    double L[16], scale[4];
    memcpy(L, P, sizeof L);
    if (!fa_dense_factor(4, L, scale)) return false;
    fa_dense_inverse(4, L, scale, inverse);
    *log_determinant = 0;
    for (int i = 0; i < 4; i++) *log_determinant += 2 * log(L[i * 5] / scale[i]);
    return true;
}

static double trace_of(const double A[16], const double B[16])
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) sum += A[i * 4 + k] * B[k * 4 + i];
    return sum;
}

static void product(const double A[16], const double B[16], double C[16])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            C[i * 4 + j] = 0;
            for (int k = 0; k < 4; k++) C[i * 4 + j] += A[i * 4 + k] * B[k * 4 + j];
        }
}

// Data and scratch of the minimisation.
typedef struct search {
    const fa_identification *of;
    int                      n;
    double                  *data, *pull; // K^T C^-1 K, K^T C^-1 b
    double                  *prior;       // inverse of P0 for each link
    double                  *usual;       // for each extra: prior mean
    double                  *weight;
    double                  *gradient, *hessian, *scale, *trial, *move;
} search;

// Evaluates the function, with gradient and Hessian if `derived`; INFINITY outside the barrier.
static double function(const search *s, const double p[], bool derived)
{
    const int n = s->n, links = s->of->n_links;
    double    f = 0, E[EACH][16];
    for (int k = 0; k < EACH; k++) {
        double unit[EACH] = {0};
        unit[k] = 1;
        pseudo_inertia(unit, E[k]);
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += s->data[i * n + k] * p[k];
        f += p[i] * (sum / 2 - s->pull[i]);
        if (derived) s->gradient[i] = sum - s->pull[i];
    }
    if (derived) memcpy(s->hessian, s->data, (size_t)(n * n) * sizeof *s->data);
    for (int l = 0; l < links; l++) {
        const double *prior = s->prior + l * 16;
        double        P[16], inverse[16], log_determinant, half[EACH][16];
        pseudo_inertia(p + l * EACH, P);
        if (!inverted(P, inverse, &log_determinant)) return INFINITY;
        f += trace_of(prior, P) - log_determinant;
        for (int k = 0; k < EACH && derived; k++) {
            product(inverse, E[k], half[k]);
            s->gradient[l * EACH + k] += trace_of(prior, E[k]) - trace_of(inverse, E[k]);
        }
        for (int k = 0; k < EACH && derived; k++)
            for (int m = 0; m < EACH; m++)
                s->hessian[(l * EACH + k) * n + l * EACH + m] += trace_of(half[k], half[m]);
    }
    for (int i = links * EACH; i < n; i++) {
        const double w = s->weight[i], u = s->usual[i];
        if (!(p[i] > 0)) return INFINITY;
        f += w * (p[i] / u - log(p[i] / u));
        if (!derived) continue;
        s->gradient[i] += w * (1 / u - 1 / p[i]);
        s->hessian[i * n + i] += w / (p[i] * p[i]);
    }
    return f;
}

static bool allocate(search *s, int n, int links)
{
    const size_t each = (size_t)n, square = each * each;
    s->data = calloc(square, sizeof(double));
    s->hessian = calloc(square, sizeof(double));
    s->prior = calloc((size_t)links * 16 + 1, sizeof(double));
    s->pull = calloc(each, sizeof(double));
    s->usual = calloc(each, sizeof(double));
    s->weight = calloc(each, sizeof(double));
    s->gradient = calloc(each, sizeof(double));
    s->scale = calloc(each, sizeof(double));
    s->trial = calloc(each, sizeof(double));
    s->move = calloc(each, sizeof(double));
    return s->data && s->hessian && s->prior && s->pull && s->usual && s->weight && s->gradient &&
           s->scale && s->trial && s->move;
}

static void release(search *s)
{
    double *const all[] = {s->data,   s->hessian,  s->prior, s->pull,  s->usual,
                           s->weight, s->gradient, s->scale, s->trial, s->move};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

// Computes K^T C^-1 K and K^T C^-1 b.
static void weigh_data(const search *s)
{
    const fa_identification *of = s->of;
    const int                n = s->n, rank = of->rank;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < rank; a++) {
            const double k = of->combination[a * n + i];
            if (k == 0) continue;
            for (int b = 0; b < rank; b++) {
                const double w = k * of->normal[a * rank + b];
                s->pull[i] += w * of->base[b];
                for (int j = 0; j < n && w != 0; j++)
                    s->data[i * n + j] += w * of->combination[b * n + j];
            }
        }
}

// Moves the nominal parameters inside the barrier. Returns the first link whose pseudo-inertia is
// not positive definite, -1: none.
static int draw(const search *s, double prior, double value[])
{
    for (int l = 0; l < s->of->n_links; l++) {
        double P[16], log_determinant, *p = value + l * EACH;
        // Adds a ball around the frame, with that share of the mass and of the moments.
        if (prior > 0) {
            const double share = prior * (p[4] + p[5] + p[6] > 0 ? p[4] + p[5] + p[6] : p[0]) / 3;
            p[0] += prior * p[0];
            for (int k = 4; k < 7; k++) p[k] += share;
        }
        pseudo_inertia(p, P);
        if (!inverted(P, s->prior + l * 16, &log_determinant)) return l;
    }
    for (int i = s->of->n_links * EACH; i < s->n; i++) {
        double usual = value[i] > 0 ? value[i] : 0.01;
        for (int a = 0; a < s->of->rank && !(value[i] > 0); a++)
            if (s->of->pivot[a] == i && s->of->base[a] > 0) usual = s->of->base[a];
        s->usual[i] = value[i] = usual;
        s->weight[i] = s->of->drawing[i] > 0 ? 1 : 1e-2;
    }
    return -1;
}

// Takes one damped Newton step; false at the minimum.
static bool improve(const search *s, double value[], double *f)
{
    const int n = s->n;
    double    slope = 0;
    (void)function(s, value, true);
    if (!fa_dense_factor(n, s->hessian, s->scale)) return false;
    for (int i = 0; i < n; i++) s->move[i] = -s->gradient[i];
    fa_dense_solve(n, s->hessian, s->scale, s->move);
    for (int i = 0; i < n; i++) slope += s->gradient[i] * s->move[i];
    if (!(slope < -1e-10)) return false; // Newton's decrement: converged
    for (double share = 1; share > 1e-12; share /= 2) {
        for (int i = 0; i < n; i++) s->trial[i] = value[i] + share * s->move[i];
        const double now = function(s, s->trial, false);
        if (!(now <= *f + 1e-4 * share * slope)) continue;
        memcpy(value, s->trial, (size_t)n * sizeof *value);
        *f = now;
        return true;
    }
    return false;
}

fa_status fa_make_physical(const fa_identification *found, double prior, double value[],
                           double sd[], bool by_data[], int *rounds, int *worst, fa_error *error)
{
    enum { MOST_ROUNDS = 400 };
    search s = {.of = found, .n = found->n_parameters};
    *worst = -1;
    if (!allocate(&s, s.n, found->n_links)) {
        release(&s);
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for so many parameters");
    }
    weigh_data(&s);
    *worst = draw(&s, prior, value);
    if (*worst >= 0) {
        release(&s);
        return FA_UNFIT;
    }
    // Standard deviations of the prior alone, then with the data.
    const int n = s.n;
    double   *inverse = s.data; // scratch: the prior alone does not use the data
    double   *kept = malloc((size_t)(n * n) * sizeof *kept);
    bool      fine = kept != NULL;
    if (fine) {
        memcpy(kept, s.data, (size_t)(n * n) * sizeof *kept);
        memset(s.data, 0, (size_t)(n * n) * sizeof *s.data);
        (void)function(&s, value, true);
        fine = fa_dense_factor(n, s.hessian, s.scale);
        if (fine) fa_dense_inverse(n, s.hessian, s.scale, inverse);
        for (int i = 0; i < n && fine; i++) sd[i] = sqrt(inverse[i * n + i]);
        memcpy(s.data, kept, (size_t)(n * n) * sizeof *kept);
    }
    double f = fine ? function(&s, value, false) : 0;
    *rounds = 0;
    while (fine && *rounds < MOST_ROUNDS && improve(&s, value, &f)) ++*rounds;
    if (fine) {
        (void)function(&s, value, true);
        fine = fa_dense_factor(n, s.hessian, s.scale);
    }
    if (fine) fa_dense_inverse(n, s.hessian, s.scale, kept);
    for (int i = 0; i < n && fine; i++) {
        const double left = sqrt(kept[i * n + i]);
        by_data[i] = left < 0.5 * sd[i];
        sd[i] = left;
    }
    free(kept);
    release(&s);
    if (fine) return FA_OK;
    return fa_fail(
        error, FA_SINGULAR, NULL, FA_NOWHERE,
        "the parameters of the links cannot be found from this log and this drawing; give "
        "the links masses and inertias that a body can have");
}

int fa_nearest_bound(const fa_identification *found, int base)
{
    const int     links = found->n_links * EACH;
    const double *of = found->combination + base * found->n_parameters;
    int           nearest = -1;
    double        least = INFINITY;
    for (int k = 0; k < found->n_parameters; k++) {
        double shrunk, now, before = 0, P[16], inverse[16];
        if (of[k] == 0) continue;
        if (k < links) { // mean logarithm of the eigenvalues of P0^-1 P
            const int l = k / EACH * EACH;
            pseudo_inertia(found->drawing + l, P);
            if (!inverted(P, inverse, &before)) before = 0;
            pseudo_inertia(found->value + l, P);
            shrunk = inverted(P, inverse, &now) ? (now - before) / 4 : -INFINITY;
        } else {
            const double drawn = found->drawing[k] > 0 ? found->drawing[k] : 0.01;
            shrunk = log(found->value[k] / drawn);
        }
        if (nearest >= 0 && !(shrunk < least)) continue;
        least = shrunk;
        nearest = k < links ? k / EACH * EACH : k;
    }
    return nearest;
}

void fa_mass_parameters(double mass, fa_vec3 com, fa_sym3 I, double p[])
{
    const fa_sym3 O = sym3_add(I, sym3_scale(mass, sym3_point(com, com)));
    const double  of[EACH] = {mass, mass * com.x, mass * com.y, mass * com.z, O.xx,
                              O.yy, O.zz,         O.xy,         O.xz,         O.yz};
    memcpy(p, of, sizeof of);
}

void fa_mass_of_parameters(const double p[], double *mass, fa_vec3 *com, fa_sym3 *I)
{
    const fa_sym3 O = {p[4], p[5], p[6], p[7], p[8], p[9]};
    *mass = p[0];
    *com = vec3(p[1] / p[0], p[2] / p[0], p[3] / p[0]);
    *I = sym3_add(O, sym3_scale(-p[0], sym3_point(*com, *com)));
}
