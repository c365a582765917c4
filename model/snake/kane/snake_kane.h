// The snake's motion in stages, O(n) each: what the default method is made of, and what the other
// questions about a moving snake (forces in its joints, control, energy, drawing) start from.
//
//     fa_snake_kinematics   theta, u            ->  speeds and their partial derivatives
//     fa_snake_project      ... and forces      ->  M ud + bias = F
//     fa_snake_accelerate   ... and ud          ->  accelerations of every link
//     fa_snake_reactions    ... and forces      ->  forces on wheels and in joints
#ifndef FA_SNAKE_KANE_H
#define FA_SNAKE_KANE_H

#include "snake.h"

// One link's motion. The first stage fills everything but Vd and wd, the third these.
typedef struct fa_snake_motion {
    double C, S;   // of the angle of the joint in front; 1 and 0 in the last link
    double V;      // speed of the wheel along e [m/s]
    double w;      // rate [rad/s]
    double V_u[2]; // dV/du
    double w_u[2]; // dw/du
    double sigma;  // dV/dt while u stands still [m/s^2]
    double tau;    // dw/dt while u stands still [rad/s^2]
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

// ud = M^-1 (F - bias). FA_SINGULAR when M is not positive definite, or not a number.
fa_status fa_snake_solve(const fa_snake_equations *equations, double ud[2]);

void fa_snake_accelerate(const fa_snake *snake, const double ud[2], fa_snake_motion motion[]);

// Force of link k on link k+1, in world axes [N].
typedef struct fa_snake_force {
    double x, y;
} fa_snake_force;

// From accelerations to forces, link by link from both ends to the base, where two equations are
// left over that must hold by themselves: `residual` is what they miss, along e [N] and about the
// wheel [N m]. joint (n - 1 of them) may be NULL.
void fa_snake_reactions(const fa_snake *snake, const double theta[], const fa_snake_motion motion[],
                        const fa_snake_forces *forces, double lambda[], fa_snake_force joint[],
                        double residual[2]);

// Kinetic energy [J].
double fa_snake_kinetic_energy(const fa_snake *snake, const fa_snake_motion motion[]);

// What the forces add to it [W]. The wheels' lateral forces do no work.
typedef struct fa_snake_power {
    double joints, rolling;
} fa_snake_power;
fa_snake_power fa_snake_work_rate(const fa_snake *snake, const fa_snake_motion motion[],
                                  const fa_snake_forces *forces);

#endif
