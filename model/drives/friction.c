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

double fa_friction_torque(const fa_friction *friction, double rate, fa_friction_slopes *by)
{
    // c+ where t = 1 and -c- where t = -1, smooth between and zero at rest.
    const bool none = friction->coulomb == 0 && friction->coulomb_negative == 0;
    if (!by && none) return friction->viscous * rate + 0.0; // no other zero than from below
    double width = friction->width;
    double t = fa_tanh(rate / width);
    if (by) {
        double t_slope = (even(friction) + 2 * odd(friction) * t) * (1 - t) * (1 + t) / width;
        *by = (fa_friction_slopes){.rate = friction->viscous + t_slope,
                                   .viscous = rate,
                                   .coulomb = 0.5 * (t + t * t),
                                   .coulomb_negative = 0.5 * (t - t * t),
                                   .width = -t_slope * rate / width};
    }
    return friction->viscous * rate + even(friction) * t + odd(friction) * t * t;
}

double fa_slip_torque(const fa_friction *friction, double sense, double rate,
                      fa_friction_slopes *by)
{
    bool   forwards = sense > 0;
    double level = forwards ? friction->coulomb : friction->coulomb_negative;
    double breakaway = forwards ? friction->breakaway : friction->breakaway_negative;
    double t = fa_tanh(rate / friction->stribeck);
    double bump = (1 - t) * (1 + t); // sech^2
    if (by) {
        double bump_slope = -2 * t * bump / friction->stribeck * sense * (breakaway - level);
        *by = (fa_friction_slopes){.rate = friction->viscous + bump_slope,
                                   .viscous = rate,
                                   .stribeck = -bump_slope * rate / friction->stribeck};
        *(forwards ? &by->coulomb : &by->coulomb_negative) = sense * (1 - bump);
        *(forwards ? &by->breakaway : &by->breakaway_negative) = sense * bump;
    }
    return friction->viscous * rate + sense * (level + (breakaway - level) * bump);
}
