// A wheel that grips the ground as far as dry friction does: it rolls along the link, against the
// friction of rolling, and creeps sideways at a speed that grows with the share of the grip in use.
ELEMENT(wheel_ground, LINK, "ground", "wheels that slip")
    NUMBER(slip_speed, "slip-speed", "slip_speed", METRE_PER_SECOND, USUAL(0.01), ABOVE_ZERO,
           SHARED, "Speed over which the friction of the ground turns round; above zero")
    NUMBER_OF(viscous, wheel)
    NUMBER_OF(coulomb, wheel)
    NUMBER_OF(width, wheel)
    NUMBER_OF(coefficient, grip)
    GIVEN(along, METRE_PER_SECOND, "velocity of the point along the link")
    GIVEN(across, METRE_PER_SECOND, "velocity of the point across the link, to the left")
    GIVEN(turn, RADIAN_PER_SECOND, "rate of the link")
    GIVEN(load, NEWTON, "of the whole link on the ground")
    GIVEN(share, NONE, "of it at this point")
    GIVEN(scale_along, NONE, "of patches of the ground")
    GIVEN(scale_across, NONE, "of patches of the ground")
    RESULT(forwards, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(sideways_force, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(moment, PUSH, "", NEWTON_METRE, ALWAYS, "")
    RESULT(usage, OUTPUT, "slip_usage", NONE, ALWAYS, "Share of its grip that %s uses")
#ifdef LAW
    const real rolling = viscous * along + coulomb * real_tanh(along / width);
    const real most = coefficient * load;
    const real back = scale_along * rolling;
    const real lateral =
        scale_across * most * across / real_sqrt(across * across + slip_speed * slip_speed);
    const real square = back * back + lateral * lateral;
    out->forwards = -share * back;
    out->sideways_force = -share * lateral;
    out->moment = num(0);
    out->usage = where(square > 0, real_sqrt(where(square > 0, square, num(1))), num(0)) / most;
#endif
END(wheel_ground)
