// A compliant stop at each limit: pushes back with stiffness times depth and damping times speed
// while it is touched, and never pulls. It stores what its spring would, and loses the rest.
ELEMENT(stop, MOVED_JOINT, "stop", "stops at the limits")
    NUMBER(stiffness, "stiffness", "stop_stiffness", STIFFNESS, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Stiffness of the stops of %s; above zero")
    NUMBER(damping, "damping", "stop_damping", DAMPING, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Damping of the stops of %s")
    NUMBER_OF(lower, limit)
    NUMBER_OF(upper, limit)
    GIVEN(position, POSITION, "of the joint")
    GIVEN(rate, SPEED, "of the joint")
    MODE(side, "stop", INTEGER, NONE, ALWAYS,
         "Stop that %s touches: -1 the lower, 1 the upper, 0 none")
    RULE(lower > -INFINITY || upper < INFINITY,
         "%s has stops but no limit of its position where they could stand; give it a lower or an "
         "upper one")
    RESULT(torque, PUSH, "", EFFORT, ALWAYS, "")
    RESULT(loss, STOP_LOSS, "", WATT, ALWAYS, "")
    RESULT(energy, STORED, "", JOULE, ALWAYS, "")
    RESULT(indicator, INDICATOR, "stop_indicator", NONE, ALWAYS,
           "Above zero while %s touches a stop")
#ifdef LAW
    const real limit = where(side > 0, upper, lower);
    const real depth = where(side == 0, num(0), side * (position - limit));
    const real speed = side * rate;
    const real push = stiffness * depth + damping * speed;
    const mask pushes = push > 0;

    out->torque = where(pushes, -side * push, num(0));
    out->loss = where(pushes, damping * speed * speed, -stiffness * depth * speed);
    out->energy = 0.5 * stiffness * depth * depth;
    // Indicator: depth in a stop, limited to where a stop at this speed still pushes; with a
    // hysteresis of 1e-9 rad or m, so that it is not zero when the mode changes.
    const real lag = damping / stiffness * rate;
    const real at_upper = position - upper + real_min(num(0), lag);
    const real at_lower = lower - position + real_min(num(0), -lag);
    const real deepest = real_max(at_upper, at_lower);
    const real touching = where(side > 0, at_upper, at_lower) + num(1e-9);
    out->indicator = where(side == 0, deepest - num(1e-9), touching);
#endif
#ifdef EVENT
    const double nearer = position - upper >= lower - position ? 1 : -1;
    if (side == 0 && out->indicator >= 0) next->side = nearer;
    if (side != 0 && out->indicator <= 0) next->side = 0;
#endif
END(stop)
