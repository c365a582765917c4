#include "friction.h"

#include "tanh.h"

// The two halves of Coulomb friction: even turns with the motion, odd does not.
static double even(const fa_friction *friction)
{
    return 0.5 * (friction->coulomb + friction->coulomb_negative);
}

static double odd(const fa_friction *friction)
{
    return 0.5 * (friction->coulomb - friction->coulomb_negative);
}

double fa_friction_torque(const fa_friction *friction, double rate)
{
    // c+ where t = 1 and -c- where t = -1, smooth between and zero at rest.
    double t = fa_tanh(rate / friction->width);
    return friction->viscous * rate + even(friction) * t + odd(friction) * t * t;
}

double fa_friction_step(const fa_friction *friction, double rate, double rate_step,
                        const fa_friction *step)
{
    double width = friction->width;
    double t = fa_tanh(rate / width);
    double t_step = (1 - t) * (1 + t) * (rate_step - rate * step->width / width) / width;
    return step->viscous * rate + friction->viscous * rate_step + even(step) * t +
           odd(step) * t * t + (even(friction) + 2 * odd(friction) * t) * t_step;
}

double fa_spring_torque(const fa_spring *spring, double position, double rate)
{
    return -spring->stiffness * (position - spring->rest) - spring->damping * rate;
}

double fa_spring_step(const fa_spring *spring, double position, double rate, double position_step,
                      double rate_step, const fa_spring *step)
{
    return -step->stiffness * (position - spring->rest) -
           spring->stiffness * (position_step - step->rest) - step->damping * rate -
           spring->damping * rate_step;
}

double fa_spring_energy(const fa_spring *spring, double position)
{
    double stretch = position - spring->rest;
    return 0.5 * spring->stiffness * stretch * stretch;
}

double fa_spring_energy_step(const fa_spring *spring, double position, double position_step,
                             const fa_spring *step)
{
    double stretch = position - spring->rest;
    return 0.5 * step->stiffness * stretch * stretch +
           spring->stiffness * stretch * (position_step - step->rest);
}

void fa_friction_slope(const fa_friction *friction, double rate, double wanted, double *rate_slope,
                       fa_friction *slope)
{
    double width = friction->width;
    double t = fa_tanh(rate / width);
    double t_slope = wanted * (even(friction) + 2 * odd(friction) * t) * (1 - t) * (1 + t) / width;
    *rate_slope += wanted * friction->viscous + t_slope;
    slope->viscous += wanted * rate;
    slope->coulomb += wanted * 0.5 * (t + t * t);
    slope->coulomb_negative += wanted * 0.5 * (t - t * t);
    slope->width -= t_slope * rate / width;
}

void fa_spring_slope(const fa_spring *spring, double position, double rate, double wanted,
                     double *position_slope, double *rate_slope, fa_spring *slope)
{
    *position_slope -= wanted * spring->stiffness;
    *rate_slope -= wanted * spring->damping;
    slope->stiffness -= wanted * (position - spring->rest);
    slope->damping -= wanted * rate;
    slope->rest += wanted * spring->stiffness;
}

void fa_spring_energy_slope(const fa_spring *spring, double position, double wanted,
                            double *position_slope, fa_spring *slope)
{
    double stretch = position - spring->rest;
    *position_slope += wanted * spring->stiffness * stretch;
    slope->stiffness += wanted * 0.5 * stretch * stretch;
    slope->rest -= wanted * spring->stiffness * stretch;
}
