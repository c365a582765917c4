// Forces in a snake with known accelerations, and its energy.
//
// Newton's and Euler's equations of one link after the other, in its own axes. Symbols as in
// snake_kane.c; besides
//
//   A_e, A_n     mass times acceleration of the centre of mass, along e and n
//   f_e, f_n     force at the rear joint on this link        (of link k-1 on link k)
//   g_e, g_n     force at the front joint on this link       (of link k+1 on link k)
//
// A link with one joint has three equations for the two components of the joint's force and for the
// lateral force lambda of the ground on its wheel, along n. The paper does not compute these
// forces: its equations eliminate forces that do no work.
#include "snake_kane.h"

#include <math.h>

#include "sincos.h"

// Mass times acceleration of a link, and the moment about its wheel.
typedef struct inertial {
    double A_e, A_n; // A_n less the other forces across the link
    double moment;   // moment of the inertial force about the wheel, less all torques
} inertial;

// Returns the torque that joint k transmits between links: the drive's torque less that of the
// rotor's inertia.
static double passed_torque(const fa_snake *snake, const fa_snake_motion motion[],
                            const fa_snake_forces *forces, int k)
{
    if (k < 0 || k >= snake->n - 1) return 0;
    return forces->torque[k] - snake->joint[k].rotor * (motion[k + 1].wd - motion[k].wd);
}

static inertial inertial_of(const fa_snake *snake, const fa_snake_motion motion[],
                            const fa_snake_forces *forces, int k)
{
    const fa_snake_link   *link = &snake->link[k];
    const fa_snake_motion *at = &motion[k];
    inertial               of;
    of.A_e = link->m * (at->Vd - link->d * at->wd - link->c * at->w * at->w);
    of.A_n = link->m * (at->V * at->w - link->d * at->w * at->w + link->c * at->wd);
    of.moment = link->I * at->wd + link->c * of.A_n - link->d * of.A_e -
                passed_torque(snake, motion, forces, k - 1) +
                passed_torque(snake, motion, forces, k);
    if (forces->across) {
        of.A_n -= forces->across[k];
        of.moment -= forces->moment[k];
    }
    return of;
}

static double rolling_of(const fa_snake_forces *forces, int k)
{
    return forces->rolling ? forces->rolling[k] : 0;
}

// Rotates a vector from a link's axes to the world's.
static fa_snake_force turned(double theta, double along, double across)
{
    double S, C;
    fa_sincos(theta, &S, &C);
    return (fa_snake_force){along * C - across * S, along * S + across * C};
}

void fa_snake_reactions(const fa_snake *snake, const double theta[], const fa_snake_motion motion[],
                        const fa_snake_forces *forces, double lambda[], fa_snake_force joint[],
                        double residual[2])
{
    const int base = snake->base;

    // From the front end back to the base: moments about the rear joint, whose force is unknown.
    double g_e = 0, g_n = 0;
    for (int k = snake->n - 1; k > base; k--) {
        const double   a = snake->link[k].a, b = snake->link[k].b;
        const inertial of = inertial_of(snake, motion, forces, k);
        lambda[k] = (of.moment + a * of.A_n - (a + b) * g_n) / a;

        const double f_e = of.A_e - g_e - rolling_of(forces, k);
        const double f_n = of.A_n - g_n - lambda[k];
        if (joint) joint[k - 1] = turned(theta[k], f_e, f_n);
        // Negates the force and rotates it by phi into the axes of the next link.
        const double C = motion[k - 1].C, S = motion[k - 1].S;
        g_e = -(C * f_e - S * f_n);
        g_n = -(S * f_e + C * f_n);
    }

    // From the rear end forward to the base: moments about the front joint.
    double f_e = 0, f_n = 0;
    for (int k = 0; k < base; k++) {
        const double   a = snake->link[k].a, b = snake->link[k].b;
        const inertial of = inertial_of(snake, motion, forces, k);
        lambda[k] = -(of.moment - b * of.A_n + (a + b) * f_n) / b;

        const double ahead_e = of.A_e - f_e - rolling_of(forces, k); // g_e of this link
        const double ahead_n = of.A_n - f_n - lambda[k];
        if (joint) joint[k] = turned(theta[k], -ahead_e, -ahead_n);
        const double C = motion[k].C, S = motion[k].S;
        f_e = -(C * ahead_e + S * ahead_n);
        f_n = -(-S * ahead_e + C * ahead_n);
    }

    // The base link has known forces at both ends.
    const double   a = snake->link[base].a, b = snake->link[base].b;
    const inertial of = inertial_of(snake, motion, forces, base);
    lambda[base] = of.A_n - g_n - f_n;
    residual[0] = of.A_e - g_e - f_e - rolling_of(forces, base);
    residual[1] = of.moment - b * g_n + a * f_n;
}

double fa_snake_kinetic_energy(const fa_snake *snake, const fa_snake_motion motion[])
{
    double twice = 0;
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link *link = &snake->link[k];
        const double         along = motion[k].V - link->d * motion[k].w;
        const double         across = link->c * motion[k].w;
        twice += link->m * (along * along + across * across) +
                 link->I * motion[k].w * motion[k].w; // (22)
    }
    for (int k = 0; k < snake->n - 1; k++) {
        const double phid = motion[k + 1].w - motion[k].w;
        twice += snake->joint[k].rotor * phid * phid;
    }
    return twice / 2;
}

fa_snake_power fa_snake_work_rate(const fa_snake *snake, const fa_snake_motion motion[],
                                  const fa_snake_forces *forces)
{
    fa_snake_power power = {0, 0};
    for (int k = 0; k < snake->n - 1; k++)
        power.joints += forces->torque[k] * (motion[k + 1].w - motion[k].w);
    for (int k = 0; k < snake->n; k++) power.rolling += rolling_of(forces, k) * motion[k].V;
    return power;
}
