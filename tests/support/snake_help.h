// Common helpers of the tests of the snake: snakes to try, and an integrator.
#ifndef SNAKE_HELP_H
#define SNAKE_HELP_H

#include <stdint.h>

#include "robot.h"
#include "snake.h"
#include "snake_kane.h"

#define MAX_LINKS 200

// A snake with room for its parts; `snake` points into itself, so it is not to be copied.
typedef struct test_snake {
    fa_snake       snake;
    fa_snake_link  link[MAX_LINKS];
    fa_snake_joint joint[MAX_LINKS];
} test_snake;

// The paper's robot, Table II, with n links.
void paper_snake(test_snake *of, int n);

// Any snake: own lengths, masses and centres in each link, rotors in its joints; wheels between 45
// and 55 hundredths of the link, so that even 200 of them pass the check with the best base, which
// is chosen.
void random_snake(test_snake *of, int n, uint64_t *seed);

// Evaluate the elements at joints and wheels: spring and friction of a joint, a gait's servo and
// its reference, rolling friction.
double passive_torque(const fa_snake_joint *joint, double phi, double phid);
double gait_torque(const fa_gait_data *gait, int joint, double t, double phi, double phid);
double gait_reference(const fa_gait_data *gait, int joint, double t);
double rolling_force(const fa_snake *snake, int k, double V);

// From low to high, the same on every machine.
double random_between(uint64_t *seed, double low, double high);

// y' = f(t, y).
typedef void slope(void *context, double t, const double y[], double yd[]);

// From t0 to t1 in `steps` steps of Gragg, Bulirsch and Stoer's extrapolated midpoint rule with
// eight columns, order 16: what error remains is rounding. y has n <= MAX_LINKS + 5 entries.
void integrate(slope *f, void *context, double t0, double t1, int steps, int n, double y[]);

// The largest absolute entry, and the largest difference relative to the larger of 1 and the
// largest entry of `want`; NaN anywhere gives infinity.
double largest(const double x[], int n);
double miss(const double got[], const double want[], int n);

#endif
