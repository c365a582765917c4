// Joints of loops that something holds: further rows E qdd = 0 beside those of loops.
//
// With qdd = G u' + g they are A u' = - E g, A = E G: the rows of G of coordinates that are held.
// Gaussian elimination finds rows c and columns p of A whose block A_cp has the rank of A, and with
// G_p, the columns p of G:
//
//     u_p = - A_cp^-1 (A_c u + E_c g)
//     G left by holds = G - G_p A_cp^-1 A_c          g likewise: g - G_p A_cp^-1 E_c g
//
// Columns p of what is left are zero: these freedoms are gone. The efforts mu that hold act as
// E^T mu; G^T b = A^T mu gives them, with least norm where more is held than there are freedoms.
#include <math.h>
#include <string.h>

#include "loop_holds.h"

// Inverse of A, n by n, by Gauss-Jordan; A is destroyed. Its pivots are the diagonal: rows and
// columns of pins stand in the order of complete pivoting, and the other matrices are positive
// definite.
static void invert(int n, double A[], double inverse[])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[i * n + j] = i == j;
    for (int k = 0; k < n; k++) {
        const double d = 1 / A[k * n + k];
        for (int j = 0; j < n; j++) {
            A[k * n + j] *= d;
            inverse[k * n + j] *= d;
        }
        for (int i = 0; i < n; i++) {
            const double m = A[i * n + k];
            if (i == k || m == 0) continue;
            for (int j = 0; j < n; j++) {
                A[i * n + j] -= m * A[k * n + j];
                inverse[i * n + j] -= m * inverse[k * n + j];
            }
        }
    }
}

static int coordinate_of(const fa_loops *l, const fa_cluster *cluster, int i)
{
    return l->coordinate[cluster->first_coordinate + i];
}

// Threshold of a pivot of the scaled rows: a smaller one is rounding, or a dead point.
#define HELD_LEAST 1e-9

// Finds rows and columns of the cluster's A with full rank; returns the rank.
static int find_pins(const fa_loops *l, const fa_cluster *cluster, const bool held[],
                     fa_loop_work *w)
{
    const int     n = cluster->n, f = cluster->freedoms;
    const double *G = &w->G[cluster->first_G];
    double       *S = &w->hold_scratch[cluster->first_G];
    int          *row = &w->pin_row[cluster->first_independent];
    int          *column = &w->pin_column[cluster->first_independent], rank = 0;
    for (int i = 0; i < n; i++) {
        const int c = coordinate_of(l, cluster, i);
        for (int u = 0; u < f; u++)
            S[i * f + u] = held[c] ? G[i * f + u] / l->weight[c] *
                                         l->weight[l->independent[cluster->first_independent + u]]
                                   : 0;
    }
    for (; rank < f; rank++) {
        int    r = 0, p = 0;
        double most = HELD_LEAST;
        for (int i = 0; i < n; i++)
            for (int u = 0; u < f; u++)
                if (fabs(S[i * f + u]) > most) most = fabs(S[i * f + u]), r = i, p = u;
        if (!(most > HELD_LEAST)) break;
        row[rank] = r;
        column[rank] = p;
        for (int i = 0; i < n; i++) {
            const double m = S[i * f + p] / S[r * f + p];
            for (int u = 0; u < f && i != r; u++) S[i * f + u] -= m * S[r * f + u];
            S[i * f + p] = i == r ? S[i * f + p] : 0;
        }
        for (int u = 0; u < f; u++) S[r * f + u] = 0;
    }
    return rank;
}

static void hold_cluster(const fa_loops *l, int k, const bool held[], fa_loop_work *w)
{
    const fa_cluster *cluster = &l->cluster[k];
    const int         n = cluster->n, f = cluster->freedoms;
    const double     *G = &w->G[cluster->first_G];
    double           *left = &w->G_held[cluster->first_G];
    double           *A = &w->hold_scratch[cluster->first_G];
    double           *inverse = &w->pin_inverse[cluster->first_G];
    const int        *row = &w->pin_row[cluster->first_independent];
    const int        *column = &w->pin_column[cluster->first_independent];
    const int         rank = w->n_pins[k] = find_pins(l, cluster, held, w);
    memcpy(left, G, (size_t)n * (size_t)f * sizeof *left);
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < rank; j++) A[i * rank + j] = G[row[i] * f + column[j]];
    invert(rank, A, inverse);
    for (int j = 0; j < rank; j++) w->gone[cluster->first_independent + column[j]] = true;
    for (int u = 0; u < f; u++) {
        for (int p = 0; p < rank; p++) {
            double by = 0; // row p of A_cp^-1 A_c
            for (int j = 0; j < rank; j++) by += inverse[p * rank + j] * G[row[j] * f + u];
            for (int i = 0; i < n; i++) left[i * f + u] -= G[i * f + column[p]] * by;
        }
        for (int i = 0; i < n; i++)
            if (held[coordinate_of(l, cluster, i)] || w->gone[cluster->first_independent + u])
                left[i * f + u] = 0;
    }
}

void fa_loops_hold(const fa_loops *l, const bool held[], fa_loop_work *w)
{
    w->G_left = held ? w->G_held : w->G;
    for (int u = 0; u < l->n_independent; u++) w->gone[u] = false;
    for (int k = 0; k < l->n_clusters; k++) w->n_pins[k] = 0;
    for (int k = 0; held && k < l->n_clusters; k++) hold_cluster(l, k, held, w);
}

void fa_loops_pin(const fa_loops *l, double x[], fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         rank = w->n_pins[k], f = cluster->freedoms;
        const double     *inverse = &w->pin_inverse[cluster->first_G];
        double           *by = w->column;
        for (int p = 0; p < rank; p++) {
            by[p] = 0;
            for (int j = 0; j < rank; j++)
                by[p] += inverse[p * rank + j] *
                         x[coordinate_of(l, cluster, w->pin_row[cluster->first_independent + j])];
        }
        for (int i = 0; rank > 0 && i < cluster->n; i++)
            for (int p = 0; p < rank; p++)
                x[coordinate_of(l, cluster, i)] -=
                    w->G[cluster->first_G + i * f + w->pin_column[cluster->first_independent + p]] *
                    by[p];
    }
}

// G_p^T x of a cluster.
static void reduce(const fa_loops *l, int k, const double x[], double to[], const fa_loop_work *w)
{
    const fa_cluster *cluster = &l->cluster[k];
    const double     *G = &w->G[cluster->first_G];
    for (int p = 0; p < w->n_pins[k]; p++) {
        to[p] = 0;
        for (int i = 0; i < cluster->n; i++)
            to[p] += G[i * cluster->freedoms + w->pin_column[cluster->first_independent + p]] *
                     x[coordinate_of(l, cluster, i)];
    }
}

void fa_loops_pin_transposed(const fa_loops *l, double y[], fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         rank = w->n_pins[k];
        const double     *inverse = &w->pin_inverse[cluster->first_G];
        reduce(l, k, y, w->column, w);
        for (int j = 0; j < rank; j++) {
            double by = 0;
            for (int p = 0; p < rank; p++) by += inverse[p * rank + j] * w->column[p];
            y[coordinate_of(l, cluster, w->pin_row[cluster->first_independent + j])] -= by;
        }
    }
}

// (A_p^T A_p)^-1; A_p: rows of G of locked coordinates, columns p.
static const double *share_inverse(const fa_loops *l, int k, const bool held[], fa_loop_work *w)
{
    const fa_cluster *cluster = &l->cluster[k];
    const int         rank = w->n_pins[k], f = cluster->freedoms;
    const double     *G = &w->G[cluster->first_G];
    const int        *column = &w->pin_column[cluster->first_independent];
    double           *N = w->share, *inverse = w->share + rank * rank;
    memset(N, 0, (size_t)rank * (size_t)rank * sizeof *N);
    for (int i = 0; i < cluster->n; i++)
        for (int p = 0; held[coordinate_of(l, cluster, i)] && p < rank; p++)
            for (int r = 0; r < rank; r++)
                N[p * rank + r] += G[i * f + column[p]] * G[i * f + column[r]];
    invert(rank, N, inverse);
    return inverse;
}

void fa_loops_share(const fa_loops *l, const bool held[], const double b[], double mu[],
                    double among[], fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         rank = w->n_pins[k], f = cluster->freedoms;
        const double     *inverse = share_inverse(l, k, held, w);
        double           *d = w->column, *y = d + rank;
        reduce(l, k, b, d, w);
        for (int p = 0; p < rank; p++) {
            y[p] = 0;
            for (int r = 0; r < rank; r++) y[p] += inverse[p * rank + r] * d[r];
        }
        for (int i = 0; i < cluster->n; i++) {
            const int c = coordinate_of(l, cluster, i);
            double    sum = 0;
            for (int p = 0; p < rank; p++)
                sum +=
                    w->G[cluster->first_G + i * f + w->pin_column[cluster->first_independent + p]] *
                    y[p];
            mu[c] = held[c] ? sum : 0;
            if (among) among[c] = sum;
        }
    }
}

void fa_loops_share_transposed(const fa_loops *l, const bool held[], const double given[],
                               double b[], fa_loop_work *w)
{
    for (int k = 0; k < l->n_clusters; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        const int         rank = w->n_pins[k], f = cluster->freedoms;
        const double     *inverse = share_inverse(l, k, held, w);
        const int        *column = &w->pin_column[cluster->first_independent];
        double           *d = w->column, *y = d + rank;
        for (int p = 0; p < rank; p++) {
            d[p] = 0;
            for (int i = 0; i < cluster->n; i++) {
                const int c = coordinate_of(l, cluster, i);
                if (held[c]) d[p] += w->G[cluster->first_G + i * f + column[p]] * given[c];
            }
        }
        for (int p = 0; p < rank; p++) {
            y[p] = 0;
            for (int r = 0; r < rank; r++) y[p] += inverse[p * rank + r] * d[r];
        }
        for (int i = 0; i < cluster->n; i++) {
            double sum = 0;
            for (int p = 0; p < rank; p++) sum += w->G[cluster->first_G + i * f + column[p]] * y[p];
            b[coordinate_of(l, cluster, i)] = sum;
        }
    }
}

bool fa_loops_share_is_free(const fa_loops *l, const bool held[], const fa_loop_work *w)
{
    int n = 0, pins = 0;
    for (int c = 0; c < l->n_coordinates; c++) n += held[c];
    for (int k = 0; k < l->n_clusters; k++) pins += w->n_pins[k];
    return n > pins;
}
