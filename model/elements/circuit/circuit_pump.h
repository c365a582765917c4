// A pump: fixed, or with a stroke that follows limits of pressure, power and flow, and the pressure
// of a load-sensing line. Each limit takes over smoothly; those that are 0 are absent.
ELEMENT(displacement_pump, NODE, "pump", "pump")
    NUMBER(displacement, "displacement", "displacement", METRE3_PER_RADIAN, REQUIRED, ABOVE_ZERO,
           ALWAYS, "Displacement of %s at full stroke")
    NUMBER(margin, "margin", "margin", PASCAL, REQUIRED, ABOVE_ZERO, IF(sensing),
           "Pressure that %s keeps above the load-sensing line's")
    NUMBER(margin_band, "margin-band", "margin_band", PASCAL, USUAL(6e5), ABOVE_ZERO, ALWAYS,
           "Pressure over which that takes %s from no to full stroke")
    NUMBER(pressure_limit, "pressure-limit", "pressure_limit", PASCAL, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Pressure at which the stroke of %s is none; 0: there is no such limit")
    NUMBER(pressure_band, "pressure-band", "pressure_band", PASCAL, USUAL(1e6), ABOVE_ZERO, ALWAYS,
           "Pressure below that limit from which it takes %s back from full stroke")
    NUMBER(power_limit, "power-limit", "power_limit", WATT, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Hydraulic power that %s is held to; 0: there is no such limit")
    NUMBER(flow_limit, "flow-limit", "flow_limit", METRE3_PER_SECOND, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Flow that %s is held to; 0: there is no such limit")
    NUMBER(minimum, "minimum", "minimum", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Least stroke of %s")
    NUMBER(leakage, "leakage", "leakage", METRE3_PER_SECOND_PASCAL, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Leakage of %s, from its outlet to the tank")
    NUMBER(viscous, "viscous", "viscous", NEWTON_METRE_SECOND_PER_RADIAN, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Friction of %s per speed")
    NUMBER(drag, "drag", "drag", NEWTON_METRE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Friction of %s beside that")
    NUMBER(time_constant, "time-constant", "time_constant", SECOND, USUAL(0.05), ABOVE_ZERO, ALWAYS,
           "Time constant of the stroke of %s")
    INPUT(speed, "speed", RADIAN_PER_SECOND, FREE, ALWAYS, "Speed of the shaft of %s")
    STATE(stroke, "stroke", NONE, 1, FREE, IF(regulated), "Stroke of %s, 0 to 1")
    PORT(p_out, "out")
    PORT(p_tank, "tank")
    GIVEN(p_ls, PASCAL, "of the load-sensing line")
    SITE(regulated, "a stroke that follows limits")
    SITE(sensing, "a load-sensing line")
    FLAG(limits_pressure, pressure_limit > 0, "a limit of pressure")
    FLAG(limits_power, power_limit > 0, "a limit of power")
    FLAG(limits_flow, flow_limit > 0, "a limit of flow")
    BETWEEN(flow, p_tank, p_out)
    RESULT(stroke_rate, RATE, "stroke_rate", PER_SECOND, IF(regulated),
           "Derivative of the stroke of %s")
    RESULT(reference, OUTPUT, "", NONE, ALWAYS, "")
    RESULT(flow, FLOW, "flow", METRE3_PER_SECOND, ALWAYS, "Flow of %s, to its outlet")
    RESULT(torque, OUTPUT, "torque", NEWTON_METRE, ALWAYS, "Torque at the shaft of %s")
    RESULT(supplied, SUPPLIED, "", WATT, ALWAYS, "")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real w = num(0.02);
    const real lift = p_out - p_tank;
    const real turn = displacement * speed;
    const real turning = real_max(turn, num(1e-30)); // at rest no flow or power is too large
    const real full = limits_flow ? real_min(flow_limit / turning, num(1)) : num(1);
    const real by_margin = sensing ? smaller(full, (p_ls + margin - p_out) / margin_band, w) : full;
    const real by_pressure = limits_pressure
                                 ? smaller(by_margin, (pressure_limit - p_out) / pressure_band, w)
                                 : by_margin;
    const real level = larger(lift, num(1e6), num(1e5));
    const real power_stroke = real_min(power_limit / (turning * level), num(1e9));
    const real by_power = limits_power ? smaller(by_pressure, power_stroke, w) : by_pressure;
    const real asked = larger(by_power, minimum, w);
    const real s = regulated ? stroke : num(1);
    const real leak = leakage * lift;
    out->stroke_rate = regulated ? (asked - stroke) / time_constant : num(0);
    out->reference = asked;
    out->flow = s * turn - leak;
    out->torque = s * displacement * lift + viscous * speed + drag;
    out->supplied = s * turn * lift;
    out->lost = leak * lift;
#endif
END(displacement_pump)
