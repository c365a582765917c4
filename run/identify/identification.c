// Steps of an identification: filter, columns, base parameters, weighted least squares.
#include "identification.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "dense.h"
#include "finite.h"
#include "least_squares.h"
#include "number.h"
#include "zero_phase.h"

enum { EACH = FA_REGRESSOR_COLUMNS };

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for a log of this length; give a shorter one");
}

// ------------------------------------------------------------------------------------------ names

static const fa_arm_joint *joint_at(const fa_arm *arm, int coordinate)
{
    return &arm->joint[fa_arm_independent_body(arm, coordinate)];
}

fa_parameter_name fa_identified_name(const fa_arm_dynamics *dynamics, int parameter)
{
    static const char *const of_joint[FA_EXTRAS] = {"rotor_inertia", "viscous_friction",
                                                    "coulomb_friction"};
    const fa_arm            *arm = dynamics->arm;
    const int                links = arm->n_links * EACH, n = arm->chain.n_coordinates;
    fa_parameter_name        name = {""};
    if (parameter < links) {
        (void)snprintf(name.text, sizeof name.text, "link.%s.%s", arm->link[parameter / EACH].name,
                       fa_regressor_names[parameter % EACH]);
        return name;
    }
    (void)snprintf(name.text, sizeof name.text, "joint.%s.%s",
                   joint_at(arm, (parameter - links) % n)->given.name,
                   of_joint[(parameter - links) / n]);
    return name;
}

// --------------------------------------------------------------------------------------- columns

// Returns the ratio of friction speed to joint speed: the gear ratio, where the motor's side rubs.
static double friction_side(const fa_arm_joint *joint)
{
    return joint->friction.on_motor ? joint->rotor.gear : 1;
}

// Computes the torques of joint i as linear functions of all parameters, at this motion.
void fa_identification_columns(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                               const double q[], const double qd[], const double qdd[],
                               int n_parameters, double Y[])
{
    const fa_arm *arm = dynamics->arm;
    const int     n = arm->chain.n_coordinates, width = EACH * arm->n_links;
    double       *value = dynamics->state->value;
    memcpy(value + arm->row[FA_ARM_POSITION], q, (size_t)n * sizeof *q);
    memcpy(value + arm->row[FA_ARM_VELOCITY], qd, (size_t)n * sizeof *q);
    memcpy(value + arm->row[FA_ARM_ACCELERATION], qdd, (size_t)n * sizeof *q);
    fa_arm_regressor_find(dynamics, regressor);
    memset(Y, 0, (size_t)(n * n_parameters) * sizeof *Y);
    for (int i = 0; i < n; i++) {
        double *row = Y + i * n_parameters, *extra = row + width + i;
        memcpy(row, regressor->Y + i * width, (size_t)width * sizeof *row);
        const fa_arm_joint *joint = joint_at(arm, i);
        const double        gear = joint->rotor.gear, side = friction_side(joint);
        extra[FA_EXTRA_ROTOR * n] = gear * gear * qdd[i];
        extra[FA_EXTRA_VISCOUS * n] = side * side * qd[i];
        extra[FA_EXTRA_COULOMB * n] = fabs(side) * ((qd[i] > 0) - (qd[i] < 0));
    }
}

// Computes the torques that are not identified: springs, dampers, drag, friction of followers, the
// difference between the two directions, and everything else that inverse dynamics includes. They
// are the result of inverse dynamics, less the product of the columns Y and the nominal parameters.
// wrench: what pushes on the tip; NULL: as the state has it.
static fa_status find_known(const fa_arm_dynamics *dynamics, const fa_identification *of,
                            const double Y[], const double qd[], const double wrench[],
                            double known[], fa_error *error)
{
    const int     n = of->n, p = of->n_parameters, coulomb = p - n;
    const double *torque = dynamics->state->value + dynamics->first;
    double       *tip = dynamics->state->value + dynamics->arm->row[FA_ARM_TIP_WRENCH];
    double        before[FA_WRENCH_SIZE] = {0};
    if (wrench) {
        memcpy(before, tip, sizeof before);
        memcpy(tip, wrench, sizeof before);
    }
    fa_status status = fa_state_evaluate(dynamics->state, FA_GROUP_DERIVATIVES, error);
    if (wrench) memcpy(tip, before, sizeof before);
    for (int i = 0; i < n && status == FA_OK; i++) {
        known[i] = torque[i];
        for (int k = 0; k < coulomb; k++) known[i] -= Y[i * p + k] * of->drawing[k];
        // Inverse dynamics smooths Coulomb friction over a width; its column is a step.
        const fa_arm_joint *joint = joint_at(dynamics->arm, i);
        const double        side = friction_side(joint);
        if (of->drawing[coulomb + i] != 0)
            known[i] -=
                of->drawing[coulomb + i] * side * tanh(side * qd[i] / joint->friction.width);
    }
    return status;
}

static uint64_t drawn(uint64_t *seed) // SplitMix64 (Steele, Lea and Flood 2014)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

// Finds pivots and combinations of the base parameters from random states.
fa_status fa_identification_base(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                                 fa_identification *to, fa_error *error)
{
    to->n = dynamics->arm->chain.n_coordinates;
    to->n_links = dynamics->arm->n_links;
    to->n_parameters = EACH * to->n_links + FA_EXTRAS * to->n;
    if (to->n == 0)
        return fa_fail(error, FA_UNFIT, dynamics->state->source, FA_NOWHERE,
                       "no joint of this robot moves, and no motion tells of its masses; give a "
                       "robot whose joints move");
    const int n = to->n, p = to->n_parameters, states = 4 * p / n + 20, rows = states * n;
    uint64_t  seed = 1;
    double   *A = malloc((size_t)rows * (size_t)p * sizeof *A);
    double   *Q = malloc((size_t)rows * (size_t)(p + 1) * sizeof *Q);
    double   *motion = malloc(3 * (size_t)n * sizeof *motion);
    to->pivot = calloc((size_t)p, sizeof *to->pivot);
    to->combination = calloc((size_t)p * (size_t)p, sizeof *to->combination);
    const bool memory = A && Q && motion && to->pivot && to->combination;
    for (int k = 0; k < states && memory; k++) {
        for (int i = 0; i < 3 * n; i++)
            motion[i] = 4 * ((double)(drawn(&seed) >> 11) * 0x1p-53) - 2;
        fa_identification_columns(dynamics, regressor, motion, motion + n, motion + 2 * n, p,
                                  A + k * n * p);
    }
    if (memory) to->rank = fa_dense_pivots(rows, p, A, 1e-9, to->pivot, to->combination, Q);
    free(A);
    free(Q);
    free(motion);
    return memory ? FA_OK : no_memory(error);
}

// ---------------------------------------------------------------------------------- filtered logs

// Differentiates the filtered signal by central differences.
static void differentiate(const fa_motion_log *log, const double q[], int order, double to[])
{
    const int n = log->n;
    for (size_t k = 0; k < log->n_samples; k++) {
        const size_t at = k == 0 ? 1 : k + 1 == log->n_samples ? k - 1 : k;
        for (int i = 0; i < n; i++) {
            const double a = q[(at - 1) * (size_t)n + (size_t)i], b = q[at * (size_t)n + (size_t)i],
                         c = q[(at + 1) * (size_t)n + (size_t)i];
            to[k * (size_t)n + (size_t)i] =
                order == 1 ? (c - a) / (2 * log->step) : (c - 2 * b + a) / (log->step * log->step);
        }
    }
}

static double usual_cutoff(const fa_motion_log *log, double scratch[])
{
    const double nyquist = 0.5 / log->step;
    double       most = 0;
    double      *one = scratch + 4 * log->n_samples + 8;
    for (int i = 0; i < log->n; i++) {
        for (size_t k = 0; k < log->n_samples; k++) one[k] = log->q[k * (size_t)log->n + (size_t)i];
        most = fmax(most, fa_power_below(log->n_samples, one, log->step, 0.999, scratch));
    }
    return fmin(0.8 * nyquist, fmax(10 * most, 4 / (log->step * (double)log->n_samples)));
}

// Marks the samples of joint i that are used: away from the ends, where the filter has not settled,
// and away from reversals, where friction departs from Coulomb's law.
static void mark(const fa_motion_log *log, const double qd[], int i, double cutoff, bool counts[])
{
    const size_t n = log->n_samples, turn = (size_t)(0.2 / log->step);
    size_t       edge = (size_t)(1 / (cutoff * log->step));
    if (edge > n / 8) edge = n / 8;
    for (size_t k = 0; k < n; k++) counts[k] = k >= edge && k + edge < n;
    for (size_t k = 1; k < n; k++) {
        const double before = qd[(k - 1) * (size_t)log->n + (size_t)i];
        const double now = qd[k * (size_t)log->n + (size_t)i];
        if ((before > 0) == (now > 0)) continue;
        for (size_t at = k > turn ? k - turn : 0; at < n && at < k + turn; at++) counts[at] = false;
    }
}

static void free_equations(fa_log_equations *e)
{
    free(e->A);
    free(e->b);
    free(e->time);
    free(e->joint);
    free(e->adjacent);
}

// Builds the rows of base columns of a log, with the same filter as its torques.
static fa_status find_equations(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                                const fa_motion_log *log, const fa_identification *of,
                                fa_log_equations *to, fa_error *error)
{
    const int    n = of->n, p = of->n_parameters, rank = of->rank;
    const size_t N = log->n_samples, un = (size_t)n, all = N * un, r = (size_t)rank;
    const size_t every = (size_t)fmax(1, floor(0.5 / (of->cutoff * log->step)));
    double      *q = malloc(all * sizeof *q), *qd = calloc(all, sizeof *q),
           *qdd = calloc(all, sizeof *q), *tau = malloc(all * sizeof *q),
           *Y = malloc((size_t)(n * p) * sizeof *Y), *B = malloc(all * r * sizeof *B),
           *scratch = malloc((3 * N + 8) * sizeof *scratch),
           *known = malloc((un + 1) * sizeof *known);
    bool  *counts = malloc(N * sizeof *counts);
    size_t rows = 0;
    *to = (fa_log_equations){0};
    to->A = malloc((all / every + 2 * un) * r * sizeof *to->A);
    to->b = malloc((all / every + 2 * un) * sizeof *to->b);
    to->time = malloc((all / every + 2 * un) * sizeof *to->time);
    to->joint = malloc((all / every + 2 * un) * sizeof *to->joint);
    to->adjacent = malloc((all / every + 2 * un) * sizeof *to->adjacent);
    fa_status status = q && qd && qdd && tau && Y && B && scratch && known && counts && to->A &&
                               to->b && to->time && to->joint && to->adjacent
                           ? FA_OK
                           : no_memory(error);
    if (status == FA_OK) {
        memcpy(q, log->q, all * sizeof *q);
        memcpy(tau, log->tau, all * sizeof *tau);
        for (size_t i = 0; i < un; i++) fa_zero_phase(N, un, log->step, of->cutoff, q + i, scratch);
        differentiate(log, q, 1, qd);
        differentiate(log, q, 2, qdd);
        if (log->qd) {
            memcpy(qd, log->qd, all * sizeof *qd);
            for (size_t i = 0; i < un; i++)
                fa_zero_phase(N, un, log->step, of->cutoff, qd + i, scratch);
        }
        if (log->qdd) {
            memcpy(qdd, log->qdd, all * sizeof *qdd);
            for (size_t i = 0; i < un; i++)
                fa_zero_phase(N, un, log->step, of->cutoff, qdd + i, scratch);
        }
        for (size_t k = 0; k < N && status == FA_OK; k++) {
            fa_identification_columns(dynamics, regressor, q + k * un, qd + k * un, qdd + k * un, p,
                                      Y);
            status =
                find_known(dynamics, of, Y, qd + k * un,
                           log->wrench ? log->wrench + k * FA_WRENCH_SIZE : NULL, known, error);
            for (size_t i = 0; i < un && status == FA_OK; i++) tau[k * un + i] -= known[i];
            for (int i = 0; i < n; i++)
                for (int c = 0; c < rank; c++)
                    B[((size_t)i * r + (size_t)c) * N + k] = Y[i * p + of->pivot[c]];
        }
        for (size_t c = 0; c < un * r; c++)
            fa_zero_phase(N, 1, log->step, of->cutoff, B + c * N, scratch);
        for (size_t i = 0; i < un; i++)
            fa_zero_phase(N, un, log->step, of->cutoff, tau + i, scratch);
        for (int i = 0; i < n; i++) {
            bool before = false;
            mark(log, qd, i, of->cutoff, counts);
            for (size_t k = 0; k < N; k += every) {
                if (!counts[k]) {
                    before = false;
                    continue;
                }
                for (int c = 0; c < rank; c++)
                    to->A[rows * r + (size_t)c] = B[((size_t)i * r + (size_t)c) * N + k];
                to->b[rows] = tau[k * un + (size_t)i];
                to->time[rows] = log->step * (double)k;
                to->joint[rows] = i;
                to->adjacent[rows++] = before;
                before = true;
            }
        }
        to->rows = rows;
    }
    free(q), free(qd), free(qdd), free(tau), free(Y), free(B), free(scratch), free(known),
        free(counts);
    return status;
}

// ---------------------------------------------------------------------------------- everything

void fa_identification_drawing(const fa_arm_dynamics *dynamics, const fa_identification *to,
                               double drawing[])
{
    const fa_arm *arm = dynamics->arm;
    const double *value = dynamics->state->value;
    for (int l = 0; l < to->n_links; l++) {
        const fa_arm_mass m = fa_arm_mass_at(value, arm->link[l].row);
        fa_mass_parameters(m.mass, m.com, m.inertia, drawing + l * EACH);
    }
    for (int i = 0; i < to->n; i++) {
        const fa_arm_joint *joint = joint_at(arm, i);
        double             *extra = drawing + to->n_links * EACH + i;
        extra[FA_EXTRA_ROTOR * to->n] = joint->rotor.inertia;
        extra[FA_EXTRA_VISCOUS * to->n] = joint->friction.viscous;
        extra[FA_EXTRA_COULOMB * to->n] = // mean of both directions; the difference is known
            0.5 * (joint->friction.coulomb + joint->friction.coulomb_negative);
    }
}

static void find_validation(const fa_log_equations *e, const fa_identification *of, double rms[])
{
    const int rank = of->rank, p = of->n_parameters;
    double   *base = calloc((size_t)rank + 1, sizeof *base);
    for (int c = 0; c < rank && base; c++)
        for (int k = 0; k < p; k++) base[c] += of->combination[c * p + k] * of->value[k];
    for (int i = 0; i < of->n && base; i++) {
        double sum = 0, count = 0;
        for (size_t k = 0; k < e->rows; k++) {
            if (e->joint[k] != i) continue;
            const double rest = fa_residual(e, k, rank, base);
            sum += rest * rest;
            count++;
        }
        rms[i] = count > 0 ? sqrt(sum / count) : NAN;
    }
    free(base);
}

// Computes the amplitudes of the residuals at frequencies up to the cutoff: Fourier sums over the
// kept samples, which are not equally spaced where turns are left out.
static void find_spectrum(const fa_log_equations *e, fa_identification *to)
{
    const double pi = 3.14159265358979324;
    for (size_t k = 0; k < e->rows; k++) {
        const double rest = fa_residual(e, k, to->rank, to->base);
        double      *at = to->spectrum + e->joint[k] * FA_SPECTRUM_LINES;
        double      *odd = at + to->n * FA_SPECTRUM_LINES;
        to->rows[e->joint[k]]++;
        for (int f = 0; f < FA_SPECTRUM_LINES; f++) {
            const double angle = 2 * pi * e->time[k] * fa_spectrum_frequency(to, f);
            at[f] += rest * cos(angle);
            odd[f] += rest * sin(angle);
        }
    }
    for (int i = 0; i < to->n * FA_SPECTRUM_LINES; i++)
        to->spectrum[i] = 2 * hypot(to->spectrum[i], to->spectrum[to->n * FA_SPECTRUM_LINES + i]) /
                          fmax(1, to->rows[i / FA_SPECTRUM_LINES]);
}

// Finds the base parameter that is farthest outside its interval in the result, and what keeps it
// there.
static void find_bound(fa_identification *to)
{
    double most = 1;
    to->outside = to->bound = -1;
    for (int b = 0; b < to->rank; b++) {
        double value = 0;
        if (!to->excited[b]) continue;
        for (int k = 0; k < to->n_parameters; k++)
            value += to->combination[b * to->n_parameters + k] * to->value[k];
        const double off = fabs(value - to->base[b]) / (FA_TWO_SIDED * to->base_sd[b]);
        if (!(off > most)) continue;
        most = off;
        to->outside = b;
        to->outside_value = value;
    }
    if (to->outside >= 0) to->bound = fa_nearest_bound(to, to->outside);
}

static fa_status find_all(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                          const fa_motion_log *log, const fa_motion_log *validate,
                          const fa_identification_options *how, fa_identification *to,
                          fa_error *error)
{
    double          *scratch = malloc((6 * log->n_samples + 16) * sizeof *scratch);
    fa_log_equations e = {0}, check = {0};
    fa_status        status = fa_identification_base(dynamics, regressor, to, error);
    const size_t     p = (size_t)to->n_parameters, n = (size_t)to->n;
    const size_t     rank = (size_t)to->rank;
    to->drawing = calloc(p, sizeof(double));
    to->value = calloc(p, sizeof(double));
    to->sd = calloc(p, sizeof(double));
    to->by_data = calloc(p, sizeof(bool));
    to->noise = calloc(n, sizeof(double));
    to->validation = calloc(n, sizeof(double));
    to->rows = calloc(n, sizeof(double));
    to->spectrum = calloc(2 * n * FA_SPECTRUM_LINES, sizeof(double));
    to->base = calloc(rank + 1, sizeof(double));
    to->base_sd = calloc(rank + 1, sizeof(double));
    to->excited = calloc(rank + 1, sizeof(bool));
    to->normal = calloc(rank * rank + 1, sizeof(double));
    double *base = calloc(rank + 1, sizeof(double));
    if (status == FA_OK && !(scratch && to->drawing && to->value && to->sd && to->by_data &&
                             to->noise && to->validation && to->rows && to->spectrum && to->base &&
                             to->base_sd && to->excited && to->normal && base))
        status = no_memory(error);
    if (status == FA_OK) {
        fa_identification_drawing(dynamics, to, to->drawing);
        to->cutoff = isnan(how->cutoff) ? usual_cutoff(log, scratch) : how->cutoff;
        for (size_t c = 0; c < rank; c++)
            for (size_t k = 0; k < p; k++) base[c] += to->combination[c * p + k] * to->drawing[k];
        status = find_equations(dynamics, regressor, log, to, &e, error);
    }
    if (status == FA_OK && e.rows < 2 * rank)
        status =
            fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                    "the log leaves %zu samples beside turns for %zu parameters; record a longer "
                    "motion",
                    e.rows, rank);
    if (status == FA_OK) status = fa_least_squares(&e, base, how->robust, to, error);
    if (status == FA_OK) {
        int worst;
        memcpy(to->value, to->drawing, p * sizeof(double));
        status = fa_make_physical(to, how->prior, to->value, to->sd, to->by_data, &to->rounds,
                                  &worst, error);
        if (worst >= 0)
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                             "link '%s' has masses in the drawing that no body has, and the log is "
                             "held against them; correct the drawing, or say with --prior by which "
                             "share of its mass and moments it may be thickened, such as 0.01",
                             dynamics->arm->link[worst].name);
    }
    if (status == FA_OK) {
        find_spectrum(&e, to);
        find_bound(to);
    }
    if (status == FA_OK && validate) {
        status = find_equations(dynamics, regressor, validate, to, &check, error);
        if (status == FA_OK) find_validation(&check, to, to->validation);
    } else if (status == FA_OK) {
        find_validation(&e, to, to->validation);
    }
    free(base);
    free(scratch);
    free_equations(&e);
    free_equations(&check);
    return status;
}

fa_status fa_identify(const fa_arm_dynamics *dynamics, const fa_motion_log *log,
                      const fa_motion_log *validate, const fa_identification_options *how,
                      fa_identification *found, fa_error *error)
{
    fa_arm_regressor regressor;
    *found = (fa_identification){0};
    fa_status status = fa_arm_regressor_new(dynamics, &regressor, error);
    if (status == FA_OK) status = find_all(dynamics, &regressor, log, validate, how, found, error);
    fa_arm_regressor_free(&regressor);
    return status;
}

void fa_identification_free(fa_identification *found)
{
    void *const all[] = {found->pivot,   found->combination, found->base,  found->base_sd,
                         found->excited, found->normal,      found->noise, found->validation,
                         found->drawing, found->value,       found->sd,    found->by_data,
                         found->rows,    found->spectrum};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}
