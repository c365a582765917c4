// A pipe or hose. Its oil counts half at each end; friction has a laminar and a turbulent part,
//
//     drop = R Q + K Q |Q|,   R = 128 nu rho l / (pi d^4),   K = (lambda l / d + zeta) rho / (2
//     A^2)
//
// and with inertance the flow is a state that the rest of the drop accelerates.
ELEMENT(line, NODE, "line", "hydraulic line")
    NUMBER(diameter, "diameter", "diameter", METRE, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Inner diameter of %s")
    NUMBER(length, "length", "length", METRE, REQUIRED, ABOVE_ZERO, ALWAYS, "Length of %s")
    NUMBER(friction_factor, "friction-factor", "friction_factor", NONE, USUAL(0.03), NOT_NEGATIVE,
           ALWAYS, "Darcy's friction factor of %s where the flow is turbulent")
    NUMBER(loss, "loss", "loss", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Loss coefficient of the bends and ends of %s")
    NUMBER(wall_modulus, "wall-modulus", "wall_modulus", PASCAL, USUAL(7e8), ABOVE_ZERO, ALWAYS,
           "Modulus of the walls of %s: pressure over relative change of volume")
    NUMBER_OF(bulk_modulus, oil)
    NUMBER_OF(air, oil)
    NUMBER_OF(exponent, oil)
    NUMBER_OF(atmosphere, oil)
    NUMBER_OF(vapour, oil)
    NUMBER_OF(density, oil)
    NUMBER_OF(viscosity, oil)
    STATE(moving, "flow", METRE3_PER_SECOND, 1e-4, FREE, IF(inertance), "Flow through %s")
    PORT(p_from, "from")
    PORT(p_to, "to")
    CHOICE(inertance, "inertance", "false", "true")
    FLAG(steady, !inertance, "no inertance")
    RULE(viscosity > 0, "%s needs oil with a viscosity above zero, without which its flow has a "
                        "kink at rest; set viscosity of <oil>")
    BETWEEN(capacity_from, p_from, outside)
    BETWEEN(capacity_to, p_to, outside)
    BETWEEN(flow, p_from, p_to)
    RESULT(flow_rate, RATE, "flow_rate", METRE3_PER_SECOND2, IF(inertance),
           "Derivative of the flow through %s")
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, IF(steady), "Flow through %s")
    RESULT(capacity_from, CAPACITY, "", NONE, ALWAYS, "")
    RESULT(capacity_to, CAPACITY, "", NONE, ALWAYS, "")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
    RESULT(storing, STORING, "", WATT, ALWAYS, "")
#ifdef LAW
    const real area = circle_area(diameter);
    const real half = area * length / 2;
    const real c_from =
        oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, p_from);
    const real c_to = oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, p_to);
    const real square = diameter * diameter;
    const real r = num(40.743665431525205957) * (viscosity * density) * length / (square * square);
    const real k = (friction_factor * length / diameter + loss) * density / (2 * area * area);
    const real drop = p_from - p_to;
    const real q = inertance ? moving : 2 * drop / (r + real_sqrt(r * r + 4 * k * real_abs(drop)));
    const real friction = inertance ? r * q + k * q * real_abs(q) : drop;
    out->capacity_from = half * (c_from + 1 / wall_modulus);
    out->capacity_to = half * (c_to + 1 / wall_modulus);
    out->flow = q;
    out->flow_rate = inertance ? (drop - friction) * area / (density * length) : num(0);
    out->lost = q * friction;
    out->storing = q * (drop - friction);
#endif
END(line)
