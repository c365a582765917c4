// Spatial vector algebra: transforms, inertias, rotations.
#include "spatial.h"

#include "sincos.h"

fa_mat3 fa_rotation_about(fa_vec3 axis, double angle)
{
    // Rodrigues' formula for coordinates: 1 cos + a a^T (1 - cos) - a~ sin. 1 - cos is formed as
    // 2 sin^2 of half the angle, so that small angles keep their digits.
    double s, c, h, half_c;
    fa_sincos(angle, &s, &c);
    fa_sincos(0.5 * angle, &h, &half_c);
    fa_mat3 E = mat3_outer(vec3_scale(2 * h * h, axis), axis);
    fa_mat3 turn = mat3_tilde(vec3_scale(-s, axis));
    for (int i = 0; i < 3; i++) E.m[i][i] += c;
    return mat3_add(E, turn);
}

fa_mat3 fa_rotation_rpy(fa_vec3 rpy)
{
    fa_mat3 roll = fa_rotation_about(vec3(1, 0, 0), rpy.x);
    fa_mat3 pitch = fa_rotation_about(vec3(0, 1, 0), rpy.y);
    fa_mat3 yaw = fa_rotation_about(vec3(0, 0, 1), rpy.z);
    return mat3_mat3(mat3_mat3(roll, pitch), yaw);
}

fa_mat3 fa_frame_along(fa_vec3 z)
{
    const double a[3] = {fabs(z.x), fabs(z.y), fabs(z.z)};
    int          least = a[0] <= a[1] && a[0] <= a[2] ? 0 : a[1] <= a[2] ? 1 : 2;
    fa_vec3      x = vec3(least == 0, least == 1, least == 2);
    x = vec3_sub(x, vec3_scale(dot(x, z), z));
    x = vec3_scale(1 / vec3_norm(x), x);
    const fa_vec3 y = cross(z, x);
    return (fa_mat3){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

fa_mat3 fa_rotation_quaternion(fa_quaternion p)
{
    const double x = p.x, y = p.y, z = p.z, w = p.w;
    return (fa_mat3){{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
}

fa_quaternion fa_quaternion_of(fa_mat3 E)
{
    // Shepperd's choice: divide by the largest of the four, so that nothing cancels.
    const double(*m)[3] = (const double(*)[3])E.m;
    double trace = m[0][0] + m[1][1] + m[2][2];
    double squares[4] = {1 + trace, 1 + 2 * m[0][0] - trace, 1 + 2 * m[1][1] - trace,
                         1 + 2 * m[2][2] - trace}; // 4 w^2, 4 x^2, 4 y^2, 4 z^2
    int    largest = 0;
    for (int i = 1; i < 4; i++)
        if (squares[i] > squares[largest]) largest = i;

    // E^T turns the child's coordinates into the parent's: m[j][k] is its element (k, j).
    double        wx = m[1][2] - m[2][1], wy = m[2][0] - m[0][2], wz = m[0][1] - m[1][0];
    double        xy = m[0][1] + m[1][0], xz = m[0][2] + m[2][0], yz = m[1][2] + m[2][1];
    fa_quaternion q;
    switch (largest) { // four times each product with the largest one
    case 0:
        q = (fa_quaternion){squares[0], wx, wy, wz};
        break;
    case 1:
        q = (fa_quaternion){wx, squares[1], xy, xz};
        break;
    case 2:
        q = (fa_quaternion){wy, xy, squares[2], yz};
        break;
    default:
        q = (fa_quaternion){wz, xz, yz, squares[3]};
        break;
    }
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (q.w < 0) norm = -norm;
    return (fa_quaternion){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

fa_quaternion fa_quaternion_about(fa_vec3 axis, double angle)
{
    double s, c;
    fa_sincos(0.5 * angle, &s, &c);
    return (fa_quaternion){c, s * axis.x, s * axis.y, s * axis.z};
}

fa_quaternion fa_quaternion_mul(fa_quaternion a, fa_quaternion b)
{
    return (fa_quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                           a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                           a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                           a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

fa_vec3 fa_sym3_eigenvalues(fa_sym3 A)
{
    // Cyclic Jacobi: each rotation zeroes one off-diagonal element; convergence is quadratic, and
    // ten sweeps are more than any 3 x 3 matrix of doubles needs.
    fa_mat3 S = sym3_full(A);
    for (int sweep = 0; sweep < 10; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (S.m[p][q] == 0) continue;
                double  theta = (S.m[q][q] - S.m[p][p]) / (2 * S.m[p][q]);
                double  t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(1 + theta * theta));
                double  c = 1 / sqrt(1 + t * t), s = t * c;
                fa_mat3 J = mat3_identity();
                J.m[p][p] = J.m[q][q] = c;
                J.m[p][q] = s;
                J.m[q][p] = -s;
                S = mat3_mat3(mat3_mat3(mat3_transpose(J), S), J);
                S.m[p][q] = S.m[q][p] = 0;
            }
        }
    }
    double e[3] = {S.m[0][0], S.m[1][1], S.m[2][2]};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (e[j] > e[j + 1]) {
                double larger = e[j];
                e[j] = e[j + 1];
                e[j + 1] = larger;
            }
    return vec3(e[0], e[1], e[2]);
}
