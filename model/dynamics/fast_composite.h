// Forward dynamics of a chain in a row by composite rigid bodies, in one fixed frame, four bodies
// at a time. Composite bodies as in composite_body.c (Walker and Orin 1982, method 3); the factors
// are those of R. Featherstone, "Rigid Body Dynamics Algorithms" (2008), section 6.5: H = L^T D L
// from the tip, whose pivots D are the articulated inertias.
//
//     here     Featherstone's
//     Z, S     S_i    the joint's axis: turning, and the velocity of the frame's origin
//     I, h, m  I_i    tensor about the frame's origin, first moment, mass; then I_i^c
//     FZ, FS   F      moment and force that a unit acceleration of joint i needs
//     w, v     v_i    angular velocity, velocity of the frame's origin
//     al, a    a_i    accelerations at qdd = 0, with gravity
//
// Included twice by fast_kernel.h, which defines COMPOSITE(name) and UNROLLED_IF_KNOWN. Every
// function is inlined into callers for which slides is a constant, and n if it is known.
#ifndef FA_FAST_COMPOSITE_H
#define FA_FAST_COMPOSITE_H

#include "fast_frames.h"

enum { LONGEST = FA_FAST_COMPOSITE_MAX, MOST_GROUPS = LONGEST / 4 };

typedef double lower_rows[LONGEST][LONGEST];

// The forces that the motion needs when no joint accelerates, as they come about.
typedef struct bias {
    motions m; // of the four bodies that were last
    forces  needed[MOST_GROUPS];
    forces  beyond;        // sum of those further out
    double  rest[LONGEST]; // of tau, after what the joints feel of them
} bias;

#endif

// H = L^T D L in place: rows of the lower triangle, L left of the diagonal, D inverted on it. This
// is row k, from the last on. Short rows are changed one number at a time, long ones four. The next
// pivot waits for one division and one sum after it: the product that is taken from it is ready.
ALWAYS void COMPOSITE(factor_row)(const int n, const int k, lower_rows H)
{
    double      *row = H[k];
    const double inverse = 1 / row[k];
    UNROLLED_IF_KNOWN
    for (int i = 0; i < k; i++) {
        const double l = row[i] * inverse;
        if (n <= 8) {
            UNROLLED_IF_KNOWN
            for (int j = 0; j < i; j++) H[i][j] -= l * row[j];
            H[i][i] -= row[i] * row[i] * inverse;
        } else { // what lies right of the diagonal is never read
            for (int j = 0; j <= i; j += 4)
                quad_store(&H[i][j], quad_load(&H[i][j]) - l * quad_load(&row[j]));
        }
    }
    UNROLLED_IF_KNOWN
    for (int i = 0; i < k; i++) row[i] *= inverse;
    row[k] = inverse;
}

// L^T D L x = b in place.
ALWAYS void COMPOSITE(solve)(const int n, lower_rows H, double b[])
{
    UNROLLED_IF_KNOWN
    for (int k = n - 1; k > 0; k--) {
        UNROLLED_IF_KNOWN
        for (int i = 0; i < k; i++) b[i] -= H[k][i] * b[k];
    }
    UNROLLED_IF_KNOWN
    for (int k = 0; k < n; k++) b[k] *= H[k][k];
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++) {
        UNROLLED_IF_KNOWN
        for (int k = i + 1; k < n; k++) b[k] -= H[k][i] * b[i];
    }
}

// Step number `step` of 3 for each four bodies: how they move, from the ground on; which forces
// that needs; and, back from the tip, what the joints feel of them.
ALWAYS void COMPOSITE(add_to_bias)(bias *to, const int step, const fa_fast *fast, const int n,
                                   const bool slides, const frame f[], const screws s[],
                                   const inertias body[], const double qd[], const double tau[],
                                   const fa_load *load)
{
    const int n_groups = (n + 3) / 4, back = step - 2 * n_groups;
    const int g = back < 0 ? step / 2 : n_groups - 1 - back;
    const int first = 4 * g;
    if (back >= 0) {
        const quad3 N = quad3_add(quad3_sums_back(to->needed[g].N), quad3_first(to->beyond.N));
        const quad3 F = quad3_add(quad3_sums_back(to->needed[g].F), quad3_first(to->beyond.F));
        const quad  felt = quad3_dot(s[g].Z, N) + quad3_dot(s[g].S, F);
        quad_store(&to->rest[first], quad_load_some(tau + first, n - first) - felt);
        to->beyond = (forces){N, F};
    } else if (step % 2 == 0) {
        to->m = motions_in_a_row(&s[g], quad_load_some(qd + first, n - first), &to->m);
    } else {
        to->needed[g] =
            forces_beside(load, fast, first, &f[first], forces_of(&body[g], slides, &to->m));
    }
}

ALWAYS fa_status COMPOSITE(composite)(const fa_fast *fast, const int n, const bool slides,
                                      const double q[], const double qd[], const double tau[],
                                      const fa_load *load, double qdd[])
{
    const int  n_groups = (n + 3) / 4;
    const quad zero = {0, 0, 0, 0};

    // Frames, one after the other.
    turned_axes turned[MOST_GROUPS];
    frame       f[LONGEST];
    quad_bits   near = {-1, -1, -1, -1};
    UNROLLED_IF_KNOWN
    for (int g = 0; g < n_groups; g++)
        turn_axes(&fast->group[g], slides, quad_load_some(q + 4 * g, n - 4 * g), &turned[g], &near);
    frame last = fixed_frame();
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++)
        f[i] = last = frame_of(&fast->group[i / 4], &turned[i / 4], slides, i % 4, last);
    // Seen from a joint in the middle, all others are nearer: errors are half as large.
    const quad center = f[n / 2].origin;
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++) f[i].origin -= center;
    for (int i = n; i < 4 * n_groups; i++) f[i] = (frame){zero, zero, zero, zero};

    // Inertias of the bodies, then of each with all that it carries.
    screws   s[MOST_GROUPS];
    inertias body[MOST_GROUPS];
    UNROLLED_IF_KNOWN
    for (int g = 0; g < n_groups; g++) {
        const frames here = frames_of(&f[4 * g]);
        s[g] = screws_of(&fast->group[g], slides, &here);
        body[g] = inertias_of(&fast->group[g], slides, &here);
    }
    double   FZ[3][LONGEST], FS[3][LONGEST];
    inertias beyond = {{zero, zero, zero, zero, zero, zero}, {zero, zero, zero}, zero};
    UNROLLED_IF_KNOWN
    for (int g = n_groups - 1; g >= 0; g--) {
        const inertias *b = &body[g];
        inertias        all = {
                   {quad_sums_back(b->I.xx) + beyond.I.xx, quad_sums_back(b->I.yy) + beyond.I.yy,
                    quad_sums_back(b->I.zz) + beyond.I.zz, quad_sums_back(b->I.xy) + beyond.I.xy,
                    quad_sums_back(b->I.xz) + beyond.I.xz, quad_sums_back(b->I.yz) + beyond.I.yz},
                   {quad_sums_back(b->h.x) + beyond.h.x, quad_sums_back(b->h.y) + beyond.h.y,
                    quad_sums_back(b->h.z) + beyond.h.z},
                   zero};
        if (slides) all.m = quad_sums_back(b->m) + beyond.m;
        const quad3 moment = quad3_add(quad_sym3_mul(all.I, s[g].Z), quad3_cross(all.h, s[g].S));
        quad3       force = quad3_cross(s[g].Z, all.h);
        if (slides) force = quad3_add(force, quad3_scale(all.m, s[g].S));
        const quad six[6] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
        UNROLLED_IF_KNOWN
        for (int k = 0; k < 3; k++) {
            quad_store(&FZ[k][4 * g], six[k]);
            quad_store(&FS[k][4 * g], six[3 + k]);
        }
        beyond = (inertias){{quad_first(all.I.xx), quad_first(all.I.yy), quad_first(all.I.zz),
                             quad_first(all.I.xy), quad_first(all.I.xz), quad_first(all.I.yz)},
                            {quad_first(all.h.x), quad_first(all.h.y), quad_first(all.h.z)},
                            quad_first(all.m)};
    }

    // The mass matrix by rows, from the tip.
    lower_rows H;
    double     diagonal[LONGEST];
    UNROLLED_IF_KNOWN
    for (int i = n - 1; i >= 0; i--) {
        UNROLLED_IF_KNOWN
        for (int g = 0; g <= i / 4; g++) {
            const quad turning = FZ[0][i] * s[g].Z.x + FZ[1][i] * s[g].Z.y + FZ[2][i] * s[g].Z.z;
            const quad going = FS[0][i] * s[g].S.x + FS[1][i] * s[g].S.y + FS[2][i] * s[g].S.z;
            quad_store(&H[i][4 * g], turning + going);
        }
        H[i][i] += fast->group[i / 4].rotor[i % 4];
        diagonal[i] = H[i][i];
    }
    // Factors and bias. The divisions of the factors wait for one another, which leaves the time in
    // which the processor finds the bias, if both are written by turns: it looks some hundred
    // operations ahead, and no further (a tenth of the time).
    const quad3 none = {zero, zero, zero};
    bias        b;
    b.m = motion_of_ground(fast->gravity);
    b.beyond = (forces){none, none};
    UNROLLED_IF_KNOWN
    for (int k = n - 1; k >= 0; k--) {
        UNROLLED_IF_KNOWN
        for (int step = (n - 1 - k) * 3 * n_groups / n; step < (n - k) * 3 * n_groups / n; step++)
            COMPOSITE(add_to_bias)(&b, step, fast, n, slides, f, s, body, qd, tau, load);
        COMPOSITE(factor_row)(n, k, H);
    }
    COMPOSITE(solve)(n, H, b.rest);

    double sum = 0;
    bool   strong = all_lanes(near);
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++) {
        // The pivot as a fraction of its diagonal element, upside down.
        const double lost = H[i][i] * diagonal[i];
        strong &= lost > 0 && lost < 1 / FA_FAST_WEAK;
        sum += 0 * b.rest[i];
        qdd[i] = b.rest[i];
    }
    return strong && sum == 0 ? FA_OK : FA_UNFIT;
}
