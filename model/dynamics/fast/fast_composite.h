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
typedef double joint_rows[3][LONGEST]; // x, y and z of a vector for each joint

ALWAYS void quad3_store(joint_rows to, int i, quad3 v)
{
    quad_store(&to[0][i], v.x);
    quad_store(&to[1][i], v.y);
    quad_store(&to[2][i], v.z);
}

// Products of joint i's vector and four others.
ALWAYS quad row_of(joint_rows of, int i, quad3 v)
{
    return of[0][i] * v.x + of[1][i] * v.y + of[2][i] * v.z;
}

ALWAYS quad row_on(quad sum, joint_rows of, int i, quad3 v)
{
    return sum + of[0][i] * v.x + of[1][i] * v.y + of[2][i] * v.z;
}

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

// Where the bodies are, one after the other, and what is then known of four at a time: axes and
// inertias. False where an angle is too large or a joint is too far out.
ALWAYS bool COMPOSITE(place)(const fa_fast *fast, const int n, const bool slides, const double q[],
                             frame f[], screws s[], inertias body[])
{
    const int   n_groups = (n + 3) / 4;
    const quad  zero = {0, 0, 0, 0};
    turned_axes turned[MOST_GROUPS];
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
    UNROLLED_IF_KNOWN
    for (int g = 0; g < n_groups; g++) {
        const frames here = frames_of(&f[4 * g]);
        s[g] = screws_of(&fast->group[g], slides, &here);
        body[g] = inertias_of(&fast->group[g], slides, &here);
    }
    return all_lanes(near);
}

// Inertias of each body with all that it carries.
ALWAYS void COMPOSITE(carry)(const int n_groups, const bool slides, const inertias body[],
                             inertias all[])
{
    const quad zero = quad_all(-0.0); // which added to a number leaves it
    inertias   beyond = {{zero, zero, zero, zero, zero, zero}, {zero, zero, zero}, zero};
    UNROLLED_IF_KNOWN
    for (int g = n_groups - 1; g >= 0; g--) {
        const inertias *b = &body[g];
        all[g] =
            (inertias){{quad_sums_on(b->I.xx, &beyond.I.xx), quad_sums_on(b->I.yy, &beyond.I.yy),
                        quad_sums_on(b->I.zz, &beyond.I.zz), quad_sums_on(b->I.xy, &beyond.I.xy),
                        quad_sums_on(b->I.xz, &beyond.I.xz), quad_sums_on(b->I.yz, &beyond.I.yz)},
                       quad3_sums_on(b->h, &beyond.h),
                       zero};
        if (slides) all[g].m = quad_sums_on(b->m, &beyond.m);
    }
}

// The mass matrix by rows, from the tip, its diagonal, and the rows of six numbers that it is made
// of: the force and the moment that a unit acceleration of each joint needs.
ALWAYS void COMPOSITE(mass_matrix)(const fa_fast *fast, const int n, const bool slides,
                                   const screws s[], const inertias all[], joint_rows FZ,
                                   joint_rows FS, lower_rows H, double diagonal[])
{
    UNROLLED_IF_KNOWN
    for (int g = (n + 3) / 4 - 1; g >= 0; g--) {
        const forces unit = moved_by(&all[g], slides, s[g].Z, s[g].S);
        quad3_store(FZ, 4 * g, unit.N);
        quad3_store(FS, 4 * g, unit.F);
    }
    UNROLLED_IF_KNOWN
    for (int i = n - 1; i >= 0; i--) {
        UNROLLED_IF_KNOWN
        for (int g = 0; g <= i / 4; g++)
            quad_store(&H[i][4 * g], row_of(FZ, i, s[g].Z) + row_of(FS, i, s[g].S));
        H[i][i] += fast->group[i / 4].rotor[i % 4];
        diagonal[i] = H[i][i];
    }
}

// Returns true if no pivot is too small a fraction of its diagonal element.
ALWAYS bool COMPOSITE(strong)(const int n, lower_rows H, const double diagonal[])
{
    bool strong = true;
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++) {
        const double lost = H[i][i] * diagonal[i]; // upside down
        strong &= lost > 0 && lost < 1 / FA_FAST_WEAK;
    }
    return strong;
}

ALWAYS fa_status COMPOSITE(composite)(const fa_fast *fast, const int n, const bool slides,
                                      const double q[], const double qd[], const double tau[],
                                      const fa_load *load, double qdd[])
{
    const int  n_groups = (n + 3) / 4;
    const quad zero = {0, 0, 0, 0};
    frame      f[LONGEST];
    screws     s[MOST_GROUPS];
    inertias   body[MOST_GROUPS], all[MOST_GROUPS];
    joint_rows FZ, FS;
    lower_rows H;
    double     diagonal[LONGEST];
    const bool near = COMPOSITE(place)(fast, n, slides, q, f, s, body);
    COMPOSITE(carry)(n_groups, slides, body, all);
    COMPOSITE(mass_matrix)(fast, n, slides, s, all, FZ, FS, H, diagonal);

    // Factors and bias. The divisions of the factors wait for one another, which leaves the time in
    // which the processor finds the bias, if both are written by turns: it looks some hundred
    // operations ahead, and no further (a tenth of the time).
    const quad3 none = {zero, zero, zero};
    bias        b;
    b.m = motion_of_ground(fast->gravity);
    b.beyond = (forces){none, none};
    UNROLLED_IF_KNOWN
    for (int k = n - 1; k >= 0; k--) {
        const int first = (n - 1 - k) * 3 * n_groups / n, behind = (n - k) * 3 * n_groups / n;
        UNROLLED_IF_KNOWN
        for (int step = first; step < behind; step++)
            COMPOSITE(add_to_bias)(&b, step, fast, n, slides, f, s, body, qd, tau, load);
        COMPOSITE(factor_row)(n, k, H);
    }
    COMPOSITE(solve)(n, H, b.rest);

    double sum = 0;
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++) {
        sum += 0 * b.rest[i];
        qdd[i] = b.rest[i];
    }
    return near && COMPOSITE(strong)(n, H, diagonal) && sum == 0 ? FA_OK : FA_UNFIT;
}
