// An edge of a valve section: flow at one drop, or area, over the spool's place by a table.
ELEMENT(edge, NODE, "edge", "edge of a valve")
    NUMBER(drop, "drop", "drop", PASCAL, REQUIRED, ABOVE_ZERO, IF(by_flow),
           "Pressure drop at which %s passes the flows of its table")
    NUMBER(coefficient, "coefficient", "coefficient", NONE, USUAL(0.62), ABOVE_ZERO, IF(by_area),
           "Discharge coefficient of %s")
    NUMBER_OF(density, oil)
    GIVEN(height, NONE, "of its table")
    SITE(by_area, "areas instead of flows")
    FLAG(by_flow, !by_area, "flows")
    RESULT(conductance, OUTPUT, "", NONE, ALWAYS, "")
#ifdef LAW
    out->conductance =
        by_area ? coefficient * height * real_sqrt(2 / density) : height / real_sqrt(drop);
#endif
END(edge)
