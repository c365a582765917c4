// Maps a ball joint to three turns and back, with first-order changes and their transposes.
#include "ball.h"

#include <math.h>
#include <string.h>

#include "joint_parts.h"

static fa_vec3 get(const double from[])
{
    return vec3(from[0], from[1], from[2]);
}

static void put(double to[], fa_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

// a b, both w x y z.
static void multiply(const double a[4], const double b[4], double out[4])
{
    const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    const double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w;
    out[1] = x;
    out[2] = y;
    out[3] = z;
}

static double product(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// ---------------------------------------------------------------------------------------- values

void fa_ball_place(fa_ball *ball, const double p[4], const double w[3])
{
    ball->length = sqrt(product(p, p));
    for (int i = 0; i < 4; i++) {
        ball->p[i] = p[i];
        ball->unit[i] = p[i] / ball->length;
    }
    ball->E = fa_rotation_of_quaternion(p);
    ball->w = get(w);
    ball->rate = mat3_mul(ball->E, ball->w);
}

fa_vec3 fa_ball_torque_in(const fa_ball *ball, const double torque[3])
{
    return mat3_mul(ball->E, get(torque));
}

void fa_ball_torque_out(const fa_ball *ball, fa_vec3 torque, double out[3])
{
    put(out, mat3_tmul(ball->E, torque));
}

// c(0, v)
static fa_vec3 bias(fa_vec3 v)
{
    return vec3(v.y * v.z, -v.x * v.z, v.x * v.y);
}

fa_vec3 fa_ball_acceleration_in(const fa_ball *ball, const double alpha[3])
{
    return vec3_sub(mat3_mul(ball->E, get(alpha)), bias(ball->rate));
}

void fa_ball_acceleration_out(const fa_ball *ball, fa_vec3 second, double out[3])
{
    put(out, mat3_tmul(ball->E, vec3_add(second, bias(ball->rate))));
}

void fa_ball_velocity_out(const fa_ball *ball, fa_vec3 rate, double w[3])
{
    put(w, mat3_tmul(ball->E, rate));
}

void fa_ball_rate(const fa_ball *ball, double rate[4])
{
    const double half[4] = {0, 0.5 * ball->w.x, 0.5 * ball->w.y, 0.5 * ball->w.z};
    const double pull = FA_QUATERNION_PULL * (1 - product(ball->p, ball->p));
    multiply(half, ball->p, rate);
    for (int i = 0; i < 4; i++) rate[i] += pull * ball->p[i];
}

// --------------------------------------------------------------------------- first-order changes

void fa_ball_rate_tangent(const fa_ball *ball, const double x[FA_BALL_GIVEN], double tangent[4])
{
    const double half[4] = {0, 0.5 * ball->w.x, 0.5 * ball->w.y, 0.5 * ball->w.z};
    const double by_half[4] = {0, 0.5 * x[4], 0.5 * x[5], 0.5 * x[6]};
    const double pull = FA_QUATERNION_PULL * (1 - product(ball->p, ball->p));
    const double by_pull = -2 * FA_QUATERNION_PULL * product(ball->p, x);
    double       other[4];
    multiply(half, x, tangent);
    multiply(by_half, ball->p, other);
    for (int i = 0; i < 4; i++) tangent[i] += other[i] + pull * x[i] + by_pull * ball->p[i];
}

// D(d) v and D(d)^T v
static fa_vec3 tilt(fa_vec3 d, fa_vec3 v)
{
    return vec3(d.z * v.y, -d.z * v.x, d.y * v.x);
}

static fa_vec3 tilt_back(fa_vec3 d, fa_vec3 v)
{
    return vec3(d.y * v.z - d.z * v.y, d.z * v.x, 0);
}

// The tangent of c(theta, v) with theta by d and v by u.
static fa_vec3 bias_tangent(fa_vec3 v, fa_vec3 d, fa_vec3 u)
{
    return vec3(v.y * u.z + u.y * v.z - v.x * (v.z * d.z + v.y * d.y),
                -(v.x * u.z + u.x * v.z) - v.y * v.z * d.z, v.x * u.y + u.x * v.y);
}

// The child turns by d in its own axes: the tangent of the quaternion's rotation.
static fa_vec3 turn_of(const fa_ball *ball, const double x[4])
{
    const double along = product(ball->unit, x);
    const double back[4] = {ball->unit[0], -ball->unit[1], -ball->unit[2], -ball->unit[3]};
    double       across[4], turn[4];
    for (int i = 0; i < 4; i++) across[i] = (x[i] - along * ball->unit[i]) / ball->length;
    multiply(back, across, turn);
    return vec3(2 * turn[1], 2 * turn[2], 2 * turn[3]);
}

// A vector that is `v` in the child's axes, and changes by dv in the parent's: its tangent in the
// child's.
static fa_vec3 step_inwards(const fa_ball *ball, fa_vec3 v, fa_vec3 d, const double dv[3])
{
    return vec3_sub(mat3_mul(ball->E, get(dv)), cross(d, v));
}

static fa_vec3 step_outwards(const fa_ball *ball, fa_vec3 v, fa_vec3 d, fa_vec3 dv)
{
    return mat3_tmul(ball->E, vec3_add(dv, cross(d, v)));
}

// Friction is -b J^T J theta' at the three turns, and the arm has -b theta' there.
fa_vec3 fa_ball_friction_tangent(const fa_ball *ball, fa_vec3 d)
{
    return vec3_scale(-ball->viscous, vec3_add(tilt(d, ball->rate), tilt_back(d, ball->rate)));
}

fa_vec3 fa_ball_effort_tangent(const fa_ball *ball, fa_vec3 d, const double torque[3])
{
    const fa_vec3 given = step_inwards(ball, ball->torque, d, torque);
    return vec3_add(vec3_add(given, tilt_back(d, ball->torque)), fa_ball_friction_tangent(ball, d));
}

void fa_ball_step_in(const fa_ball *ball, bool inverse, const double x[FA_BALL_GIVEN],
                     double y[FA_BALL_INNER])
{
    const fa_vec3 d = turn_of(ball, x);
    const fa_vec3 rate = vec3_sub(step_inwards(ball, ball->rate, d, x + 4), tilt(d, ball->rate));
    memset(y, 0, FA_BALL_INNER * sizeof *y);
    put(y, d);
    put(y + 3, rate);
    if (inverse) {
        const fa_vec3 turning = vec3_add(ball->acceleration, bias(ball->rate));
        fa_vec3       second = step_inwards(ball, turning, d, x + 10);
        second = vec3_sub(second, tilt(d, ball->acceleration));
        put(y + 9, vec3_sub(second, bias_tangent(ball->rate, d, rate)));
    } else {
        put(y + 6, fa_ball_effort_tangent(ball, d, x + 7));
    }
}

void fa_ball_step_out(const fa_ball *ball, bool inverse, const double y[FA_BALL_INNER],
                      double out[FA_BALL_RESULTS])
{
    const fa_vec3 d = get(y), rate = get(y + 3);
    out[3] = dot(fa_ball_friction_tangent(ball, d), ball->rate);
    if (inverse) {
        fa_vec3 torque = vec3_sub(get(y + 6), fa_ball_friction_tangent(ball, d));
        torque = vec3_sub(torque, tilt_back(d, ball->torque));
        put(out, step_outwards(ball, ball->torque, d, torque));
    } else {
        const fa_vec3 turning = vec3_add(ball->acceleration, bias(ball->rate));
        fa_vec3       second = vec3_add(get(y + 9), tilt(d, ball->acceleration));
        second = vec3_add(second, bias_tangent(ball->rate, d, rate));
        put(out, step_outwards(ball, turning, d, second));
    }
}

// ------------------------------------------------------------------------------------ transposes

void fa_ball_slope_in(const fa_ball *ball, bool inverse, const double y[FA_BALL_INNER],
                      double x[FA_BALL_GIVEN])
{
    for (int k = 0; k < FA_BALL_GIVEN; k++) {
        double one[FA_BALL_GIVEN] = {0}, column[FA_BALL_INNER];
        one[k] = 1;
        fa_ball_step_in(ball, inverse, one, column);
        for (int i = 0; i < FA_BALL_INNER; i++) x[k] += column[i] * y[i];
    }
}

void fa_ball_slope_out(const fa_ball *ball, bool inverse, const double out[FA_BALL_RESULTS],
                       double y[FA_BALL_INNER])
{
    for (int k = 0; k < FA_BALL_INNER; k++) {
        double one[FA_BALL_INNER] = {0}, column[FA_BALL_RESULTS];
        one[k] = 1;
        fa_ball_step_out(ball, inverse, one, column);
        for (int i = 0; i < FA_BALL_RESULTS; i++) y[k] += column[i] * out[i];
    }
}

void fa_ball_effort_adjoint(const fa_ball *ball, fa_vec3 effort, double turn[3], double torque[3])
{
    static const double none[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double one[3] = {k == 0, k == 1, k == 2};
        turn[k] += dot(fa_ball_effort_tangent(ball, get(one), none), effort);
        torque[k] += dot(fa_ball_torque_in(ball, one), effort);
    }
}

void fa_ball_rate_adjoint(const fa_ball *ball, const double adjoint[4], double x[FA_BALL_GIVEN])
{
    for (int k = 0; k < FA_BALL_GIVEN; k++) {
        double one[FA_BALL_GIVEN] = {0}, column[4];
        one[k] = 1;
        fa_ball_rate_tangent(ball, one, column);
        x[k] += product(column, adjoint);
    }
}
