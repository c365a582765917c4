// A compliant cone around the parent's axis that the child's axis of a ball joint does not leave
// freely: pushes back with stiffness times depth and damping times speed while it is touched, and
// never pulls.
ELEMENT(cone, BALL, "stop", "cone of a ball joint")
    NUMBER(limit, "cone", "stop_cone", RADIAN, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Angle between the axes of %s at which it meets its stop; above zero, below pi")
    NUMBER(stiffness, "stiffness", "stop_stiffness", NEWTON_METRE_PER_RADIAN, REQUIRED, ABOVE_ZERO,
           ALWAYS, "Stiffness of the stop of %s; above zero")
    NUMBER(damping, "damping", "stop_damping", NEWTON_METRE_SECOND_PER_RADIAN, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Damping of the stop of %s")
    GIVEN(angle, RADIAN, "of the child's axis from the parent's")
    GIVEN(rate, RADIAN_PER_SECOND, "of this angle")
    MODE(side, "stop", INTEGER, NONE, ALWAYS, "Stop that %s touches: 1 its cone, 0 none")
    RULE(limit < 3.14159265358979323846,
         "the cone of %s is {limit} rad, which no angle between two axes is beyond; make it less "
         "than pi, or remove the stop")
    RESULT(torque, PUSH, "", NEWTON_METRE, ALWAYS, "") // that opens the angle
    RESULT(work, DRIVE, "", WATT, ALWAYS, "")
    RESULT(loss, STOP_LOSS, "", WATT, ALWAYS, "")
    RESULT(energy, STORED, "", JOULE, ALWAYS, "")
    RESULT(indicator, INDICATOR, "stop_indicator", NONE, ALWAYS,
           "Above zero while %s touches its cone")
#ifdef LAW
    const mask touches = side > 0;
    const real depth = angle - limit;
    const real spring = stiffness * depth;
    const real push = spring + damping * rate;
    const mask pushes = touches & (push > 0);
    const real back = where(pushes, -push, num(0));

    out->torque = back;
    out->work = back * rate;
    out->loss = where(pushes, damping * rate * rate, where(touches, -spring * rate, num(0)));
    out->energy = where(touches, 0.5 * spring * depth, num(0));
    // How deep, and no deeper than a stop that pushes as this does now; with a hysteresis of 1e-9
    // rad that keeps it from zero when the mode changes.
    const real deep = depth + real_min(num(0), damping / stiffness * rate);
    out->indicator = deep + where(touches, num(1e-9), num(-1e-9));
#endif
#ifdef EVENT
    if (side == 0 && out->indicator >= 0) next->side = 1;
    if (side != 0 && out->indicator <= 0) next->side = 0;
#endif
END(cone)
