// The stages of the snake's motion, O(n) each. The default method consists of them; forces in
// joints, control, energy and drawing use them, too.
//
//   fa_snake_kinematics   theta, u            ->  speeds and their partial derivatives
//   fa_snake_project      ... and forces      ->  M ud + bias = F
//   fa_snake_accelerate   ... and ud          ->  accelerations of every link
//   fa_snake_reactions    ... and forces      ->  forces on wheels and in joints
#ifndef FA_SNAKE_KANE_H
#define FA_SNAKE_KANE_H

#include "snake.h"

// Motion of a link. The first stage computes all fields but Vd and wd, the third stage these.
typedef struct fa_snake_motion {
    double C, S;   // of the angle of the joint in front; 1 and 0 in the last link
    double V;      // speed of the wheel along e [m/s]
    double w;      // rate [rad/s]
    double V_u[2]; // dV/du
    double w_u[2]; // dw/du
    double sigma;  // dV/dt at constant u [m/s^2]
    double tau;    // dw/dt at constant u [rad/s^2]
    double Vd, wd; // dV/dt, dw/dt
} fa_snake_motion;

// Kane's equations of motion: M ud + bias = F.
typedef struct fa_snake_equations {
    double M[2][2]; // symmetric, positive definite in every shape
    double bias[2];
    double F[2];
} fa_snake_equations;

void fa_snake_kinematics(const fa_snake *snake, const double theta[], const double u[2],
                         fa_snake_motion motion[]);

fa_snake_equations fa_snake_project(const fa_snake *snake, const fa_snake_motion motion[],
                                    const fa_snake_forces *forces);

// Solves ud = M^-1 (F - bias). FA_SINGULAR when M is not positive definite, or not a number.
fa_status fa_snake_solve(const fa_snake_equations *equations, double ud[2]);

void fa_snake_accelerate(const fa_snake *snake, const double ud[2], fa_snake_motion motion[]);

// Force of link k on link k+1, in world axes [N].
typedef struct fa_snake_force {
    double x, y;
} fa_snake_force;

// Computes forces from accelerations, link by link from both ends to the base. The base's two
// remaining equations are a check: `residual` is their error, along e [N] and about the wheel [N
// m]. joint (n - 1 of them) may be NULL.
void fa_snake_reactions(const fa_snake *snake, const double theta[], const fa_snake_motion motion[],
                        const fa_snake_forces *forces, double lambda[], fa_snake_force joint[],
                        double residual[2]);

// Kinetic energy [J].
double fa_snake_kinetic_energy(const fa_snake *snake, const fa_snake_motion motion[]);

// Power of the forces [W]. The wheels' lateral forces do no work.
typedef struct fa_snake_power {
    double joints, rolling;
} fa_snake_power;
fa_snake_power fa_snake_work_rate(const fa_snake *snake, const fa_snake_motion motion[],
                                  const fa_snake_forces *forces);

#endif
