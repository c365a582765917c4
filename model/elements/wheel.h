// Rolling friction of a snake's wheel, against its motion: viscous, and Coulomb's, turned round
// over `width`.
ELEMENT(wheel, WHEEL, "wheel", "rolling friction of the wheel")
    NUMBER(viscous, "rolling-viscous", "viscous_friction", NEWTON_SECOND_PER_METRE, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Force against rolling of %s per unit of speed")
    NUMBER(coulomb, "rolling-coulomb", "coulomb_friction", NEWTON, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Force against rolling of %s, whatever the speed")
    NUMBER(width, "rolling-width", "friction_width", METRE_PER_SECOND, USUAL(0.01), ABOVE_ZERO,
           SHARED, "Speed over which the Coulomb friction of rolling turns round; above zero")
    GIVEN(rate, METRE_PER_SECOND, "of rolling")
    SHORTCUT(dry, coulomb > 0)
    RESULT(force, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real t = dry ? real_tanh(rate / width) : num(0);
    out->force = -viscous * rate - coulomb * t;
    out->loss = -out->force * rate;
#endif
END(wheel)
