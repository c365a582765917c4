// A spring and a damper side by side, around a position of rest.
ELEMENT(spring, JOINT, "spring", "spring and damper")
    NUMBER(stiffness, "stiffness", "stiffness", STIFFNESS, USUAL(0), FINITE, ALWAYS,
           "Stiffness of the spring at %s")
    NUMBER(damping, "damping", "damping", DAMPING, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Damping of the spring at %s")
    NUMBER(rest, "rest", "rest", POSITION, USUAL(0), FINITE, ALWAYS,
           "Position of %s at which its spring is slack")
    GIVEN(position, POSITION, "of the joint")
    GIVEN(rate, SPEED, "of the joint")
    RESULT(damper, PUSH, "", EFFORT, ALWAYS, "")
    RESULT(torque, PUSH, "", EFFORT, ALWAYS, "")
    RESULT(loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
    RESULT(energy, STORED, "", JOULE, ALWAYS, "")
#ifdef LAW
    const real stretch = position - rest;
    out->damper = -damping * rate;
    out->torque = -stiffness * stretch;
    out->loss = -out->damper * rate;
    out->energy = 0.5 * stiffness * stretch * stretch;
#endif
END(spring)
