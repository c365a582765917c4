// A cylinder with its valve, as somebody else would write it: pressures by Runge-Kutta steps of at
// most 0.5 ms. It shares nothing with the product, not even its laws' code; the equations are those
// of tests/reference/ports/port_coupled.json. Tests and bench/port.py load it as a library.
#include <math.h>

enum {
    BORE,
    ROD,
    CLOSED,
    STROKE,
    HOSE_LENGTH,
    HOSE_DIAMETER,
    HOSE_MODULUS,
    WALL_MODULUS,
    BULK_MODULUS,
    DEAD,
    FLOW,
    DROP,
    TRANSITION,
    SUPPLY,
    TANK,
    VISCOUS,
    COULOMB,
    WIDTH,
    LEAKAGE,
    VAPOUR
};

double foreign_friction(const double n[], double v)
{
    return n[COULOMB] * tanh(v / n[WIDTH]) + n[VISCOUS] * v;
}

static double area(double diameter)
{
    return 3.14159265358979323846 / 4 * diameter * diameter;
}

static double edge(const double n[], double opening, double drop)
{
    double gain = n[FLOW] / sqrt(n[DROP]);
    return gain * opening * drop / sqrt(sqrt(drop * drop + n[TRANSITION] * n[TRANSITION]));
}

static double room(const double n[], double inside, double p)
{
    double hose = area(n[HOSE_DIAMETER]) * n[HOSE_LENGTH], gap = p - n[VAPOUR];
    double c = 1 / n[BULK_MODULUS] + 3 * 8e6 / (gap * gap * gap * gap);
    return (inside + hose + n[DEAD]) * c + inside / n[WALL_MODULUS] + hose / n[HOSE_MODULUS];
}

double foreign_force(const double n[], const double p[2], double v)
{
    double a = area(n[BORE]), b = a - area(n[ROD]);
    return a * p[0] - b * p[1] - foreign_friction(n, v);
}

double foreign_stiffness(const double n[], const double p[2], double length)
{
    double a = area(n[BORE]), b = a - area(n[ROD]), x = length - n[CLOSED];
    return a * a / room(n, a * x, p[0]) + b * b / room(n, b * (n[STROKE] - x), p[1]);
}

// Rates of both pressures, with the valve open by u.
void foreign_rates(const double n[], const double p[2], double length, double v, double u,
                   double rate[2])
{
    double a = area(n[BORE]), b = a - area(n[ROD]), x = length - n[CLOSED];
    double into_a, into_b, inner = n[LEAKAGE] * (p[0] - p[1]);
    if (u >= 0) {
        into_a = edge(n, u, n[SUPPLY] - p[0]);
        into_b = -edge(n, u, p[1] - n[TANK]);
    } else {
        into_a = -edge(n, -u, p[0] - n[TANK]);
        into_b = edge(n, -u, n[SUPPLY] - p[1]);
    }
    rate[0] = (into_a - a * v - inner) / room(n, a * x, p[0]);
    rate[1] = (into_b + b * v + inner) / room(n, b * (n[STROKE] - x), p[1]);
}

static double between(double t, const double time[], const double value[], int points)
{
    int i = 1;
    if (t <= time[0]) return value[0];
    while (i < points && time[i] < t) i++;
    if (i == points) return value[points - 1];
    return value[i - 1] + (value[i] - value[i - 1]) * (t - time[i - 1]) / (time[i] - time[i - 1]);
}

// From t on over h, the length being x + v_a s + (v_b - v_a) s^2 / 2 h; the spool is on a line
// between points.
void foreign_step(const double n[], double p[2], double t, double h, double x, double v_a,
                  double v_b, const double time[], const double spool[], int points)
{
    int    steps = (int)ceil(h / 5e-4 - 1e-9);
    double d = h / (steps > 1 ? steps : 1), rise = (v_b - v_a) / h;
    for (int i = 0; i < (steps > 1 ? steps : 1); i++) {
        static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
        double              k[2] = {0, 0}, sum[2] = {0, 0};
        for (int stage = 0; stage < 4; stage++) {
            double s = (i + at[stage]) * d;
            double here[2] = {p[0] + at[stage] * d * k[0], p[1] + at[stage] * d * k[1]};
            foreign_rates(n, here, x + v_a * s + rise * s * s / 2, v_a + rise * s,
                          between(t + s, time, spool, points), k);
            sum[0] += share[stage] * k[0];
            sum[1] += share[stage] * k[1];
        }
        p[0] += d * sum[0];
        p[1] += d * sum[1];
    }
}
