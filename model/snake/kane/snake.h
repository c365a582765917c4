// A planar snake of n links, each on one passive wheel that does not slip sideways, and the one
// question that every method of the table below answers: what are the accelerations?
//
// After Tavakoli Nia, Pishkenari and Meghdari, "A recursive approach for the analysis of snake
// robots using Kane's equations", Robotica (2005), with links of any shape:
//
//                    wheel, speed V along e
//     rear joint  a    |        b         front joint
//         o------------|--------------------o ------> e      n: e turned left by 90 degrees
//                      |---- c ----.                         centre of mass: wheel + c e + d n
//
// Link 0 here is link 1 of the paper and of the FMU. e points from its wheel towards link 1: a
// snake with u[0] > 0 moves with its last link in front. The n wheels leave two degrees of freedom
// in every shape, and no condition on the state: any theta, x, y, u are legal.
#ifndef FA_SNAKE_H
#define FA_SNAKE_H

#include <stddef.h>

#include "status.h"

// The letters are the paper's; its links have a = b = h and c = d = 0.
typedef struct fa_snake_link {
    double a; // rear joint to wheel [m]; not 0, except in the first link
    double b; // wheel to front joint [m]
    double c; // wheel to centre of mass, along e [m]
    double d; // wheel to centre of mass, along n [m]
    double m; // mass [kg]
    double I; // moment of inertia about the centre of mass [kg m^2]

    // Resistance to rolling (elements/wheel.h); the methods do not read it.
    double rolling_viscous; // [N s/m]
    double rolling_coulomb; // [N]
} fa_snake_link;

// Joint k lies between links k and k+1; its angle is phi_k = theta_{k+1} - theta_k.
typedef struct fa_snake_joint {
    double rotor; // rotor inertia seen at the joint, gear ratio squared times the rotor's [kg m^2]

    // A passive torque (elements/friction.h, spring.h); the methods do not read it.
    double viscous;   // [N m s/rad]
    double stiffness; // [N m/rad]
    double rest;      // [rad]
} fa_snake_joint;

typedef struct fa_snake {
    int                   n;             // links, at least 2
    int                   base;          // the link whose motion is u; 0 is the paper's choice
    const fa_snake_link  *link;          // n of them
    const fa_snake_joint *joint;         // n - 1 of them
    double                rolling_width; // speed over which rolling friction turns round [m/s]
} fa_snake;

// Torque of joint k acts with + on link k+1 and with - on link k. Rolling forces act at the wheels
// along e; NULL: none.
typedef struct fa_snake_forces {
    const double *torque;  // n - 1 of them, everything but the rotors' inertia in them [N m]
    const double *rolling; // n of them [N]
    // Sum of all other forces on each link, as it acts at the wheel along n [N], and its moment
    // about the wheel [N m]; both or neither NULL. Their component along e is part of `rolling`.
    const double *across, *moment;
} fa_snake_forces;

// ud = du/dt with u = (V, w) of the base link: speed of its wheel along e [m/s] and rate [rad/s];
// theta are the links' angles [rad]. lambda, unless NULL, receives the forces of the ground on the
// wheels along n [N], which are the multipliers of the constraints "no side slip".
//
// FA_SINGULAR when the mass matrix has no inverse, which no snake that passes fa_snake_check can
// bring about; FA_NOT_FINITE when the result is not a number; FA_UNFIT when the method does not
// know this base. The results are then undefined.
typedef fa_status fa_snake_forward_fn(const fa_snake *snake, const double theta[],
                                      const double u[2], const fa_snake_forces *forces,
                                      double ud[2], double lambda[], void *work);

typedef struct fa_snake_method {
    const char *name;                 // as --method takes it
    const char *page;                 // of docs/theory, without .md
    const char *paper;                // author, year, section or equations
    const char *order;                // cost in the number of links
    bool        any_base;             // false: base 0 only
    size_t (*work_size)(int n_links); // bytes
    fa_snake_forward_fn *forward;
} fa_snake_method;

// The first row is the default.
extern const fa_snake_method fa_snake_methods[];
extern const int             fa_snake_method_count;

// Returns NULL if there is no such method.
const fa_snake_method *fa_snake_method_find(const char *name);

// Returns the largest work_size in the table.
size_t fa_snake_methods_work_size(int n_links);

// Checks a snake: two links or more, finite numbers, positive masses and inertias, no wheel on a
// rear joint, and a well-conditioned base link.
fa_status fa_snake_check(const fa_snake *snake, fa_error *error);

// The same check; *link and *joint receive the faulty part, or FA_SNAKE_WHOLE.
#define FA_SNAKE_WHOLE (-1)
fa_status fa_snake_check_parts(const fa_snake *snake, int *link, int *joint, fa_error *error);

// Returns the largest factor by which rounding in u grows from the base link to the others; and the
// base with the smallest factor. Where wheels sit behind the middles of their links, the best base
// is far from link 0.
double fa_snake_growth(const fa_snake *snake, int base);
int    fa_snake_best_base(const fa_snake *snake);

// Growth beyond which fa_snake_check refuses a base: three of the sixteen digits of a double.
#define FA_SNAKE_GROWTH_MAX 1e3

#endif
