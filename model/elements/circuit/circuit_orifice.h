// An opening that stays as it is.
ELEMENT(orifice, NODE, "orifice", "orifice")
    NUMBER(nominal_flow, "nominal-flow", "nominal_flow", METRE3_PER_SECOND, REQUIRED, NOT_NEGATIVE,
           ALWAYS, "Flow through %s at `nominal_drop`")
    NUMBER(nominal_drop, "nominal-drop", "nominal_drop", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Pressure drop at which %s passes `nominal_flow`")
    NUMBER(transition, "transition", "transition", PASCAL, USUAL(2e5), ABOVE_ZERO, ALWAYS,
           "Pressure drop below which the flow through %s is like the drop")
    PORT(p_from, "from")
    PORT(p_to, "to")
    BETWEEN(flow, p_from, p_to)
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, ALWAYS, "Flow through %s")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real drop = p_from - p_to;
    const real q = orifice(nominal_flow / real_sqrt(nominal_drop), num(1), drop, transition);
    out->flow = q;
    out->lost = q * drop;
#endif
END(orifice)
