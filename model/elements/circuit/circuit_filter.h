// A filter with a bypass valve.
ELEMENT(filter, NODE, "filter", "filter")
    NUMBER(resistance, "resistance", "resistance", PASCAL_SECOND_PER_METRE3, REQUIRED, ABOVE_ZERO,
           ALWAYS, "Pressure drop over %s per flow, where that is small")
    NUMBER(quadratic, "quadratic", "quadratic", PASCAL_SECOND2_PER_METRE6, REQUIRED, NOT_NEGATIVE,
           ALWAYS, "Pressure drop over %s per square of the flow")
    NUMBER(bypass_pressure, "bypass-pressure", "bypass_pressure", PASCAL, REQUIRED, NOT_NEGATIVE,
           ALWAYS, "Pressure drop at which the bypass of %s begins to open")
    NUMBER(bypass_gain, "bypass-gain", "bypass_gain", METRE3_PER_SECOND_PASCAL, REQUIRED,
           NOT_NEGATIVE, ALWAYS, "Flow over the bypass of %s per pressure drop above that")
    NUMBER(bypass_width, "bypass-width", "bypass_width", PASCAL, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Pressure over which the bypass of %s takes up that slope")
    PORT(p_from, "from")
    PORT(p_to, "to")
    BETWEEN(flow, p_from, p_to)
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, ALWAYS, "Flow through %s")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real drop = p_from - p_to;
    const real root = real_sqrt(resistance * resistance + 4 * quadratic * real_abs(drop));
    const real q =
        2 * drop / (resistance + root) + bypass_gain * ramp(drop - bypass_pressure, bypass_width);
    out->flow = q;
    out->lost = q * drop;
#endif
END(filter)
