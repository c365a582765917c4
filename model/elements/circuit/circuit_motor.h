// A hydraulic motor at a joint that turns, with the oil in its two chambers.
ELEMENT(hydraulic_motor, NODE, "hydraulic-motor", "hydraulic motor")
    NUMBER(displacement, "displacement", "displacement", METRE3_PER_RADIAN, REQUIRED, ABOVE_ZERO,
           ALWAYS, "Displacement of %s")
    NUMBER(gear, "gear", "gear", NONE, USUAL(1), NOT_ZERO, ALWAYS,
           "Turns of %s per turn of the joint")
    NUMBER(leakage, "leakage", "leakage", METRE3_PER_SECOND_PASCAL, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Leakage of %s between its ports")
    NUMBER(case_leakage, "case-leakage", "case_leakage", METRE3_PER_SECOND_PASCAL, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Leakage of %s from each port to its case")
    NUMBER(coulomb, "coulomb", "coulomb", NEWTON_METRE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Friction of %s while it turns")
    NUMBER(pressure_friction, "pressure-friction", "pressure_friction", NONE, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Friction of %s as a share of what its pressures give")
    NUMBER(viscous, "viscous", "viscous", NEWTON_METRE_SECOND_PER_RADIAN, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Friction of %s per speed")
    NUMBER(width, "width", "width", RADIAN_PER_SECOND, USUAL(1), ABOVE_ZERO, ALWAYS,
           "Speed of %s over which its friction turns round")
    NUMBER(inertia, "inertia", "inertia", KILOGRAM_METRE2, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Moment of inertia of the rotor of %s")
    NUMBER(volume_a, "volume-a", "volume_a", METRE3, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Oil at port A of %s")
    NUMBER(volume_b, "volume-b", "volume_b", METRE3, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Oil at port B of %s")
    NUMBER(wall_modulus, "wall-modulus", "wall_modulus", PASCAL, USUAL(2e9), ABOVE_ZERO, ALWAYS,
           "Modulus of the walls of %s: pressure over relative change of volume")
    NUMBER_OF(bulk_modulus, oil)
    NUMBER_OF(air, oil)
    NUMBER_OF(atmosphere, oil)
    NUMBER_OF(vapour, oil)
    NUMBER_OF(exponent, oil)
    GIVEN(velocity, RADIAN_PER_SECOND, "of the joint")
    PORT(p_a, "a")
    PORT(p_b, "b")
    PORT(p_case, "case")
    BETWEEN(flow_a, p_a, outside)
    BETWEEN(flow_b, p_b, outside)
    BETWEEN(case_flow, outside, p_case)
    BETWEEN(capacity_a, p_a, outside)
    BETWEEN(capacity_b, p_b, outside)
    RESULT(torque, PUSH, "torque", NEWTON_METRE, ALWAYS, "Torque of %s at the joint")
    RESULT(flow_a, FLOW, "flow_a", METRE3_PER_SECOND, ALWAYS, "Flow into port A of %s")
    RESULT(flow_b, FLOW, "flow_b", METRE3_PER_SECOND, ALWAYS, "Flow into port B of %s")
    RESULT(case_flow, FLOW, "case_flow", METRE3_PER_SECOND, ALWAYS, "Flow out of the case of %s")
    RESULT(capacity_a, CAPACITY, "", NONE, ALWAYS, "")
    RESULT(capacity_b, CAPACITY, "", NONE, ALWAYS, "")
    RESULT(reflected, REFLECTED, "", KILOGRAM_METRE2, ALWAYS, "")
    RESULT(loss_torque, OUTPUT, "", NEWTON_METRE, ALWAYS, "")
    RESULT(work, DRIVE, "", WATT, ALWAYS, "")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real turn = gear * velocity;
    const real delta = p_a - p_b;
    const real to_a = p_a - p_case;
    const real to_b = p_b - p_case;
    const real c_a = oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, p_a);
    const real c_b = oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, p_b);
    const real pressed = displacement * real_sqrt(delta * delta + num(1e10));
    const real seals = (coulomb + pressure_friction * pressed) * real_tanh(turn / width);
    const real friction = seals + viscous * turn;
    const real inner = displacement * turn + leakage * delta;
    out->torque = gear * (displacement * delta - friction);
    out->flow_a = inner + case_leakage * to_a;
    out->flow_b = case_leakage * to_b - inner;
    out->case_flow = case_leakage * to_a + case_leakage * to_b;
    out->capacity_a = volume_a * (c_a + 1 / wall_modulus);
    out->capacity_b = volume_b * (c_b + 1 / wall_modulus);
    out->reflected = gear * gear * inertia;
    out->loss_torque = gear * friction;
    out->work = displacement * delta * turn;
    out->lost = leakage * delta * delta + case_leakage * (to_a * to_a + to_b * to_b);
#endif
END(hydraulic_motor)
