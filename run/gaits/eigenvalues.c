// Eigenvalues by Hessenberg form and Francis' QR iteration with two shifts.
//
// G. H. Golub and C. F. Van Loan, "Matrix Computations": Householder reduction to Hessenberg form,
// and the Francis step. Only eigenvalues are wanted, so that a step touches the active block alone.
#include "eigenvalues.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { STEPS_MOST = 60, EXCEPTIONAL = 10 }; // of each eigenvalue; a shift out of turn every so many

static double *at(double A[], int n, int i, int j)
{
    return &A[(size_t)i * (size_t)n + (size_t)j];
}

// Householder's reflection of m numbers onto the first: x becomes the vector v, with v[0] = 1, and
// the result is beta in 1 - beta v v'. 0: nothing is to be done.
static double reflect(int m, double x[])
{
    double rest = 0, largest = 0;
    for (int i = 0; i < m; i++) largest = fmax(largest, fabs(x[i]));
    if (!(largest > 0)) return 0;
    for (int i = 0; i < m; i++) x[i] /= largest;
    for (int i = 1; i < m; i++) rest += x[i] * x[i];
    if (!(rest > 0)) return 0;
    const double norm = sqrt(x[0] * x[0] + rest);
    const double v = x[0] <= 0 ? x[0] - norm : -rest / (x[0] + norm);
    const double beta = 2 * v * v / (rest + v * v);
    for (int i = 1; i < m; i++) x[i] /= v;
    x[0] = 1;
    return beta;
}

// A = P A P for the reflection of rows and columns first … first + m - 1, within rows and columns
// low … high.
static void apply(int n, double A[], int first, int m, const double v[], double beta, int low,
                  int high)
{
    for (int j = low; j <= high; j++) {
        double sum = 0;
        for (int i = 0; i < m; i++) sum += v[i] * *at(A, n, first + i, j);
        for (int i = 0; i < m; i++) *at(A, n, first + i, j) -= beta * sum * v[i];
    }
    for (int i = low; i <= high; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += v[j] * *at(A, n, i, first + j);
        for (int j = 0; j < m; j++) *at(A, n, i, first + j) -= beta * sum * v[j];
    }
}

static void reduce_to_hessenberg(int n, double A[], double v[])
{
    for (int k = 0; k + 2 < n; k++) {
        const int m = n - k - 1;
        for (int i = 0; i < m; i++) v[i] = *at(A, n, k + 1 + i, k);
        const double beta = reflect(m, v);
        if (beta != 0) apply(n, A, k + 1, m, v, beta, 0, n - 1);
        for (int i = k + 2; i < n; i++) *at(A, n, i, k) = 0;
    }
}

// The two eigenvalues of the block of rows and columns k, k + 1.
static void split(int n, double A[], int k, double re[], double im[])
{
    const double a = *at(A, n, k, k), b = *at(A, n, k, k + 1);
    const double c = *at(A, n, k + 1, k), d = *at(A, n, k + 1, k + 1);
    const double half = (a - d) / 2, under = half * half + b * c;
    im[k] = im[k + 1] = 0;
    if (under < 0) {
        re[k] = re[k + 1] = (a + d) / 2;
        im[k] = sqrt(-under);
        im[k + 1] = -im[k];
        return;
    }
    const double far = half + (half < 0 ? -sqrt(under) : sqrt(under));
    re[k] = d + far;
    re[k + 1] = far != 0 ? d - b * c / far : d;
}

// One step on the block low … high, with the two eigenvalues of its last corner as shifts.
static void francis_step(int n, double A[], int low, int high, bool exceptional)
{
    const double h = *at(A, n, high, high), g = *at(A, n, high - 1, high - 1);
    double sum = h + g, product = h * g - *at(A, n, high - 1, high) * *at(A, n, high, high - 1);
    if (exceptional) {
        const double off = fabs(*at(A, n, high, high - 1)) + fabs(*at(A, n, high - 1, high - 2));
        sum = 1.5 * off;
        product = off * off;
    }
    const double a = *at(A, n, low, low), b = *at(A, n, low, low + 1);
    const double c = *at(A, n, low + 1, low), d = *at(A, n, low + 1, low + 1);
    double       v[3] = {a * a + b * c - sum * a + product, c * (a + d - sum),
                         c * *at(A, n, low + 2, low + 1)};
    for (int k = low; k < high; k++) {
        const int    m = k + 2 <= high ? 3 : 2;
        const double beta = reflect(m, v);
        if (beta != 0) apply(n, A, k, m, v, beta, low, high);
        for (int i = k + 1; k > low && i < k + m; i++) *at(A, n, i, k - 1) = 0;
        for (int i = 0; i < 3; i++) v[i] = k + 1 + i <= high ? *at(A, n, k + 1 + i, k) : 0;
    }
}

// The first row of the block that ends at `high`: below it nothing stands but rounding.
static int block_of(int n, double A[], int high)
{
    int low = high;
    for (; low > 0; low--) {
        const double size = fabs(*at(A, n, low, low)) + fabs(*at(A, n, low - 1, low - 1));
        if (fabs(*at(A, n, low, low - 1)) <= DBL_EPSILON * size) break;
    }
    if (low > 0) *at(A, n, low, low - 1) = 0;
    return low;
}

static bool before(double re, double im, double other_re, double other_im)
{
    const double size = hypot(re, im), other = hypot(other_re, other_im);
    if (size != other) return size > other;
    return re != other_re ? re > other_re : im > other_im;
}

static void sort(int n, double re[], double im[])
{
    for (int i = 1; i < n; i++) {
        const double r = re[i], m = im[i];
        int          k = i;
        for (; k > 0 && before(r, m, re[k - 1], im[k - 1]); k--) {
            re[k] = re[k - 1];
            im[k] = im[k - 1];
        }
        re[k] = r;
        im[k] = m;
    }
}

bool fa_eigenvalues(int n, double A[], double re[], double im[], double spare[])
{
    int high = n - 1, steps = 0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        if (!isfinite(A[i])) return false;
    reduce_to_hessenberg(n, A, spare);
    while (high >= 0) {
        const int low = block_of(n, A, high);
        if (low + 1 >= high) {
            if (low == high) {
                re[high] = *at(A, n, high, high);
                im[high] = 0;
            } else {
                split(n, A, low, re, im);
            }
            high = low - 1;
            steps = 0;
            continue;
        }
        if (++steps > STEPS_MOST) return false;
        francis_step(n, A, low, high, steps % EXCEPTIONAL == 0);
    }
    sort(n, re, im);
    return true;
}
