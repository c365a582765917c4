// Share of a wheel's grip in use, across and along; each link's weight is on its own wheel. An
// output only: the wheel never slips. The defaults are rubber on a dry floor.
ELEMENT(grip, WHEEL, "wheel", "grip of the wheel")
    NUMBER(coefficient, "grip", "friction_coefficient", NONE, USUAL(0.8), ABOVE_ZERO, ALWAYS,
           "Friction coefficient of %s and the ground, beyond which it would slip")
    GIVEN(lateral, NEWTON, "of the ground across")
    GIVEN(rolling, NEWTON, "of the ground along")
    GIVEN(mass, KILOGRAM, "of the link")
    GIVEN(gravity, METRE_PER_SECOND2, "which presses it on the wheel")
    MODE(slip, "slip", BOOLEAN, NONE, ALWAYS, "Whether %s would slip now")
    RESULT(
        usage, OUTPUT, "slip_usage", NONE, ALWAYS,
        "Share of its grip that %s uses; from 1 on it would slip and the model, in which it does "
        "not, is no longer true")
#ifdef LAW
    const real square = lateral * lateral + rolling * rolling;
    out->usage = where(square > 0, real_sqrt(square), num(0)) / (coefficient * mass * gravity);
#endif
#ifdef EVENT // SLACK: hysteresis, far below what anybody would notice
    const double SLACK = 1e-6, beyond = out->usage - 1;
    next->slip = slip != 0 ? beyond > -SLACK : beyond >= SLACK;
#endif
END(grip)
