// Inverse kinematics along a straight line of the hand.
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gauss_jordan.h"
#include "import.h"
#include "kinematics.h"

enum { N = LINE_JOINTS };

const double line_start[N] = {-0.305, -1.091, -2.699, -0.376, -0.957, -2.918};

straight_line line_of_puma(const char *path, fa_chain *chain, fa_body body[N])
{
    fa_robot *robot = NULL;
    fa_error  error = fa_no_error();
    if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        exit(1);
    }
    int          *link_body = malloc((size_t)robot->n_links * sizeof *link_body);
    fa_transform *link_frame = malloc((size_t)robot->n_links * sizeof *link_frame);
    if (!link_body || !link_frame || fa_chain_bodies(robot) != N) exit(1);
    *chain = fa_chain_build(robot, body, link_body, link_frame);
    for (int i = 0; i < N; i++) body[i].rotor = 0;
    free(link_body);
    free(link_frame);
    free(robot);
    // Euler angles Z, Y, Z of 0, 90 and 180 degrees.
    return (straight_line){
        chain, {0.5, 0, 0.05}, {0.62, 0.3, 0.11}, 5, {{{0, 0, 1}, {0, -1, 0}, {1, 0, 0}}}};
}

// Computes the hand's pose, and its velocity and acceleration at qdd = 0.
static void hand(const straight_line *line, const double q[], const double qd[], fa_transform *pose,
                 fa_twist *velocity, fa_twist *acceleration)
{
    fa_motion motion[N];
    fa_chain_motion(line->chain, q, qd, NULL, motion);
    *pose = motion[N - 1].pose;
    *velocity = fa_world_velocity(&motion[N - 1]);
    *acceleration = fa_world_acceleration(&motion[N - 1]);
}

// Solves for the joint rates that cause the wanted motion of the hand, in world axes.
static fa_status solve(const straight_line *line, const double q[], fa_twist wanted, double x[])
{
    double J[N * N];
    for (int j = 0; j < N; j++) {
        double       unit[N] = {0};
        fa_transform pose;
        fa_twist     v, a;
        unit[j] = 1;
        hand(line, q, unit, &pose, &v, &a);
        const double column[N] = {v.angular.x, v.angular.y, v.angular.z,
                                  v.linear.x,  v.linear.y,  v.linear.z};
        for (int i = 0; i < N; i++) J[i * N + j] = column[i];
    }
    const double right[N] = {wanted.angular.x, wanted.angular.y, wanted.angular.z,
                             wanted.linear.x,  wanted.linear.y,  wanted.linear.z};
    memcpy(x, right, sizeof right);
    return fa_gauss_jordan_solve(N, J, x);
}

// Returns the small rotation, about world axes, from the hand's orientation E to the wanted one.
static fa_vec3 small_turn(fa_mat3 E, fa_mat3 wanted)
{
    const fa_mat3 D = mat3_mat3(mat3_transpose(wanted), E);
    return vec3_scale(0.5,
                      vec3(D.m[2][1] - D.m[1][2], D.m[0][2] - D.m[2][0], D.m[1][0] - D.m[0][1]));
}

fa_status line_motion(const straight_line *line, double t, double q[], double qd[], double qdd[])
{
    const fa_vec3 speed = vec3_scale(1 / line->duration, vec3_sub(line->to, line->from));
    const fa_vec3 place = vec3_add(line->from, vec3_scale(t, speed));
    const fa_vec3 none = {0, 0, 0};
    const double  zero[N] = {0};
    fa_transform  pose;
    fa_twist      v, a;

    // Newton's iteration converges quadratically, so the step after one below 1e-9 leaves rounding.
    double size = INFINITY;
    for (int iteration = 0; size > 1e-9; iteration++) {
        double step[N];
        if (iteration == 30) return FA_SINGULAR;
        hand(line, q, zero, &pose, &v, &a);
        const fa_twist missing = {small_turn(pose.E, line->E), vec3_sub(place, pose.r)};
        if (solve(line, q, missing, step) != FA_OK) return FA_SINGULAR;
        size = 0;
        for (int i = 0; i < N; i++) {
            q[i] += step[i];
            size = fmax(size, fabs(step[i]));
        }
    }
    if (solve(line, q, (fa_twist){none, speed}, qd) != FA_OK) return FA_SINGULAR;
    hand(line, q, qd, &pose, &v, &a);
    return solve(line, q, twist_scale(-1, a), qdd);
}
