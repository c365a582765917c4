// A check valve: a poppet that the drop lifts.
ELEMENT(check, NODE, "check", "check valve")
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
    PORT(p_from, "from")
    PORT(p_to, "to")
    BETWEEN(flow, p_from, p_to)
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, ALWAYS, "Flow through %s")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real drop = p_from - p_to;
    const real lift = from_0_to_1((drop - cracking) / range);
    const real q = orifice(nominal_flow / real_sqrt(nominal_drop), lift, drop, transition);
    out->flow = q;
    out->lost = q * drop;
#endif
END(check)
