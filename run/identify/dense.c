// Cholesky factorisation with scaling, and Gram-Schmidt orthogonalisation from left to right.
#include "dense.h"

#include <math.h>
#include <string.h>

bool fa_dense_factor(int n, double A[], double scale[])
{
    for (int i = 0; i < n; i++) {
        if (!(A[i * n + i] > 0)) return false;
        scale[i] = 1 / sqrt(A[i * n + i]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) A[i * n + j] *= scale[i] * scale[j];
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
            if (i == j && !(sum > 1e-15)) return false; // the pivot has no significant digit
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
    return true;
}

void fa_dense_solve(int n, const double L[], const double scale[], double x[])
{
    for (int i = 0; i < n; i++) {
        double sum = scale[i] * x[i];
        for (int k = 0; k < i; k++) sum -= L[i * n + k] * x[k];
        x[i] = sum / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = 0; i < n; i++) x[i] *= scale[i];
}

void fa_dense_inverse(int n, const double L[], const double scale[], double inverse[])
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) inverse[j * n + i] = i == j;
        fa_dense_solve(n, L, scale, inverse + j * n);
    }
}

int fa_dense_pivots(int m, int n, const double A[], double tolerance, int pivot[],
                    double combination[], double Q[])
{
    int    rank = 0;
    double most = 0;
    for (int j = 0; j < n; j++) {
        double  size = 0, left = 0;
        double *rest = Q + (long)rank * m;
        for (int i = 0; i < m; i++) rest[i] = A[i * n + j];
        for (int i = 0; i < m; i++) size += rest[i] * rest[i];
        if (size > most) most = size;
        for (int k = 0; k < rank; k++) combination[k * n + j] = 0;
        for (int turn = 0; turn < 2; turn++) // reorthogonalises against rounding
            for (int k = 0; k < rank; k++) {
                const double *q = Q + (long)k * m;
                double        dot = 0;
                for (int i = 0; i < m; i++) dot += q[i] * rest[i];
                for (int i = 0; i < m; i++) rest[i] -= dot * q[i];
                combination[k * n + j] += dot;
            }
        for (int i = 0; i < m; i++) left += rest[i] * rest[i];
        if (!(size > tolerance * tolerance * most && left > tolerance * tolerance * size)) continue;
        for (int i = 0; i < m; i++) rest[i] /= sqrt(left);
        combination[rank * n + j] = sqrt(left);
        for (int k = 0; k < j; k++) combination[rank * n + k] = 0;
        pivot[rank++] = j;
    }
    // Solves with the triangular R of the pivots: combinations of Q become combinations of pivots.
    for (int j = 0; j < n; j++)
        for (int k = rank - 1; k >= 0; k--) {
            bool is_pivot = false;
            for (int p = 0; p < rank; p++) is_pivot |= pivot[p] == j;
            if (is_pivot) continue;
            double sum = combination[k * n + j];
            for (int p = k + 1; p < rank; p++)
                sum -= combination[k * n + pivot[p]] * combination[p * n + j];
            combination[k * n + j] = sum / combination[k * n + pivot[k]];
        }
    for (int p = 0; p < rank; p++)
        for (int k = 0; k < rank; k++) combination[k * n + pivot[p]] = k == p;
    for (int k = 0; k < rank * n; k++)
        if (fabs(combination[k]) < 10 * tolerance) combination[k] = 0;
    return rank;
}

double fa_dense_condition(int n, const double normal[], double work[])
{
    enum { TURNS = 100 };
    double *L = work, *scale = work + n * n, *v = scale + n, *next = v + n, most = 0, least = 0;
    memcpy(L, normal, (size_t)(n * n) * sizeof *L);
    if (!fa_dense_factor(n, L, scale)) return INFINITY;
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < n; i++) v[i] = 1 + 0.1 * i;
        for (int turn = 0; turn < TURNS; turn++) {
            double size = 0;
            for (int i = 0; i < n; i++) {
                next[i] = way == 0 ? 0 : v[i] / scale[i];
                for (int k = 0; k < n && way == 0; k++)
                    next[i] += scale[i] * normal[i * n + k] * scale[k] * v[k];
            }
            if (way == 1) fa_dense_solve(n, L, scale, next);
            for (int i = 0; i < n; i++) {
                if (way == 1) next[i] /= scale[i];
                size += next[i] * next[i];
            }
            size = sqrt(size);
            for (int i = 0; i < n; i++) v[i] = next[i] / size;
            if (way == 0)
                most = size;
            else
                least = 1 / size;
        }
    }
    return sqrt(most / least);
}
