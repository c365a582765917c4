// A drive with a valve that can close: the enclosed oil is a spring and a damper, whose rest
// position makes the force continuous when the valve closes.
ELEMENT(closure, MOVED_JOINT, "valve-closure", "drive with a valve that closes")
    NUMBER(stiffness, "stiffness", "closure_stiffness", STIFFNESS, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Stiffness of %s while its valve is closed, of the oil shut in; above zero")
    NUMBER(damping, "damping", "closure_damping", DAMPING, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Damping of %s while its valve is closed")
    NUMBER(time, "time", "closure_time", SECOND, USUAL(INFINITY), FINITE, IF(timed),
           "When the valve of %s closes, whatever the input says")
    NUMBER_OF(effort, limit)
    INPUT(asked, "[slides?force:torque]", EFFORT, UP_TO(effort), ALWAYS,
          "Drive [slides?force:torque] at %s; positive increases its position")
    GIVEN(position, POSITION, "of the joint")
    GIVEN(rate, SPEED, "of the joint")
    SWITCH(close, "close",
           "[analogue?Above 0.5:True]: the valve of %s is closed, and its drive a spring with a "
           "damper")
    MODE(closed, "closed", BOOLEAN, NONE, ALWAYS, "Whether the valve of %s is closed")
    MODE(rest, "closure_rest", REAL, POSITION, ALWAYS,
         "Position of %s at which the oil shut in would be without pressure")
    CHOICE(analogue, "signal", "boolean", "real")
    FLAG(timed, time < INFINITY, "a time at which the valve closes")
    RESULT(torque, PUSH, "", EFFORT, ALWAYS, "")
    RESULT(indicator, INDICATOR, "close_indicator", NONE, IF(analogue),
           "Above zero while the valve of %s is to be closed")
#ifdef LAW
    out->torque = where(closed == 0, asked, -stiffness * (position - rest) - damping * rate);
    // With a hysteresis that keeps it from zero when the mode changes.
    out->indicator = close - 0.5 + where(closed == 0, -num(1e-9), num(1e-9));
#endif
#ifdef EVENT
    const int wanted = close > 0.5 || now >= time;
    if (now < time && time < *next_time) *next_time = time;
    if (wanted && closed == 0) next->rest = position + asked / stiffness;
    next->closed = wanted;
#endif
END(closure)
