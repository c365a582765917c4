// A section of a valve bank: a spool with up to five edges, of which one is for the open centre, a
// pressure compensator in front of (pre) or behind (post) the metering edge, a load-holding check
// valve, and what it reports to the load-sensing line. The spool follows its command as a
// second-order system.
ELEMENT(section, NODE, "valve", "valve section")
    NUMBER(bandwidth, "bandwidth", "bandwidth", HERTZ, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Bandwidth of the spool of %s")
    NUMBER(damping, "damping", "damping", NONE, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Damping ratio of the spool of %s")
    NUMBER(transition, "transition", "transition", PASCAL, USUAL(2e5), ABOVE_ZERO, ALWAYS,
           "Pressure drop below which the flow through an edge of %s is like the drop")
    NUMBER(compensator_drop, "compensator-drop", "compensator_drop", PASCAL, REQUIRED, ABOVE_ZERO,
           IF(pre), "Pressure drop that the compensator of %s keeps")
    NUMBER(compensator_width, "compensator-width", "compensator_width", PASCAL, USUAL(5e4),
           NOT_NEGATIVE, ALWAYS, "Pressure over which the compensator of %s takes over")
    NUMBER(check_width, "check-width", "check_width", PASCAL, ELSEWHERE, NOT_NEGATIVE, ALWAYS,
           "Pressure over which the load-holding check valve of %s opens; 0: there is none")
    NUMBER(ls_start, "ls-start", "ls_start", NONE, USUAL(0.05), NOT_NEGATIVE, ALWAYS,
           "Place of the spool from which %s reports the pressure of its load")
    NUMBER(ls_range, "ls-range", "ls_range", NONE, USUAL(0.05), ABOVE_ZERO, ALWAYS,
           "Travel of the spool over which it begins to")
    INPUT(command, "spool", NONE, WITHIN(1), ALWAYS, "Commanded place of the spool of %s, -1 to 1")
    STATE(spool, "spool_position", NONE, 1, FREE, ALWAYS, "Place of the spool of %s")
    STATE(spool_rate, "spool_velocity", PER_SECOND, 100, FREE, ALWAYS, "Speed of the spool of %s")
    PORT(p_p, "p")
    PORT(p_t, "t")
    PORT(p_a, "a")
    PORT(p_b, "b")
    GIVEN(p_ls, PASCAL, "of the load-sensing line")
    GIVEN(pa, NONE, "conductance of the edge from P to A")
    GIVEN(bt, NONE, "conductance of the edge from B to T")
    GIVEN(pb, NONE, "conductance of the edge from P to B")
    GIVEN(at, NONE, "conductance of the edge from A to T")
    GIVEN(pt, NONE, "conductance of the edge from P to T")
    SITE(backward, "the spool on the side of B")
    SITE(pre, "a compensator in front of the metering edge")
    SITE(post, "a compensator behind the metering edge")
    FLAG(checked, check_width > 0, "a load-holding check valve")
    BETWEEN(flow_a, outside, p_a)
    BETWEEN(flow_b, outside, p_b)
    BETWEEN(supply_flow, p_p, outside)
    BETWEEN(tank_flow, outside, p_t)
    RESULT(spool_speed, RATE, "spool_velocity", PER_SECOND, ALWAYS, "")
    RESULT(spool_acceleration, RATE, "spool_acceleration", PER_SECOND2, ALWAYS,
           "Acceleration of the spool of %s")
    RESULT(flow_a, FLOW, "flow_a", METRE3_PER_SECOND, ALWAYS, "Flow out of port A of %s")
    RESULT(flow_b, FLOW, "flow_b", METRE3_PER_SECOND, ALWAYS, "Flow out of port B of %s")
    RESULT(supply_flow, FLOW, "supply_flow", METRE3_PER_SECOND, ALWAYS,
           "Flow that %s takes from its port P")
    RESULT(tank_flow, FLOW, "tank_flow", METRE3_PER_SECOND, ALWAYS,
           "Flow that %s gives to its port T")
    RESULT(metering_drop, OUTPUT, "metering_drop", PASCAL, ALWAYS,
           "Pressure drop over the metering edge of %s")
    RESULT(ls_pressure, OUTPUT, "", PASCAL, ALWAYS, "")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real wanted = clip(command, num(1));
    const real omega = num(6.28318530717958647692) * bandwidth;
    const real load = backward ? p_b : p_a;
    const real lies_over = p_p - load;
    const real d = post  ? p_p - larger(p_ls, load, compensator_width)
                   : pre ? smaller(lies_over, compensator_drop, compensator_width)
                         : lies_over;
    const real drop = checked ? ramp(d, check_width) : d;
    const real q_pa = orifice(pa, num(1), drop, transition);
    const real q_pb = orifice(pb, num(1), drop, transition);
    const real q_at = orifice(at, num(1), p_a - p_t, transition);
    const real q_bt = orifice(bt, num(1), p_b - p_t, transition);
    const real q_pt = orifice(pt, num(1), p_p - p_t, transition);
    const real reports = from_0_to_1((real_abs(spool) - ls_start) / ls_range);
    out->spool_speed = spool_rate;
    out->spool_acceleration = omega * omega * (wanted - spool) - 2 * (damping * omega * spool_rate);
    out->flow_a = q_pa - q_at;
    out->flow_b = q_pb - q_bt;
    out->supply_flow = q_pa + q_pb + q_pt;
    out->tank_flow = q_at + q_bt + q_pt;
    out->metering_drop = drop;
    out->ls_pressure = p_t + reports * (load - p_t);
    out->lost = q_pa * (p_p - p_a) + q_pb * (p_p - p_b) + q_at * (p_a - p_t) + q_bt * (p_b - p_t) +
                q_pt * (p_p - p_t);
#endif
END(section)
