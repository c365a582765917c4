// A relief valve: at a port, across two ports, or at a pump.
ELEMENT(relief, NODE, "relief", "relief valve")
    NUMBER(setting, "pressure", "pressure", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Pressure drop at which %s begins to open")
    NUMBER(gain, "gain", "gain", METRE3_PER_SECOND_PASCAL, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Flow through %s per pressure drop above that")
    NUMBER(width, "width", "width", PASCAL, ELSEWHERE, NOT_NEGATIVE, ALWAYS,
           "Pressure over which %s takes up that slope")
    PORT(p_from, "from")
    PORT(p_to, "to")
    BETWEEN(flow, p_from, p_to)
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, ALWAYS, "Flow through %s")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real drop = p_from - p_to;
    const real q = gain * ramp(drop - setting, width);
    out->flow = q;
    out->lost = q * drop;
#endif
END(relief)
