// An accumulator: gas behind a bladder, and a poppet that closes over the last of the oil, so that
// the oil's side falls to nothing below the precharge.
ELEMENT(accumulator, NODE, "accumulator", "accumulator")
    NUMBER(precharge, "precharge", "precharge", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Pressure of the gas in %s without oil, absolute")
    NUMBER(shell, "volume", "shell_volume", METRE3, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Volume of the gas in %s without oil")
    NUMBER(exponent, "exponent", "exponent", NONE, USUAL(1.4), ABOVE_ZERO, ALWAYS,
           "Polytropic exponent of the gas in %s: 1 when slow, 1.4 when fast")
    NUMBER(poppet_volume, "poppet-volume", "poppet_volume", METRE3, ELSEWHERE, ABOVE_ZERO, ALWAYS,
           "Oil over which the poppet of %s closes")
    NUMBER(nominal_flow, "nominal-flow", "nominal_flow", METRE3_PER_SECOND, REQUIRED, NOT_NEGATIVE,
           ALWAYS, "Flow into %s at `nominal_drop`")
    NUMBER(nominal_drop, "nominal-drop", "nominal_drop", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Pressure drop at which `nominal_flow` enters %s")
    NUMBER(transition, "transition", "transition", PASCAL, USUAL(2e5), ABOVE_ZERO, ALWAYS,
           "Pressure drop below which the flow into %s is like the drop")
    STATE(volume, "volume", METRE3, 1e-3, FREE, ALWAYS, "Oil in %s")
    PORT(pressure, "node")
    FLAG(isothermal, exponent == 1, "the exponent 1")
    BETWEEN(flow, pressure, outside)
    RESULT(flow, RATE, "flow", METRE3_PER_SECOND, ALWAYS, "Flow into %s")
    RESULT(gas_pressure, OUTPUT, "gas_pressure", PASCAL, ALWAYS,
           "Pressure of the gas in %s, absolute")
    RESULT(energy, STORED, "", JOULE, ALWAYS, "")
    RESULT(storing, STORING, "", WATT, ALWAYS, "")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real packed = real_log(shell / (shell - volume));
    const real gas = precharge * real_exp(exponent * packed);
    const real oil = gas - precharge * (1 - from_0_to_1(volume / poppet_volume));
    const real drop = pressure - oil;
    const real q = orifice(nominal_flow / real_sqrt(nominal_drop), num(1), drop, transition);
    const real x = real_min(volume / poppet_volume, num(1));
    const real of_gas =
        precharge * shell *
        (isothermal ? packed : (real_exp((exponent - 1) * packed) - 1) / (exponent - 1));
    out->flow = q;
    out->gas_pressure = gas;
    out->energy = of_gas - precharge * poppet_volume * (x - x * x * x + x * x * x * x / 2);
    out->storing = oil * q;
    out->lost = drop * q;
#endif
END(accumulator)
