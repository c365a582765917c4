// Finds the nearest root of n equations by damped Newton steps within bounds, from many starts.
#include "nearest_root.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cholesky.h"
#include "draw.h"

static const double PI = 3.14159265358979323846;

// Tolerances of the residual, relative to its size: rounding; and a weaker one, for cancellation in
// the equations.
static const double ROUNDING = 1e-13, NEARLY = 1e-10;
static const double CLOSE = 1e-4; // below this residual, Marquardt damping is used

enum { STEPS = 100, STARTS = 160 };
enum { FALLS = 16 }; // every 16th start uses fall(); most of these end at the same pose
// Limit of Jacobian columns in total: some seconds for large robots
static const long   SLOPES_MOST = 20000;
static const double STRIDE = 1; // limit of a step, in rad or m

typedef struct search {
    const fa_roots *roots;
    const double   *start;
    double         *x, *trial, *missing, *slopes, *normal, *step, *slope, *best;
    double          norm;    // norm of the residual at x, relative to its size
    double          least;   // smallest norm of the whole search
    double          nearest; // distance of the best root; infinite: none yet
    long            spent;   // Jacobian columns computed so far
    fa_error       *error;
} search;

size_t fa_nearest_root_work(int n)
{
    return (size_t)(2 * n + 7) * (size_t)n + 1;
}

static double norm_of(const search *s)
{
    double sum = 0;
    for (int i = 0; i < s->roots->n; i++) sum += s->missing[i] * s->missing[i];
    return sqrt(sum) / s->roots->size;
}

// Evaluates the residual at `at`; infinite where the equations fail. Only a lack of memory ends the
// search.
static fa_status look(search *s, const double at[], double *norm)
{
    const fa_status status = s->roots->missing(s->roots->context, at, s->missing, s->error);
    *norm = status == FA_OK ? norm_of(s) : INFINITY;
    if (isnan(*norm)) *norm = INFINITY;
    return status == FA_NO_MEMORY ? status : FA_OK;
}

static fa_status find_slopes(search *s, bool *there)
{
    const fa_status status = s->roots->slopes(s->roots->context, s->x, s->slopes, s->error);
    s->spent += s->roots->n;
    *there = status == FA_OK;
    return status == FA_NO_MEMORY ? status : FA_OK;
}

static double within(const fa_roots *roots, int i, double x)
{
    return fmin(fmax(x, roots->lower[i]), roots->upper[i]);
}

// --------------------------------------------------------------------------------------- steps

// Returns true if unknown i is at a bound and the step would leave it.
static bool is_stuck(const search *s, int i, double push)
{
    const fa_roots *roots = s->roots;
    return (push < 0 && s->x[i] <= roots->lower[i]) || (push > 0 && s->x[i] >= roots->upper[i]) ||
           roots->lower[i] >= roots->upper[i];
}

// Solves normal step = push for the unknowns that are not at their bounds; false: not positive
// definite.
static bool solve(search *s, const double push[])
{
    const int n = s->roots->n;
    for (int i = 0; i < n; i++) s->step[i] = push[i];
    for (int i = 0; i < n; i++) {
        if (!is_stuck(s, i, push[i])) continue;
        for (int j = 0; j < n; j++) s->normal[i * n + j] = s->normal[j * n + i] = 0;
        s->normal[i * n + i] = 1;
        s->step[i] = 0;
    }
    if (fa_cholesky_factor(n, s->normal) != FA_OK) return false;
    fa_cholesky_solve(n, s->normal, s->step);
    double longest = 0;
    for (int i = 0; i < n; i++) longest = fmax(longest, fabs(s->step[i]));
    if (!(longest <= DBL_MAX)) return false;
    for (int i = 0; i < n; i++) {
        if (longest > STRIDE) s->step[i] *= STRIDE / longest;
        s->trial[i] = within(s->roots, i, s->x[i] + s->step[i]);
    }
    return true;
}

// Computes the normal matrix, J^T J.
static void make_normal(search *s)
{
    const int n = s->roots->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += s->slopes[i * n + k] * s->slopes[j * n + k];
            s->normal[i * n + j] = s->normal[j * n + i] = sum;
        }
}

static double largest_diagonal(const search *s)
{
    double most = 0;
    for (int i = 0; i < s->roots->n; i++) most = fmax(most, fabs(s->normal[i * s->roots->n + i]));
    return most;
}

// Adds damping to the diagonal: relative to each unknown's own entry (Marquardt), so that a light
// wrist is not held back by a heavy shoulder; or absolute (Levenberg), so that unknowns at their
// bounds do not make the others oscillate.
static void damp(search *s, bool by_shares, double damping)
{
    const int    n = s->roots->n;
    const double most = largest_diagonal(s);
    for (int i = 0; i < n; i++) {
        double *own = &s->normal[i * n + i];
        *own += damping * (by_shares ? fmax(*own, DBL_EPSILON * most) : most) + DBL_MIN;
    }
}

// Levenberg-Marquardt iteration from s->x, until the residual is rounding or no step reduces it.
// Ten steps towards a root, even a double one, reduce the residual by far more than a tenth;
// otherwise the search leaves a valley without a root.
static fa_status descend(search *s, bool by_shares)
{
    const int n = s->roots->n;
    double    damping = 1e-3, ten_ago = INFINITY;
    fa_status status = look(s, s->x, &s->norm);
    for (int step = 0; step < STEPS && status == FA_OK && s->norm > ROUNDING && s->norm < INFINITY;
         step++) {
        if (step % 10 == 0) {
            if (!(s->norm < 0.9 * ten_ago)) break;
            ten_ago = s->norm;
        }
        bool there = false;
        status = find_slopes(s, &there);
        if (status != FA_OK || !there) return status;
        for (int i = 0; i < n; i++) {
            s->slope[i] = 0;
            for (int k = 0; k < n; k++) s->slope[i] -= s->slopes[i * n + k] * s->missing[k];
        }
        bool better = false;
        for (; !better && damping < 1e9; damping *= better ? 0.1 : 5) {
            double norm = INFINITY;
            make_normal(s);
            damp(s, by_shares, damping);
            if (solve(s, s->slope)) status = look(s, s->trial, &norm);
            if (status != FA_OK) return status;
            better = norm < s->norm;
            if (!better) continue;
            s->norm = norm;
            memcpy(s->x, s->trial, (size_t)n * sizeof *s->x);
        }
        if (!better) break; // no step reduces the residual
        damping = fmax(damping, 1e-12);
    }
    return status;
}

// Follows the equations as a force, down a potential: damped Newton steps that go downhill. Ends
// where descend() can continue, or at a bound.
static fa_status fall(search *s)
{
    const int n = s->roots->n;
    double    damping = 1e-2;
    fa_status status = look(s, s->x, &s->norm);
    for (int step = 0; step < STEPS && status == FA_OK && s->norm > NEARLY && s->norm < INFINITY;
         step++) {
        bool there = false, better = false;
        status = find_slopes(s, &there);
        if (status != FA_OK || !there) return status;
        for (int i = 0; i < n; i++) s->slope[i] = -s->missing[i];
        for (; !better && damping < 1e9; damping *= better ? 0.2 : 5) {
            double before = 0, after = 0, norm = INFINITY;
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++)
                    s->normal[i * n + j] = s->normal[j * n + i] =
                        0.5 * (s->slopes[i * n + j] + s->slopes[j * n + i]);
            const double all = damping * (largest_diagonal(s) + s->roots->size);
            for (int i = 0; i < n; i++) s->normal[i * n + i] += all;
            if (!solve(s, s->slope)) continue;
            status = look(s, s->trial, &norm);
            if (status != FA_OK) return status;
            for (int i = 0; i < n && norm < INFINITY; i++) {
                before += s->slope[i] * (s->trial[i] - s->x[i]);
                after -= s->missing[i] * (s->trial[i] - s->x[i]);
            }
            // Not far beyond the minimum along the step.
            better = before > 0 && after > -0.5 * before;
            if (!better) continue;
            s->norm = norm;
            memcpy(s->x, s->trial, (size_t)n * sizeof *s->x);
        }
        if (!better) break;
        status = look(s, s->x, &s->norm);
        damping = fmax(damping, 1e-9);
    }
    return status;
}

// ---------------------------------------------------------------------------------- candidates

// Returns the number of whole turns that bring an angle as near to the start as bounds allow.
static double turns_off(const search *s, int i)
{
    const fa_roots *roots = s->roots;
    const double    turns = round((s->x[i] - s->start[i]) / (2 * PI));
    const double    most = floor((s->x[i] - roots->lower[i]) / (2 * PI));
    const double    least = ceil((s->x[i] - roots->upper[i]) / (2 * PI));
    return turns > 0 ? fmax(fmin(turns, most), 0) : fmin(fmax(turns, least), 0);
}

// Removes whole turns from angles if the result is a root, too.
static fa_status unwind(search *s)
{
    for (int i = 0; i < s->roots->n; i++) {
        const double was = s->x[i], turns = s->roots->turns[i] ? turns_off(s, i) : 0;
        double       norm;
        if (turns == 0) continue;
        s->x[i] = within(s->roots, i, was - 2 * PI * turns);
        const fa_status status = look(s, s->x, &norm);
        if (status != FA_OK) return status;
        if (norm > NEARLY) s->x[i] = was; // not periodic: a spring, or a joint that follows
    }
    return FA_OK;
}

static double distance(const search *s, const double x[])
{
    double sum = 0;
    for (int i = 0; i < s->roots->n; i++) sum += (x[i] - s->start[i]) * (x[i] - s->start[i]);
    return sqrt(sum);
}

// Moves a root along the null space of the Jacobian towards the start, as about an upright axis:
// the step is the projection of the difference to the start.
static fa_status draw_near(search *s)
{
    const int n = s->roots->n;
    for (int step = 0; step < 10; step++) {
        bool      there = false;
        fa_status status = look(s, s->x, &s->norm);
        if (status == FA_OK) status = find_slopes(s, &there);
        if (status != FA_OK || !there) return status;
        // In the space of residuals: (J J^T + 1e-12) y = missing + J (start - x), step = start - x
        // - J^T y.
        double most = 0, longest = 0, norm = INFINITY;
        for (int k = 0; k < n; k++) {
            s->slope[k] = s->missing[k];
            for (int i = 0; i < n; i++)
                s->slope[k] += s->slopes[i * n + k] * (s->start[i] - s->x[i]);
            for (int l = 0; l <= k; l++) {
                double sum = 0;
                for (int i = 0; i < n; i++) sum += s->slopes[i * n + k] * s->slopes[i * n + l];
                s->normal[k * n + l] = s->normal[l * n + k] = sum;
            }
            most = fmax(most, s->normal[k * n + k]);
        }
        if (!(most > 0)) most = 1;
        for (int k = 0; k < n; k++) s->normal[k * n + k] += 1e-11 * most;
        if (fa_cholesky_factor(n, s->normal) != FA_OK) return FA_OK;
        fa_cholesky_solve(n, s->normal, s->slope);
        for (int i = 0; i < n; i++) {
            double part = s->start[i] - s->x[i];
            for (int k = 0; k < n; k++) part -= s->slopes[i * n + k] * s->slope[k];
            s->trial[i] = within(s->roots, i, s->x[i] + part);
            longest = fmax(longest, fabs(s->trial[i] - s->x[i]));
        }
        const double was = distance(s, s->x);
        status = look(s, s->trial, &norm);
        if (status != FA_OK) return status;
        if (norm > NEARLY || !(distance(s, s->trial) < was)) return FA_OK;
        memcpy(s->x, s->trial, (size_t)n * sizeof *s->x);
        if (longest < 1e-9) return FA_OK;
    }
    return FA_OK;
}

// Refines s->x, and keeps it if it is a root nearer than the best so far.
static fa_status keep(search *s)
{
    const int n = s->roots->n;
    fa_status status = s->norm < CLOSE ? descend(s, true) : FA_OK;
    s->least = fmin(s->least, s->norm);
    if (status != FA_OK || !(s->norm <= NEARLY)) return status;
    status = unwind(s);
    if (status == FA_OK) status = draw_near(s);
    if (status == FA_OK) status = descend(s, true); // converges to rounding again
    if (status != FA_OK || !(s->norm <= NEARLY)) return status;
    const double away = distance(s, s->x);
    if (away < s->nearest) {
        s->nearest = away;
        memcpy(s->best, s->x, (size_t)n * sizeof *s->x);
    }
    return FA_OK;
}

// Chooses start `number`: the given start itself, then points around it, at a distance up to half a
// turn, but not beyond the nearest root. Multiples of the golden ratio spread the distances evenly
// for any number of starts.
static void begin(search *s, int number, uint64_t *seed)
{
    const double share = fmod(number * 0.6180339887498949, 1);
    const double most = number == 0 ? 0 : fmin(PI * (0.1 + 0.9 * share), s->nearest);
    for (int i = 0; i < s->roots->n; i++) {
        const double low = within(s->roots, i, s->start[i] - most);
        const double high = within(s->roots, i, s->start[i] + most);
        s->x[i] = fa_draw_between(seed, low, high);
    }
}

fa_status fa_nearest_root(const fa_roots *roots, double x[], double *least, double work[],
                          fa_error *error)
{
    const size_t n = (size_t)roots->n;
    search       s = {.roots = roots, .start = x, .least = INFINITY, .nearest = INFINITY};
    double     **row[] = {&s.x, &s.trial, &s.missing, &s.step, &s.slope, &s.best};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++, work += n) *row[i] = work;
    s.slopes = work;
    s.normal = s.slopes + n * n;
    s.error = error;
    *least = 0;
    uint64_t  seed = 1;
    fa_status status = FA_OK;
    for (int number = 0; number <= STARTS && status == FA_OK; number++) {
        if (number > 0 && (s.spent > SLOPES_MOST || n == 0 || s.nearest < NEARLY)) break;
        begin(&s, number, &seed);
        status = descend(&s, number % 2 == 0);
        if (status == FA_OK) status = keep(&s);
        if (status != FA_OK || number % FALLS != 0 || (number > 0 && s.nearest < INFINITY))
            continue;
        begin(&s, number, &seed);
        status = fall(&s);
        if (status == FA_OK) status = descend(&s, number % 2 == 0);
        if (status == FA_OK) status = keep(&s);
    }
    if (status != FA_OK) return status;
    if (s.nearest < INFINITY)
        memcpy(x, s.best, n * sizeof *x);
    else
        *least = s.least * roots->size;
    return FA_OK;
}
