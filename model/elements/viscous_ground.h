// Viscous friction between a snake's link and the ground, at one of the points that the link stands
// on: along it, across it, and against its turning.
ELEMENT(viscous_ground, LINK, "ground", "viscous ground")
    NUMBER(tangential, "tangential", "tangential_friction", NEWTON_SECOND_PER_METRE, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Force of the ground against the motion of %s along it per speed")
    NUMBER(normal, "normal", "normal_friction", NEWTON_SECOND_PER_METRE, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Force of the ground against the motion of %s across it per speed")
    NUMBER(spin, "spin", "spin_friction", NEWTON_METRE_SECOND_PER_RADIAN, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Torque of the ground against the turning of %s per rate")
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
    out->forwards = -share * scale_along * tangential * along;
    out->sideways_force = -share * scale_across * normal * across;
    out->moment = -share * spin * turn;
#endif
END(viscous_ground)
