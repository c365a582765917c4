// Builds the expression graph of one arm and writes special.c.
#include "specialise.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "emit.h"
#include "fast.h"
#include "jacobians.h"
#include "methods.h"
#include "number.h"

// Limit of operations per joint: beyond it the general methods are faster, which take four bodies
// at a time and some 40 ns for each (measured in docs/performance.md).
#define MOST_PER_JOINT 330

// Limits of operations of derivatives: so many take as long as fast_jacobians.h, some 64 ns for
// each joint in a row, or as the readable ones of other chains, some 300 ns. More than the last
// number takes compilers too long. One operation takes 0.15 to 0.18 ns.
#define MOST_OF_DERIVATIVES          350
#define MOST_OF_DERIVATIVES_OF_TREES 1700
#define MOST_IN_ALL                  30000

// A version without zero parameters is worth its code if it saves this share of operations.
#define WORTH 0.05

// ---------------------------------------------------------------------------------------- checking

// SplitMix64 (Steele, Lea and Flood 2014).
static double between(uint64_t *seed, double low, double high)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return low + (high - low) * ((double)((z ^ z >> 31) >> 11) * 0x1p-53);
}

void fa_special_trial(const fa_chain *chain, int number, double q[], double qd[], double tau[])
{
    uint64_t seed = (uint64_t)number << 32;
    for (int i = 0; i < chain->n; i++) {
        const double far = fa_joint_is_linear(chain->body[i].joint) ? 1 : 3.2; // [m], [rad]
        q[i] = between(&seed, -far, far);
        qd[i] = between(&seed, -3, 3);
        tau[i] = between(&seed, -50, 50);
    }
}

double fa_special_apart(const fa_chain *chain, const double q[], const double qd[],
                        const double tau[], const double qdd[])
{
    const size_t n = (size_t)chain->n;
    const double still[FA_SPECIAL_MAX] = {0};
    double       got[FA_SPECIAL_MAX], bias[FA_SPECIAL_MAX], largest = 0, apart = 0;
    double      *M = calloc(n * n + 1, sizeof *M);
    void        *work = malloc(fa_newton_euler_work_size(chain));
    if (!M || !work || fa_newton_euler_inverse(chain, q, qd, qdd, NULL, got, work) != FA_OK ||
        fa_newton_euler_inverse(chain, q, qd, still, NULL, bias, work) != FA_OK ||
        fa_newton_euler_mass_matrix(chain, q, M, work) != FA_OK)
        apart = NAN;
    for (size_t i = 0; i < n && apart == apart; i++) {
        double size = fabs(bias[i]) + fabs(tau[i]);
        for (size_t j = 0; j < n; j++) size += fabs(M[i * n + j] * qdd[j]);
        largest = fmax(largest, size);
        apart = fmax(apart, fabs(got[i] - tau[i]));
        if (!isfinite(got[i])) apart = NAN;
    }
    free(M);
    free(work);
    return largest > 0 ? apart / largest : apart;
}

// Returns the largest element of M X + D, relative to the largest sum of its terms' magnitudes, or
// to `largest`.
static double imbalance(size_t n, const double M[], const double X[], const double D[],
                        double largest)
{
    double apart = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = D[i * n + j], size = fabs(sum);
            for (size_t k = 0; k < n; k++) {
                sum += M[i * n + k] * X[k * n + j];
                size += fabs(M[i * n + k] * X[k * n + j]);
            }
            if (!isfinite(sum)) return INFINITY;
            largest = fmax(largest, size);
            apart = fmax(apart, fabs(sum));
        }
    return largest > 0 ? apart / largest : apart;
}

double fa_special_jacobian_apart(const fa_chain *chain, const double q[], const double qd[],
                                 const double qdd[], const double jacobian[])
{
    const size_t       n = (size_t)chain->n, nn = n * n;
    const fa_load_turn still = {NULL};
    double            *matrix = calloc(4 * nn + 1, sizeof *matrix), apart = NAN;
    void              *work = malloc(fa_jacobians_work_size(chain));
    if (matrix && work) {
        double *by_q = matrix, *by_qd = by_q + nn, *M = by_qd + nn, *unit = M + nn;
        fa_inverse_jacobians(chain, q, qd, qdd, NULL, still, (fa_jacobians){by_q, by_qd, M}, work);
        for (size_t i = 0; i < n; i++) unit[i * n + i] = -1;
        double torque = 0; // derivatives may cancel exactly, as of a pendulum by its speed
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += fabs(M[i * n + k] * qdd[k]);
            torque = fmax(torque, sum);
        }
        apart = fmax(imbalance(n, M, jacobian, by_q, torque),
                     imbalance(n, M, jacobian + nn, by_qd, torque));
        apart = fmax(apart, imbalance(n, M, jacobian + 2 * nn, unit, 1));
    }
    free(matrix);
    free(work);
    return apart;
}

static double jacobian_apart(const fa_equations *equations, const double value[],
                             const fa_chain *chain, const double q[], const double qd[],
                             const double qdd[])
{
    const size_t n = 3 * (size_t)chain->n * (size_t)chain->n;
    double      *jacobian = calloc(n + 1, sizeof *jacobian);
    if (!jacobian) return NAN;
    fa_equations_jacobian(equations, value, jacobian);
    const double apart = fa_special_jacobian_apart(chain, q, qd, qdd, jacobian);
    free(jacobian);
    return apart;
}

// Checks the evaluated graph against the readable methods.
static fa_status check(const fa_special_version *version, const fa_chain *chain, fa_error *error)
{
    double  parameter[FA_SPECIAL_PER_BODY * FA_SPECIAL_MAX + 3];
    double  q[FA_SPECIAL_MAX], qd[FA_SPECIAL_MAX], tau[FA_SPECIAL_MAX], qdd[FA_SPECIAL_MAX];
    double  s[FA_SPECIAL_MAX], c[FA_SPECIAL_MAX];
    double *value = malloc((size_t)version->graph.n * sizeof *value);
    if (!value) return FA_NO_MEMORY;
    const fa_equations *equations = &version->equations;
    const double *const input[FA_INPUT_COUNT] = {parameter, q, qd, tau, s, c, tau};
    fa_status           status = FA_OK;
    fa_special_parameters(chain, parameter);
    for (int trial = 0; trial < FA_SPECIAL_TRIALS && status == FA_OK; trial++) {
        fa_special_trial(chain, trial, q, qd, tau);
        for (int i = 0; i < chain->n; i++) {
            s[i] = sin(q[i]);
            c[i] = cos(q[i]);
        }
        fa_graph_evaluate(&version->graph, input, value);
        for (int i = 0; i < chain->n; i++) qdd[i] = value[equations->qdd[i]];
        double apart = fa_special_apart(chain, q, qd, tau, qdd);
        // Any accelerations will do: use the torques' numbers.
        if (apart <= FA_SPECIAL_APART && equations->slopes)
            apart = jacobian_apart(equations, value, chain, q, qd, tau);
        if (apart <= FA_SPECIAL_APART) continue;
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                         "its equations for this arm and the readable methods differ by %s of the "
                         "largest torque, more than rounding explains",
                         fa_number_text(apart).text);
    }
    free(value);
    return status;
}

// ----------------------------------------------------------------------------------------- writing

static fa_status write_version(const fa_chain *chain, bool zeros, fa_special_version *version,
                               int *n_operations)
{
    version->zeros = zeros;
    version->graph = fa_expressions_new();
    fa_equations_write(&version->graph, chain, zeros, &version->equations);
    *n_operations = fa_equations_operations(&version->graph, &version->equations);
    return *n_operations < 0 ? FA_NO_MEMORY : FA_OK;
}

// Builds derivatives if they are worth it.
static fa_status write_derivatives(const fa_chain *chain, fa_special_version *version,
                                   int *n_operations)
{
    fa_equations *equations = &version->equations;
    fa_status     status =
        fa_equations_differentiate(&version->graph, chain, version->zeros, equations);
    if (status != FA_OK) return status;
    *n_operations = fa_slopes_operations(&version->graph, equations);
    if (*n_operations < 0) return FA_NO_MEMORY;
    const bool in_lanes = !chain->branched && chain->n <= FA_FAST_COMPOSITE_MAX;
    const int  most = in_lanes ? MOST_OF_DERIVATIVES : MOST_OF_DERIVATIVES_OF_TREES;
    if (*n_operations <= most * chain->n && *n_operations <= MOST_IN_ALL) return FA_OK;
    free(equations->slopes);
    equations->slopes = NULL;
    *n_operations = 0;
    return FA_OK;
}

static fa_status refuse(const fa_chain *chain, fa_error *error)
{
    const char *why = NULL;
    if (chain->coupled) why = "some of its joints follow others";
    if (chain->screws) why = "some of its joints are screws";
    if (chain->base_moves) why = "its ground moves";
    if (chain->n == 0) why = "it has no joints";
    if (chain->n > FA_SPECIAL_MAX) why = "it has more joints than such code is written for";
    if (!why) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "%s", why);
}

fa_status fa_specialise(const fa_chain *chain, const char *name, fa_specialised *code,
                        fa_error *error)
{
    fa_special_version version[FA_SPECIAL_VERSIONS] = {{.zeros = false}};
    int                dense, sparse, n = 0;
    *code = (fa_specialised){.text = NULL};
    fa_status status = refuse(chain, error);
    if (status != FA_OK) return status;

    status = write_version(chain, true, &version[0], &sparse);
    if (status == FA_OK) status = write_version(chain, false, &version[1], &dense);
    if (status == FA_OK) {
        const bool both = sparse < (1 - WORTH) * dense;
        code->n_operations = both ? sparse : dense;
        n = both ? 2 : 1;
        if (code->n_operations > MOST_PER_JOINT * chain->n)
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                             "code for it would be slower than the general method (%d operations)",
                             code->n_operations);
        fa_special_version *first = &version[FA_SPECIAL_VERSIONS - n];
        for (int v = n - 1; v >= 0 && status == FA_OK; v--)
            status = write_derivatives(chain, &first[v], &code->n_jacobian_operations);
        for (int v = 0; v < n && status == FA_OK; v++) status = check(&first[v], chain, error);
        if (status == FA_OK) status = fa_emit(first, n, chain, name, &code->text, &code->size);
    }
    for (int v = 0; v < FA_SPECIAL_VERSIONS; v++) {
        free(version[v].equations.slopes);
        fa_expressions_free(&version[v].graph);
    }
    if (status == FA_NO_MEMORY)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "there is not enough memory for code for one arm");
    return status;
}

void fa_specialised_free(fa_specialised *code)
{
    free(code->text);
    *code = (fa_specialised){.text = NULL};
}
