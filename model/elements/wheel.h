// Rolling friction of a snake's wheel, against its motion: viscous, and Coulomb's, turned round
// over `width`. How much of its grip it uses is counted; the wheel itself never slips.
ELEMENT(wheel, WHEEL, "wheel", "rolling friction of the wheel")
    NUMBER(viscous, "viscous", "rolling_viscous", NEWTON_SECOND_PER_METRE, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Force against the rolling of %s per unit of speed")
    NUMBER(coulomb, "coulomb", "rolling_coulomb", NEWTON, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Force against the rolling of %s, whatever the speed")
    NUMBER(width, "width", "rolling_width", METRE_PER_SECOND, USUAL(0.01), ABOVE_ZERO, ALWAYS,
           "Speed over which the rolling friction of %s turns round; above zero")
    GIVEN(speed, METRE_PER_SECOND, "of rolling")
    GIVEN(lateral, NEWTON, "of the ground across")
    GIVEN(grip, NEWTON, "friction coefficient times the load on the wheel")
    SHORTCUT(dry, coulomb > 0)
    RESULT(force, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(usage, OUTPUT, "slip_usage", NONE, ALWAYS,
           "Share of the grip of %s that is used up; from 1 on it would slip")
#ifdef LAW
    const real t = dry ? real_tanh(speed / width) : num(0);
    out->force = -viscous * speed - coulomb * t;
    out->usage = real_sqrt(lateral * lateral + out->force * out->force) / grip;
#endif
END(wheel)
