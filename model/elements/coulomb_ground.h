// Dry friction between a snake's link and the ground, at one of the points that the link stands on:
// coefficients along the link, forwards and backwards, and across it, over one direction of slip.
//     size    = sqrt(along^2 + across^2 + slip_speed^2)
//     force   = -share load (mu along, sideways across) / size
// mu goes over from backward to forward with the sense of `along`. A force for each direction by
// itself would be larger on the diagonal.
ELEMENT(coulomb_ground, LINK, "ground", "dry ground")
    NUMBER(forward, "forward", "forward_friction", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Friction coefficient of %s and the ground, sliding forwards")
    NUMBER(backward, "backward", "backward_friction", NONE, AS(forward), NOT_NEGATIVE, ALWAYS,
           "Friction coefficient of %s and the ground, sliding backwards")
    NUMBER(sideways, "sideways", "sideways_friction", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Friction coefficient of %s and the ground, sliding sideways")
    NUMBER(slip_speed, "slip-speed", "slip_speed", METRE_PER_SECOND, USUAL(0.01), ABOVE_ZERO,
           SHARED, "Speed over which the friction of the ground turns round; above zero")
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
#ifdef LAW
    const real slow = slip_speed * slip_speed;
    const real size = real_sqrt(along * along + across * across + slow);
    const real sense = along / real_sqrt(along * along + slow);
    const real mu = 0.5 * (forward + backward) + 0.5 * (forward - backward) * sense;
    const real pressed = share * load / size;
    out->forwards = -pressed * scale_along * mu * along;
    out->sideways_force = -pressed * scale_across * sideways * across;
    out->moment = num(0);
#endif
END(coulomb_ground)
