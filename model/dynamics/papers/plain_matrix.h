// Vectors and matrices of the referees (lagrange.h). They repeat parts of spatial.h on purpose: a
// slip in one of the two must not be able to hide in the other.
#ifndef FA_PLAIN_MATRIX_H
#define FA_PLAIN_MATRIX_H

#include "chain.h"

typedef struct fa_v3 {
    double e[3];
} fa_v3;

typedef struct fa_m3 {
    double e[3][3]; // row, column
} fa_m3;

typedef struct fa_m4 {
    double e[4][4];
} fa_m4;

static inline fa_v3 v3_of(fa_vec3 a)
{
    return (fa_v3){{a.x, a.y, a.z}};
}

static inline fa_v3 v3_plus(fa_v3 a, fa_v3 b)
{
    for (int i = 0; i < 3; i++) a.e[i] += b.e[i];
    return a;
}

static inline fa_v3 v3_minus(fa_v3 a, fa_v3 b)
{
    for (int i = 0; i < 3; i++) a.e[i] -= b.e[i];
    return a;
}

static inline fa_v3 v3_times(double s, fa_v3 a)
{
    for (int i = 0; i < 3; i++) a.e[i] *= s;
    return a;
}

static inline double v3_inner(fa_v3 a, fa_v3 b)
{
    return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
}

static inline fa_v3 v3_product(fa_v3 a, fa_v3 b) // a x b
{
    fa_v3 c;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c.e[i] = a.e[j] * b.e[k] - a.e[k] * b.e[j];
    }
    return c;
}

static inline fa_m3 m3_of(fa_mat3 A)
{
    fa_m3 B;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B.e[i][j] = A.m[i][j];
    return B;
}

static inline fa_m3 m3_one(void)
{
    return (fa_m3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline fa_m3 m3_transpose(fa_m3 A)
{
    fa_m3 B;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B.e[i][j] = A.e[j][i];
    return B;
}

static inline fa_v3 m3_apply(fa_m3 A, fa_v3 a)
{
    fa_v3 b = {{0, 0, 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) b.e[i] += A.e[i][j] * a.e[j];
    return b;
}

static inline fa_m3 m3_multiply(fa_m3 A, fa_m3 B)
{
    fa_m3 C = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) C.e[i][j] += A.e[i][k] * B.e[k][j];
    return C;
}

static inline fa_m3 m3_plus(fa_m3 A, fa_m3 B)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A.e[i][j] += B.e[i][j];
    return A;
}

static inline fa_m3 m3_times(double s, fa_m3 A)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A.e[i][j] *= s;
    return A;
}

static inline fa_m3 m3_outer(fa_v3 a, fa_v3 b) // a b^T
{
    fa_m3 A;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A.e[i][j] = a.e[i] * b.e[j];
    return A;
}

static inline fa_m3 m3_skew(fa_v3 a) // m3_skew(a) b = a x b
{
    return (fa_m3){{{0, -a.e[2], a.e[1]}, {a.e[2], 0, -a.e[0]}, {-a.e[1], a.e[0], 0}}};
}

// A vector's coordinates in a frame turned by `angle` about u, to those in the frame that it was
// turned from: 1 + sin u~ + (1 - cos) u~^2.
static inline fa_m3 m3_turn(fa_v3 u, double angle)
{
    const fa_m3 U = m3_skew(u);
    return m3_plus(m3_one(),
                   m3_plus(m3_times(sin(angle), U), m3_times(1 - cos(angle), m3_multiply(U, U))));
}

static inline double m3_trace(fa_m3 A)
{
    return A.e[0][0] + A.e[1][1] + A.e[2][2];
}

// J = integral of r r^T dm, from the inertia tensor about the same point.
static inline fa_m3 m3_second_moment(fa_sym3 I)
{
    const double half = 0.5 * (I.xx + I.yy + I.zz);
    return (fa_m3){
        {{half - I.xx, -I.xy, -I.xz}, {-I.xy, half - I.yy, -I.yz}, {-I.xz, -I.yz, half - I.zz}}};
}

// [ A a ]
// [ 0 d ]
static inline fa_m4 m4_of(fa_m3 A, fa_v3 a, double d)
{
    fa_m4 B = {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) B.e[i][j] = A.e[i][j];
        B.e[i][3] = a.e[i];
    }
    B.e[3][3] = d;
    return B;
}

static inline fa_m4 m4_zero(void)
{
    return m4_of(m3_times(0, m3_one()), (fa_v3){{0, 0, 0}}, 0);
}

static inline fa_m4 m4_one(void)
{
    return m4_of(m3_one(), (fa_v3){{0, 0, 0}}, 1);
}

static inline fa_m4 m4_multiply(fa_m4 A, fa_m4 B)
{
    fa_m4 C = m4_zero();
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) C.e[i][j] += A.e[i][k] * B.e[k][j];
    return C;
}

static inline fa_m4 m4_plus(fa_m4 A, fa_m4 B)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) A.e[i][j] += B.e[i][j];
    return A;
}

static inline fa_m4 m4_times(double s, fa_m4 A)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) A.e[i][j] *= s;
    return A;
}

static inline fa_m4 m4_transpose(fa_m4 A)
{
    fa_m4 B;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) B.e[i][j] = A.e[j][i];
    return B;
}

// tr(A B)
static inline double m4_trace(fa_m4 A, fa_m4 B)
{
    double trace = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) trace += A.e[i][j] * B.e[j][i];
    return trace;
}

#endif
