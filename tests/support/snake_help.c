// Random snakes and a fixed-step integrator.
#include "snake_help.h"

#include <math.h>
#include <string.h>

#include "laws.h"

static void prepare(test_snake *of, int n)
{
    memset(of, 0, sizeof *of);
    of->snake.n = n;
    of->snake.link = of->link;
    of->snake.joint = of->joint;
    of->snake.rolling_width = 0.01;
}

void paper_snake(test_snake *of, int n)
{
    prepare(of, n);
    for (int k = 0; k < n; k++) {
        of->link[k].a = of->link[k].b = 0.1;
        of->link[k].m = 1;
        of->link[k].I = 0.005;
    }
}

void random_snake(test_snake *of, int n, uint64_t *seed)
{
    prepare(of, n);
    for (int k = 0; k < n; k++) {
        fa_snake_link *link = &of->link[k];
        const double   length = random_between(seed, 0.15, 0.25);
        link->a = length * random_between(seed, 0.45, 0.55);
        link->b = length - link->a;
        link->c = random_between(seed, -0.04, 0.04);
        link->d = random_between(seed, -0.04, 0.04);
        link->m = random_between(seed, 0.5, 2);
        link->I = random_between(seed, 0.002, 0.02);
        of->joint[k].rotor = random_between(seed, 0, 0.01);
    }
    of->snake.base = fa_snake_best_base(&of->snake);
}

double passive_torque(const fa_snake_joint *joint, double phi, double phid)
{
    const fa_friction_in bearing = {.viscous = joint->viscous, .width = 0.01, .rate = phid};
    const fa_spring_in   spring = {
          .stiffness = joint->stiffness, .rest = joint->rest, .position = phi, .rate = phid};
    fa_friction_out by_bearing;
    fa_spring_out   by_spring;
    fa_friction_law(&bearing, &by_bearing);
    fa_spring_law(&spring, &by_spring);
    return by_bearing.torque + by_spring.damper + by_spring.torque;
}

static fa_gait_out gait_at(const fa_gait_data *gait, int joint, double t, double phi, double phid)
{
    const fa_gait_in in = {gait->amplitude,
                           gait->frequency,
                           gait->shift,
                           gait->bias,
                           gait->phase,
                           gait->stiffness,
                           gait->damping,
                           INFINITY,
                           t,
                           joint,
                           phi,
                           phid,
                           false};
    fa_gait_out      out;
    fa_gait_law(&in, &out);
    return out;
}

double gait_torque(const fa_gait_data *gait, int joint, double t, double phi, double phid)
{
    return gait_at(gait, joint, t, phi, phid).torque;
}

double gait_reference(const fa_gait_data *gait, int joint, double t)
{
    return gait_at(gait, joint, t, 0, 0).reference;
}

double rolling_force(const fa_snake *snake, int k, double V)
{
    const fa_snake_link *link = &snake->link[k];
    const fa_wheel_in    in = {.viscous = link->rolling_viscous,
                               .coulomb = link->rolling_coulomb,
                               .width = snake->rolling_width,
                               .rate = V,
                               .dry = link->rolling_coulomb > 0};
    fa_wheel_out         out;
    fa_wheel_law(&in, &out);
    return out.force;
}

double random_between(uint64_t *seed, double low, double high)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u; // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

enum { COLUMNS = 8, ROOM = MAX_LINKS + 5 };

static void midpoint(slope *f, void *context, double t, double step, int parts, int n,
                     const double from[], double to[])
{
    double       before[ROOM], now[ROOM], yd[ROOM];
    const double h = step / parts;
    f(context, t, from, yd);
    for (int i = 0; i < n; i++) {
        before[i] = from[i];
        now[i] = from[i] + h * yd[i];
    }
    for (int part = 1; part < parts; part++) {
        f(context, t + part * h, now, yd);
        for (int i = 0; i < n; i++) {
            const double next = before[i] + 2 * h * yd[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    f(context, t + step, now, yd);
    for (int i = 0; i < n; i++) to[i] = (now[i] + before[i] + h * yd[i]) / 2;
}

void integrate(slope *f, void *context, double t0, double t1, int steps, int n, double y[])
{
    static double T[COLUMNS][COLUMNS][ROOM]; // Neville's table
    const double  step = (t1 - t0) / steps;
    for (int s = 0; s < steps; s++) {
        for (int row = 0; row < COLUMNS; row++) {
            midpoint(f, context, t0 + s * step, step, 2 * (row + 1), n, y, T[row][0]);
            for (int column = 1; column <= row; column++) {
                const double ratio = (row + 1.0) / (row + 1.0 - column);
                for (int i = 0; i < n; i++)
                    T[row][column][i] =
                        T[row][column - 1][i] +
                        (T[row][column - 1][i] - T[row - 1][column - 1][i]) / (ratio * ratio - 1);
            }
        }
        memcpy(y, T[COLUMNS - 1][COLUMNS - 1], (size_t)n * sizeof *y);
    }
}

double largest(const double x[], int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, isfinite(x[i]) ? fabs(x[i]) : INFINITY);
    return most;
}

double miss(const double got[], const double want[], int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double off = fabs(got[i] - want[i]);
        if (!(off <= most)) most = isnan(off) ? INFINITY : off;
    }
    return most / fmax(1, largest(want, n));
}
