// A hydraulic cylinder with its two chambers. Force is positive when it pushes the piston out,
// velocity when the piston comes out, flow when oil enters the chamber; chamber A is on the side
// without the rod. Pressures are absolute.
//
//     dp/dt     = (flow - leakage - what the piston makes room for) / capacity
//     capacity  = (V_inside + V_hose) c(p) + V_hose / B_hose + V_inside / B_wall
// An end of the stroke gives way: of a volume there counts no less than a thousandth of the
// stroke's.
//
//     friction  = (F_c + (F_s - F_c) exp(-(v / v_s)^2)) tanh(v / v_0) + sigma v
ELEMENT(cylinder, FRAMES, "cylinder", "hydraulic cylinder")
    NUMBER(closed_length, "closed-length", "closed_length", METRE, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Distance of the end points when the piston is all in")
    NUMBER(stroke, "stroke", "stroke", METRE, REQUIRED, ABOVE_ZERO, ALWAYS, "Stroke of the piston")
    NUMBER(bore, "bore", "bore", METRE, REQUIRED, ABOVE_ZERO, ALWAYS, "Diameter of the piston")
    NUMBER(rod, "rod", "rod", METRE, USUAL(0), NOT_NEGATIVE, ALWAYS, "Diameter of the rod")
    NUMBER(dead_a, "dead-volume-a", "dead_volume_a", METRE3, ELSEWHERE, NOT_NEGATIVE, ALWAYS,
           "Oil behind the piston when it is all in, without the hose")
    NUMBER(dead_b, "dead-volume-b", "dead_volume_b", METRE3, ELSEWHERE, NOT_NEGATIVE, ALWAYS,
           "Oil around the rod when the piston is all out, without the hose")
    NUMBER(coulomb, "friction/coulomb", "coulomb_friction", NEWTON, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Friction of the seals while the piston slides")
    NUMBER(breakaway, "friction/static", "static_friction", NEWTON, AS(coulomb), NOT_NEGATIVE,
           ALWAYS, "Friction of the seals when the piston begins to move")
    NUMBER(stribeck, "friction/stribeck", "stribeck_velocity", METRE_PER_SECOND, USUAL(0.005),
           ABOVE_ZERO, ALWAYS, "Speed over which static friction gives way to sliding friction")
    NUMBER(width, "friction/width", "friction_width", METRE_PER_SECOND, USUAL(0.001), ABOVE_ZERO,
           ALWAYS, "Speed over which the friction turns round")
    NUMBER(viscous, "friction/viscous", "viscous_friction", NEWTON_SECOND_PER_METRE, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Friction per unit of speed")
    NUMBER(leakage, "leakage/internal", "internal_leakage", METRE3_PER_SECOND_PASCAL, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Flow from chamber A to B per difference of pressure")
    NUMBER(leakage_out, "leakage/external", "external_leakage", METRE3_PER_SECOND_PASCAL, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Flow out of each chamber per pressure above the atmosphere's")
    NUMBER(stop_stiffness, "stop/stiffness", "stop_stiffness", NEWTON_PER_METRE, USUAL(1e8),
           ABOVE_ZERO, ALWAYS, "Stiffness of the ends of the stroke")
    NUMBER(stop_damping, "stop/damping", "stop_damping", NEWTON_SECOND_PER_METRE, USUAL(1e5),
           NOT_NEGATIVE, ALWAYS,
           "Damping at the ends of the stroke, reached at the depth `cushion`")
    NUMBER(cushion, "stop/cushion", "stop_cushion", METRE, USUAL(0.001), ABOVE_ZERO, ALWAYS,
           "Depth over which the damping at the ends of the stroke grows")
    NUMBER(bulk_modulus, "oil/bulk-modulus", "bulk_modulus", PASCAL, USUAL(1.5e9), ABOVE_ZERO,
           ALWAYS, "Bulk modulus of the oil without air")
    NUMBER(air, "oil/air", "air", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Free air in the oil at the pressure of the atmosphere, share of the volume")
    NUMBER(exponent, "oil/air-exponent", "air_exponent", NONE, USUAL(1.2), ABOVE_ZERO, ALWAYS,
           "Polytropic exponent of the air in the oil")
    NUMBER(atmosphere, "oil/atmosphere", "atmosphere", PASCAL, USUAL(1e5), ABOVE_ZERO, ALWAYS,
           "Pressure of the atmosphere, at which `air` is counted")
    NUMBER(vapour, "oil/vapour-pressure", "vapour_pressure", PASCAL, USUAL(1e4), ABOVE_ZERO, ALWAYS,
           "Pressure below which no chamber falls")
    NUMBER(hose_diameter, "hose/diameter", "hose_diameter", METRE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Inner diameter of the hose at each chamber")
    NUMBER(hose_length, "hose/length", "hose_length", METRE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Length of the hose at each chamber")
    NUMBER(hose_modulus, "hose/bulk-modulus", "hose_bulk_modulus", PASCAL, USUAL(7e8), ABOVE_ZERO,
           ALWAYS, "Pressure per relative change of the hose's volume")
    NUMBER(wall_modulus, "wall-modulus", "wall_bulk_modulus", PASCAL, USUAL(2.1e11), ABOVE_ZERO,
           ALWAYS, "Pressure per relative change of the cylinder's volume")
    INPUT(flow_a, "flow_a", METRE3_PER_SECOND, FREE, IF(open), "Flow into chamber A")
    INPUT(flow_b, "flow_b", METRE3_PER_SECOND, FREE, IF(open), "Flow into chamber B")
    STATE(pressure_a, "pressure_a", PASCAL, 1e6, FREE, ALWAYS,
          "Pressure in chamber A, without the rod")
    STATE(pressure_b, "pressure_b", PASCAL, 1e6, FREE, ALWAYS,
          "Pressure in chamber B, around the rod")
    GIVEN(length, METRE, "between the end points")
    GIVEN(rate, METRE_PER_SECOND, "of the length")
    SITE(open, "the valve is outside")
    RULE(rod < bore, "%s has a rod as thick as its bore, or thicker; exchange or correct them")
    RESULT(force, PUSH, "force", NEWTON, ALWAYS,
           "Force, of oil, friction and ends of the stroke, positive when it pushes the piston out")
    RESULT(pressure_a_rate, RATE, "pressure_a_rate", PASCAL_PER_SECOND, ALWAYS,
           "Derivative of the pressure in chamber A")
    RESULT(pressure_b_rate, RATE, "pressure_b_rate", PASCAL_PER_SECOND, ALWAYS,
           "Derivative of the pressure in chamber B")
    RESULT(oil_force, DRIVE, "", NEWTON, ALWAYS, "")
    RESULT(friction, OUTPUT, "friction_force", NEWTON, ALWAYS,
           "Friction of the seals, positive when the piston comes out")
    RESULT(end, OUTPUT, "stop_force", NEWTON, ALWAYS,
           "Push of the ends of the stroke, positive when the piston is all in")
    RESULT(friction_loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
    RESULT(end_loss, STOP_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real v = rate;
    const real x = length - closed_length;
    const real left = stroke - x; // of the stroke
    const real area_a = circle_area(bore);
    const real area_b = area_a - circle_area(rod);
    const real hose = circle_area(hose_diameter) * hose_length;

    const real inner = leakage * (pressure_a - pressure_b);
    const real out_a = leakage_out * (pressure_a - atmosphere);
    const real out_b = leakage_out * (pressure_b - atmosphere);
    const real inside_a = dead_a + area_a * x;
    const real inside_b = dead_b + area_b * left;
    const real least_a = num(1e-3) * (area_a * stroke);
    const real least_b = num(1e-3) * (area_b * stroke);
    const real c_a =
        oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, pressure_a);
    const real c_b =
        oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, pressure_b);
    const real capacity_a = room_left(inside_a + hose, least_a) * c_a +
                            (hose / hose_modulus + room_left(inside_a, least_a) / wall_modulus);
    const real capacity_b = room_left(inside_b + hose, least_b) * c_b +
                            (hose / hose_modulus + room_left(inside_b, least_b) / wall_modulus);
    const real net_a = flow_a - inner - out_a - area_a * v;
    const real net_b = flow_b + inner - out_b + area_b * v;

    out->pressure_a_rate = pressure_rate(net_a, capacity_a, pressure_a, vapour);
    out->pressure_b_rate = pressure_rate(net_b, capacity_b, pressure_b, vapour);
    out->oil_force = area_a * pressure_a - area_b * pressure_b;
    out->friction = seal_friction(coulomb, breakaway, stribeck, width, viscous, v);
    out->end = end_of_stroke(stop_stiffness, stop_damping, cushion, -x, -v) -
               end_of_stroke(stop_stiffness, stop_damping, cushion, -left, v);
    out->force = out->oil_force - out->friction + out->end;
    out->friction_loss = out->friction * v;
    out->end_loss = -out->end * v;
#endif
END(cylinder)
