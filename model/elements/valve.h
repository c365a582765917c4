// A four-way valve of four equal edges, closed in the middle over `overlap` of the stroke to either
// side. Spool 1: supply to A and B to tank, all open; -1: supply to B and A to tank. The spool
// follows its command, no farther than 1 and -1, as a second-order system, or at once. It meets an
// end of its stroke without bouncing; as no command leads beyond, nothing has to hold it there.
ELEMENT(valve, NODE, "valve", "four-way valve")
    NUMBER(nominal_flow, "nominal-flow", "nominal_flow", METRE3_PER_SECOND, REQUIRED, ABOVE_ZERO,
           ALWAYS, "Flow over one edge of the valve, all open, at `nominal_drop`")
    NUMBER(nominal_drop, "nominal-drop", "nominal_drop", PASCAL, USUAL(3.5e6), ABOVE_ZERO, ALWAYS,
           "Pressure drop over one edge of the valve at which it passes `nominal_flow`")
    NUMBER(overlap, "overlap", "overlap", NONE, USUAL(0.03), NOT_NEGATIVE, ALWAYS,
           "Share of the spool's stroke to either side in which nothing flows")
    NUMBER(transition, "transition", "transition_pressure", PASCAL, USUAL(1e5), ABOVE_ZERO, ALWAYS,
           "Pressure drop below which the flow over an edge turns laminar")
    NUMBER(bandwidth, "bandwidth", "spool_bandwidth", HERTZ, USUAL(0), NOT_NEGATIVE, IF(moves),
           "Natural frequency of the spool")
    NUMBER(damping, "damping", "spool_damping", NONE, USUAL(0.8), NOT_NEGATIVE, IF(moves),
           "Damping ratio of the spool")
    INPUT(command, "spool", NONE, WITHIN(1), ALWAYS,
          "Command to the valve, 1: supply to A and B to tank, -1: the other way")
    STATE(spool, "spool_position", NONE, 1, WITHIN(1), IF(moves),
          "Place of the valve's spool, -1 to 1")
    STATE(spool_rate, "spool_velocity", PER_SECOND, 100, FREE, IF(moves),
          "Speed of the valve's spool")
    GIVEN(pressure_a, PASCAL, "in chamber A")
    GIVEN(pressure_b, PASCAL, "in chamber B")
    GIVEN(supply, PASCAL, "of the pump")
    GIVEN(tank, PASCAL, "of the tank")
    FLAG(moves, bandwidth > 0, "a bandwidth")
    RULE(overlap < 1, "%s has a valve with an overlap of all its stroke; it must be below 1")
    RESULT(spool_speed, RATE, "spool_velocity", PER_SECOND, IF(moves), "")
    RESULT(spool_acceleration, RATE, "spool_acceleration", PER_SECOND2, IF(moves),
           "Acceleration of the valve's spool")
    RESULT(flow_a, FLOW, "flow_a", METRE3_PER_SECOND, ALWAYS, "Flow into chamber A")
    RESULT(flow_b, FLOW, "flow_b", METRE3_PER_SECOND, ALWAYS, "Flow into chamber B")
    RESULT(supply_flow, FLOW, "supply_flow", METRE3_PER_SECOND, ALWAYS,
           "Flow that the valve takes from the supply")
    RESULT(tank_flow, FLOW, "tank_flow", METRE3_PER_SECOND, ALWAYS,
           "Flow that the valve gives to the tank")
    RESULT(room, INDICATOR, "spool_indicator", NONE, IF(moves),
           "Above zero while the valve's spool is within its stroke")
#ifdef LAW
    const real wanted = clip(command, num(1));
    const real place = moves ? clip(spool, num(1)) : wanted;
    const real k = nominal_flow / real_sqrt(nominal_drop);
    const real travel = 1 - overlap;
    // Openings of the edges that work in one direction, and in the other.
    const real forth = real_max(place - overlap, num(0)) / travel;
    const real back = real_max(-place - overlap, num(0)) / travel;
    const real supply_a = orifice(k, forth, supply - pressure_a, transition);
    const real b_tank = orifice(k, forth, pressure_b - tank, transition);
    const real supply_b = orifice(k, back, supply - pressure_b, transition);
    const real a_tank = orifice(k, back, pressure_a - tank, transition);

    const real omega = num(6.28318530717958647692) * bandwidth;
    const real pull = omega * omega * (wanted - spool);
    out->spool_speed = moves ? spool_rate : num(0);
    out->spool_acceleration = moves ? pull - 2 * (damping * omega * spool_rate) : num(0);
    out->flow_a = supply_a - a_tank;
    out->flow_b = supply_b - b_tank;
    out->supply_flow = supply_a + supply_b;
    out->tank_flow = a_tank + b_tank;
    out->room = num(1.000000002000000001) - spool * spool; // until 1e-9 behind an end
#endif
#ifdef EVENT
    if (out->room <= 0) {
        next->spool = spool > 0 ? 1 : -1;
        if (spool_rate * spool > 0) next->spool_rate = 0;
    }
#endif
END(valve)
