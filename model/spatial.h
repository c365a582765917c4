// Vectors of rigid-body motion and force in six dimensions, after Featherstone, "Rigid Body
// Dynamics Algorithms" (2008), chapter 2. Motion (fa_twist) and force (fa_wrench) are distinct
// types: what has no physical meaning does not compile.
//
//     book     here
//     E        E, rotates coordinates from parent to child
//     r        r, the child's origin written in the parent
//     v, a     fa_twist   { angular; linear, of the point at the origin }
//     f        fa_wrench  { moment about the origin; force }
//     I        fa_inertia { m; h = m c; I about the origin }
//     I^A      fa_articulated { I, H; H^T, M }
//     v x      twist_cross        v x*   twist_cross_wrench
//     X v      to_child           X^T f  to_parent
#ifndef FA_SPATIAL_H
#define FA_SPATIAL_H

#include <math.h>

typedef struct fa_vec3 {
    double x, y, z;
} fa_vec3;

typedef struct fa_mat3 {
    double m[3][3]; // row, column
} fa_mat3;

// A symmetric matrix; the off-diagonals are elements of the tensor, I_xy = -(integral of xy dm).
typedef struct fa_sym3 {
    double xx, yy, zz, xy, xz, yz;
} fa_sym3;

typedef struct fa_twist {
    fa_vec3 angular; // [rad/s]
    fa_vec3 linear;  // [m/s]
} fa_twist;

typedef struct fa_wrench {
    fa_vec3 moment; // [N m]
    fa_vec3 force;  // [N]
} fa_wrench;

// Where a child frame stands in its parent.
typedef struct fa_transform {
    fa_mat3 E; // parent's coordinates to the child's
    fa_vec3 r; // the child's origin, in the parent [m]
} fa_transform;

typedef struct fa_inertia {
    double  mass; // [kg]
    fa_vec3 h;    // mass times centre of mass [kg m]
    fa_sym3 I;    // about the origin [kg m^2]
} fa_inertia;

typedef struct fa_articulated {
    fa_sym3 I;
    fa_mat3 H;
    fa_sym3 M;
} fa_articulated;

// ---------------------------------------------------------------------------- three dimensions

static inline fa_vec3 vec3(double x, double y, double z)
{
    return (fa_vec3){x, y, z};
}

static inline fa_vec3 vec3_add(fa_vec3 a, fa_vec3 b)
{
    return (fa_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline fa_vec3 vec3_sub(fa_vec3 a, fa_vec3 b)
{
    return (fa_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline fa_vec3 vec3_scale(double s, fa_vec3 a)
{
    return (fa_vec3){s * a.x, s * a.y, s * a.z};
}

static inline double dot(fa_vec3 a, fa_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline fa_vec3 cross(fa_vec3 a, fa_vec3 b)
{
    return (fa_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_norm(fa_vec3 a)
{
    return sqrt(dot(a, a));
}

static inline fa_mat3 mat3_identity(void)
{
    return (fa_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline fa_vec3 mat3_mul(fa_mat3 A, fa_vec3 v)
{
    return (fa_vec3){A.m[0][0] * v.x + A.m[0][1] * v.y + A.m[0][2] * v.z,
                     A.m[1][0] * v.x + A.m[1][1] * v.y + A.m[1][2] * v.z,
                     A.m[2][0] * v.x + A.m[2][1] * v.y + A.m[2][2] * v.z};
}

static inline fa_vec3 mat3_tmul(fa_mat3 A, fa_vec3 v) // A^T v
{
    return (fa_vec3){A.m[0][0] * v.x + A.m[1][0] * v.y + A.m[2][0] * v.z,
                     A.m[0][1] * v.x + A.m[1][1] * v.y + A.m[2][1] * v.z,
                     A.m[0][2] * v.x + A.m[1][2] * v.y + A.m[2][2] * v.z};
}

static inline fa_mat3 mat3_mat3(fa_mat3 A, fa_mat3 B)
{
    fa_mat3 C;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C.m[i][j] = A.m[i][0] * B.m[0][j] + A.m[i][1] * B.m[1][j] + A.m[i][2] * B.m[2][j];
    return C;
}

static inline fa_mat3 mat3_transpose(fa_mat3 A)
{
    return (fa_mat3){{{A.m[0][0], A.m[1][0], A.m[2][0]},
                      {A.m[0][1], A.m[1][1], A.m[2][1]},
                      {A.m[0][2], A.m[1][2], A.m[2][2]}}};
}

static inline fa_mat3 mat3_add(fa_mat3 A, fa_mat3 B)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A.m[i][j] += B.m[i][j];
    return A;
}

// a b^T
static inline fa_mat3 mat3_outer(fa_vec3 a, fa_vec3 b)
{
    return (fa_mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                      {a.y * b.x, a.y * b.y, a.y * b.z},
                      {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

// v~, so that mat3_mul(mat3_tilde(v), w) is cross(v, w)
static inline fa_mat3 mat3_tilde(fa_vec3 v)
{
    return (fa_mat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}

static inline fa_vec3 sym3_mul(fa_sym3 A, fa_vec3 v)
{
    return (fa_vec3){A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
                     A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

static inline fa_sym3 sym3_add(fa_sym3 A, fa_sym3 B)
{
    return (fa_sym3){A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.xz + B.xz, A.yz + B.yz};
}

static inline fa_sym3 sym3_scale(double s, fa_sym3 A)
{
    return (fa_sym3){s * A.xx, s * A.yy, s * A.zz, s * A.xy, s * A.xz, s * A.yz};
}

static inline fa_mat3 sym3_full(fa_sym3 A)
{
    return (fa_mat3){{{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}}};
}

static inline fa_sym3 mat3_symmetric_part(fa_mat3 A)
{
    return (fa_sym3){A.m[0][0],
                     A.m[1][1],
                     A.m[2][2],
                     0.5 * (A.m[0][1] + A.m[1][0]),
                     0.5 * (A.m[0][2] + A.m[2][0]),
                     0.5 * (A.m[1][2] + A.m[2][1])};
}

// R A R^T
static inline fa_sym3 sym3_rotate(fa_mat3 R, fa_sym3 A)
{
    return mat3_symmetric_part(mat3_mat3(mat3_mat3(R, sym3_full(A)), mat3_transpose(R)));
}

// -(a~ b~ + b~ a~) / 2 = (a.b) 1 - (a b^T + b a^T) / 2; with a = b the inertia of a unit mass at a
static inline fa_sym3 sym3_point(fa_vec3 a, fa_vec3 b)
{
    return (fa_sym3){a.y * b.y + a.z * b.z,          a.x * b.x + a.z * b.z,
                     a.x * b.x + a.y * b.y,          -0.5 * (a.x * b.y + b.x * a.y),
                     -0.5 * (a.x * b.z + b.x * a.z), -0.5 * (a.y * b.z + b.y * a.z)};
}

// ------------------------------------------------------------------------------- six dimensions

static inline fa_twist twist_add(fa_twist a, fa_twist b)
{
    return (fa_twist){vec3_add(a.angular, b.angular), vec3_add(a.linear, b.linear)};
}

static inline fa_twist twist_scale(double s, fa_twist a)
{
    return (fa_twist){vec3_scale(s, a.angular), vec3_scale(s, a.linear)};
}

static inline fa_wrench wrench_add(fa_wrench a, fa_wrench b)
{
    return (fa_wrench){vec3_add(a.moment, b.moment), vec3_add(a.force, b.force)};
}

static inline fa_wrench wrench_sub(fa_wrench a, fa_wrench b)
{
    return (fa_wrench){vec3_sub(a.moment, b.moment), vec3_sub(a.force, b.force)};
}

static inline fa_wrench wrench_scale(double s, fa_wrench a)
{
    return (fa_wrench){vec3_scale(s, a.moment), vec3_scale(s, a.force)};
}

// The only product of a motion and a force.
static inline double power(fa_twist v, fa_wrench f)
{
    return dot(v.angular, f.moment) + dot(v.linear, f.force);
}

// v x m
static inline fa_twist twist_cross(fa_twist v, fa_twist m)
{
    return (fa_twist){cross(v.angular, m.angular),
                      vec3_add(cross(v.angular, m.linear), cross(v.linear, m.angular))};
}

// v x* f
static inline fa_wrench twist_cross_wrench(fa_twist v, fa_wrench f)
{
    return (fa_wrench){vec3_add(cross(v.angular, f.moment), cross(v.linear, f.force)),
                       cross(v.angular, f.force)};
}

static inline fa_transform transform_identity(void)
{
    return (fa_transform){mat3_identity(), {0, 0, 0}};
}

// A grandchild's place in its grandparent.
static inline fa_transform transform_compose(fa_transform child, fa_transform grandchild)
{
    return (fa_transform){mat3_mat3(grandchild.E, child.E),
                          vec3_add(child.r, mat3_tmul(child.E, grandchild.r))};
}

static inline fa_transform transform_inverse(fa_transform X)
{
    return (fa_transform){mat3_transpose(X.E), vec3_scale(-1, mat3_mul(X.E, X.r))};
}

// The parent's coordinates of a point that is p in the child.
static inline fa_vec3 point_to_parent(fa_transform X, fa_vec3 p)
{
    return vec3_add(X.r, mat3_tmul(X.E, p));
}

// X v
static inline fa_twist to_child(fa_transform X, fa_twist v)
{
    return (fa_twist){mat3_mul(X.E, v.angular),
                      mat3_mul(X.E, vec3_sub(v.linear, cross(X.r, v.angular)))};
}

// X^-1 v
static inline fa_twist twist_to_parent(fa_transform X, fa_twist v)
{
    fa_vec3 angular = mat3_tmul(X.E, v.angular);
    return (fa_twist){angular, vec3_add(mat3_tmul(X.E, v.linear), cross(X.r, angular))};
}

// X^T f
static inline fa_wrench to_parent(fa_transform X, fa_wrench f)
{
    fa_vec3 force = mat3_tmul(X.E, f.force);
    return (fa_wrench){vec3_add(mat3_tmul(X.E, f.moment), cross(X.r, force)), force};
}

// X^-T f
static inline fa_wrench wrench_to_child(fa_transform X, fa_wrench f)
{
    return (fa_wrench){mat3_mul(X.E, vec3_sub(f.moment, cross(X.r, f.force))),
                       mat3_mul(X.E, f.force)};
}

static inline fa_inertia inertia_add(fa_inertia a, fa_inertia b)
{
    return (fa_inertia){a.mass + b.mass, vec3_add(a.h, b.h), sym3_add(a.I, b.I)};
}

// Centre of mass; the origin where there is no mass.
static inline fa_vec3 inertia_centre(fa_inertia I)
{
    return I.mass > 0 ? vec3_scale(1 / I.mass, I.h) : vec3(0, 0, 0);
}

// The tensor about the centre of mass.
static inline fa_sym3 inertia_about_centre(fa_inertia I)
{
    fa_vec3 c = inertia_centre(I);
    return sym3_add(I.I, sym3_scale(-I.mass, sym3_point(c, c)));
}

// I v
static inline fa_wrench inertia_mul(fa_inertia I, fa_twist v)
{
    return (fa_wrench){vec3_add(sym3_mul(I.I, v.angular), cross(I.h, v.linear)),
                       vec3_sub(vec3_scale(I.mass, v.linear), cross(I.h, v.angular))};
}

// X^T I X: the same inertia about the parent's origin, in the parent's axes.
static inline fa_inertia inertia_to_parent(fa_transform X, fa_inertia I)
{
    fa_vec3 h = mat3_tmul(X.E, I.h);
    fa_sym3 rotated = sym3_rotate(mat3_transpose(X.E), I.I);
    // I + 2 (h.r terms) + m (r.r terms): the parallel-axis theorem for a first moment h.
    fa_sym3 moved =
        sym3_add(sym3_scale(2, sym3_point(h, X.r)), sym3_scale(I.mass, sym3_point(X.r, X.r)));
    return (fa_inertia){I.mass, vec3_add(h, vec3_scale(I.mass, X.r)), sym3_add(rotated, moved)};
}

static inline fa_articulated articulated_of(fa_inertia I)
{
    return (fa_articulated){I.I, mat3_tilde(I.h), {I.mass, I.mass, I.mass, 0, 0, 0}};
}

static inline fa_articulated articulated_add(fa_articulated a, fa_articulated b)
{
    return (fa_articulated){sym3_add(a.I, b.I), mat3_add(a.H, b.H), sym3_add(a.M, b.M)};
}

// I^A v
static inline fa_wrench articulated_mul(fa_articulated A, fa_twist v)
{
    return (fa_wrench){vec3_add(sym3_mul(A.I, v.angular), mat3_mul(A.H, v.linear)),
                       vec3_add(mat3_tmul(A.H, v.angular), sym3_mul(A.M, v.linear))};
}

// I^A - U U^T / D
static inline fa_articulated articulated_downdate(fa_articulated A, fa_wrench U, double D)
{
    fa_vec3 n = vec3_scale(-1 / D, U.moment);
    fa_vec3 f = vec3_scale(-1 / D, U.force);
    return (fa_articulated){sym3_add(A.I, mat3_symmetric_part(mat3_outer(n, U.moment))),
                            mat3_add(A.H, mat3_outer(n, U.force)),
                            sym3_add(A.M, mat3_symmetric_part(mat3_outer(f, U.force)))};
}

// X^T I^A X
static inline fa_articulated articulated_to_parent(fa_transform X, fa_articulated A)
{
    // Turned first: with r~ = tilde(X.r), I' = I + r~ H^T - H r~ - r~ M r~, H' = H + r~ M, M' = M.
    fa_mat3 R = mat3_transpose(X.E);
    fa_sym3 M = sym3_rotate(R, A.M);
    fa_mat3 H = mat3_mat3(mat3_mat3(R, A.H), X.E);
    fa_mat3 r = mat3_tilde(X.r);
    fa_mat3 rM = mat3_mat3(r, sym3_full(M));
    fa_mat3 moved = mat3_add(H, rM);
    // r~ H^T + (r~ H^T)^T + r~ M r~^T, of which sym3 keeps the symmetric part
    fa_mat3 rHt = mat3_mat3(r, mat3_transpose(H));
    fa_mat3 sum = mat3_add(mat3_add(rHt, mat3_transpose(rHt)), mat3_mat3(rM, mat3_transpose(r)));
    return (fa_articulated){sym3_add(sym3_rotate(R, A.I), mat3_symmetric_part(sum)), moved, M};
}

// ------------------------------------------------------------------------------------ rotations

// Coordinates to those of a frame turned by `angle` [rad] about the unit vector `axis`.
fa_mat3 fa_rotation_about(fa_vec3 axis, double angle);

// Parent's coordinates to the child's for a child turned by roll, pitch and yaw [rad] about the
// parent's fixed x, y and z, in this order.
fa_mat3 fa_rotation_rpy(fa_vec3 rpy);

typedef struct fa_quaternion {
    double w, x, y, z;
} fa_quaternion;

// Turns the child's coordinates into the parent's, as E^T does.
fa_quaternion fa_quaternion_of(fa_mat3 E); // w >= 0
fa_quaternion fa_quaternion_about(fa_vec3 axis, double angle);
fa_quaternion fa_quaternion_mul(fa_quaternion a, fa_quaternion b);

// Principal moments in rising order, by Jacobi's rotations.
fa_vec3 fa_sym3_eigenvalues(fa_sym3 A);

#endif
