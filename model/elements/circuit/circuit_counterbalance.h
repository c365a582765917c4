// A counterbalance (over-centre) valve with its check valve. It holds the load until load and pilot
// together reach the setting; the back factor says what pressure behind it does: 1 + ratio where
// the spring's chamber is not vented, 1 where it is compensated, 0 where it is vented.
ELEMENT(counterbalance, NODE, "counterbalance", "counterbalance valve")
    NUMBER(setting, "setting", "setting", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Load pressure at which %s begins to open without a pilot")
    NUMBER(ratio, "ratio", "ratio", NONE, REQUIRED, ABOVE_ZERO, ALWAYS, "Pilot ratio of %s")
    NUMBER(back_factor, "back-factor", "back_factor", NONE, ELSEWHERE, NOT_NEGATIVE, ALWAYS,
           "How often the pressure behind %s adds to its setting")
    NUMBER(range, "range", "range", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Pressure from cracking to all open of %s")
    NUMBER(nominal_flow, "nominal-flow", "nominal_flow", METRE3_PER_SECOND, REQUIRED, NOT_NEGATIVE,
           ALWAYS, "Flow through %s, all open, at `nominal_drop`")
    NUMBER(nominal_drop, "nominal-drop", "nominal_drop", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Pressure drop at which %s, all open, passes `nominal_flow`")
    NUMBER(transition, "transition", "transition", PASCAL, USUAL(2e5), ABOVE_ZERO, ALWAYS,
           "Pressure drop below which the flow through %s is like the drop")
    NUMBER(check_flow, "check-flow", "check_flow", METRE3_PER_SECOND, AS(nominal_flow),
           NOT_NEGATIVE, ALWAYS, "Flow through the check valve of %s, all open, at `check_drop`")
    NUMBER(check_drop, "check-drop", "check_drop", PASCAL, USUAL(7e5), ABOVE_ZERO, ALWAYS,
           "Pressure drop at which the check valve of %s, all open, passes `check_flow`")
    NUMBER(cracking, "cracking", "cracking", PASCAL, USUAL(2e4), NOT_NEGATIVE, ALWAYS,
           "Pressure drop at which the check valve of %s begins to open")
    NUMBER(check_range, "check-range", "check_range", PASCAL, USUAL(1e5), ABOVE_ZERO, ALWAYS,
           "Pressure from there to all open")
    NUMBER(time_constant, "time-constant", "time_constant", SECOND, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Time constant of the poppet of %s; 0: it follows at once")
    NUMBER_OF(atmosphere, oil)
    STATE(lift, "opening", NONE, 1, FREE, IF(slow), "Opening of %s, 0 to 1")
    PORT(p_valve, "valve")
    PORT(p_load, "load")
    PORT(p_pilot, "pilot")
    FLAG(slow, time_constant > 0, "a time constant")
    FLAG(prompt, !(time_constant > 0), "no time constant")
    BETWEEN(flow, p_load, p_valve)
    RESULT(opening_rate, RATE, "opening_rate", PER_SECOND, IF(slow),
           "Derivative of the opening of %s")
    RESULT(opening, OUTPUT, "opening", NONE, IF(prompt), "Opening of %s, 0 to 1")
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, ALWAYS, "Flow through %s, from the load")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real drop = p_load - p_valve;
    const real z = (p_load + ratio * p_pilot - back_factor * p_valve -
                    (1 + ratio - back_factor) * atmosphere - setting) /
                   range;
    const real asked = from_0_to_1(z);
    const real y = slow ? lift : asked;
    const real back = from_0_to_1((-drop - cracking) / check_range);
    const real q = orifice(nominal_flow / real_sqrt(nominal_drop), y, drop, transition) +
                   orifice(check_flow / real_sqrt(check_drop), back, drop, transition);
    out->opening_rate = slow ? (asked - lift) / time_constant : num(0);
    out->opening = y;
    out->flow = q;
    out->lost = q * drop;
#endif
END(counterbalance)
