// A load-sensing line: it follows the highest of what its sections report.
ELEMENT(load_sensing, NODE, "load-sensing", "load-sensing line")
    NUMBER(time_constant, "time-constant", "time_constant", SECOND, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Time constant of %s")
    NUMBER(width, "width", "width", PASCAL, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Pressure over which the highest report takes over in %s")
    STATE(pressure, "pressure", PASCAL, 1e6, FREE, ALWAYS, "Pressure in %s, absolute")
    GIVEN(highest, PASCAL, "of what its sections report")
    RESULT(pressure_rate, RATE, "pressure_rate", PASCAL_PER_SECOND, ALWAYS,
           "Derivative of the pressure in %s")
#ifdef LAW
    out->pressure_rate = (highest - pressure) / time_constant;
#endif
END(load_sensing)
