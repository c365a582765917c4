// A pilot-operated check valve: one poppet, which the flow lifts one way and the pilot's piston the
// other.
ELEMENT(pilot_check, NODE, "pilot-check", "pilot-operated check valve")
    NUMBER(ratio, "ratio", "ratio", NONE, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Area of the pilot piston of %s over that of the seat")
    NUMBER(pilot_width, "pilot-width", "pilot_width", PASCAL, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Pressure over which the pilot piston of %s begins to push")
    NUMBER(cracking, "cracking", "cracking", PASCAL, USUAL(2e4), NOT_NEGATIVE, ALWAYS,
           "Pressure drop at which %s begins to open")
    NUMBER(range, "range", "range", PASCAL, USUAL(1e5), ABOVE_ZERO, ALWAYS,
           "Pressure from there to all open")
    NUMBER(nominal_flow, "nominal-flow", "nominal_flow", METRE3_PER_SECOND, REQUIRED, NOT_NEGATIVE,
           ALWAYS, "Flow through %s, all open, at `nominal_drop`")
    NUMBER(nominal_drop, "nominal-drop", "nominal_drop", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Pressure drop at which %s, all open, passes `nominal_flow`")
    NUMBER(transition, "transition", "transition", PASCAL, USUAL(2e5), ABOVE_ZERO, ALWAYS,
           "Pressure drop below which the flow through %s is like the drop")
    PORT(p_valve, "valve")
    PORT(p_load, "load")
    PORT(p_pilot, "pilot")
    BETWEEN(flow, p_valve, p_load)
    RESULT(opening, OUTPUT, "", NONE, ALWAYS, "")
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, ALWAYS, "Flow through %s, to the load")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real drop = p_valve - p_load;
    const real piston = ratio * ramp(p_pilot - p_valve, pilot_width);
    const real lift = from_0_to_1((piston + drop - cracking) / range);
    const real q = orifice(nominal_flow / real_sqrt(nominal_drop), lift, drop, transition);
    out->opening = lift;
    out->flow = q;
    out->lost = q * drop;
#endif
END(pilot_check)
