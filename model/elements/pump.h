// A pump with its relief valve, and the line to the valves, which does not stretch. The relief
// valve lets pass K max(0, p - p_set).
ELEMENT(pump, NODE, "pump", "pump with relief valve")
    NUMBER(volume, "volume", "supply_volume", METRE3, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Oil between pump and valve")
    NUMBER(relief_pressure, "relief-pressure", "relief_pressure", PASCAL, USUAL(1.6e7), ABOVE_ZERO,
           ALWAYS, "Pressure at which the relief valve begins to open")
    NUMBER(relief_gain, "relief-gain", "relief_gain", METRE3_PER_SECOND_PASCAL, USUAL(1e-9),
           NOT_NEGATIVE, ALWAYS, "Flow over the relief valve per pressure above `relief_pressure`")
    NUMBER_OF(bulk_modulus, cylinder)
    NUMBER_OF(air, cylinder)
    NUMBER_OF(exponent, cylinder)
    NUMBER_OF(atmosphere, cylinder)
    NUMBER_OF(vapour, cylinder)
    INPUT(flow, "pump.flow", METRE3_PER_SECOND, FREE, ALWAYS, "Flow of the pump")
    STATE(pressure, "supply.pressure", PASCAL, 1e6, FREE, ALWAYS,
          "Pressure between pump and valve, absolute")
    GIVEN(drawn, METRE3_PER_SECOND, "by all valves")
    RESULT(pressure_rate, RATE, "supply.pressure_rate", PASCAL_PER_SECOND, ALWAYS,
           "Derivative of the supply pressure")
    RESULT(relief, OUTPUT, "relief_flow", METRE3_PER_SECOND, ALWAYS, "Flow over the relief valve")
#ifdef LAW
    const real c = oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, pressure);
    out->relief = relief_gain * real_max(pressure - relief_pressure, num(0));
    out->pressure_rate = pressure_rate(flow - drawn - out->relief, volume * c, pressure, vapour);
#endif
END(pump)
