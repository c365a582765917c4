// The chambers of a cylinder whose oil is the circuit's: what they take from two nodes. Its force
// follows from the same pressures, by the law of the cylinder.
ELEMENT(chambers, NODE, "cylinder", "chambers of a cylinder in a circuit")
    NUMBER_OF(closed_length, cylinder)
    NUMBER_OF(stroke, cylinder)
    NUMBER_OF(bore, cylinder)
    NUMBER_OF(rod, cylinder)
    NUMBER_OF(dead_a, cylinder)
    NUMBER_OF(dead_b, cylinder)
    NUMBER_OF(leakage, cylinder)
    NUMBER_OF(leakage_out, cylinder)
    NUMBER_OF(hose_diameter, cylinder)
    NUMBER_OF(hose_length, cylinder)
    NUMBER_OF(hose_modulus, cylinder)
    NUMBER_OF(wall_modulus, cylinder)
    NUMBER_OF(bulk_modulus, oil)
    NUMBER_OF(air, oil)
    NUMBER_OF(exponent, oil)
    NUMBER_OF(atmosphere, oil)
    NUMBER_OF(vapour, oil)
    PORT(p_a, "node-a")
    PORT(p_b, "node-b")
    GIVEN(length, METRE, "from end to end")
    GIVEN(rate, METRE_PER_SECOND, "of the length")
    BETWEEN(flow_a, p_a, outside)
    BETWEEN(flow_b, p_b, outside)
    BETWEEN(capacity_a, p_a, outside)
    BETWEEN(capacity_b, p_b, outside)
    RESULT(flow_a, FLOW, "", METRE3_PER_SECOND, ALWAYS, "")
    RESULT(flow_b, FLOW, "", METRE3_PER_SECOND, ALWAYS, "")
    RESULT(capacity_a, CAPACITY, "", NONE, ALWAYS, "")
    RESULT(capacity_b, CAPACITY, "", NONE, ALWAYS, "")
    RESULT(work, DRIVE, "", WATT, ALWAYS, "")
    RESULT(lost, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real x = length - closed_length;
    const real left = stroke - x; // of the stroke
    const real area_a = circle_area(bore);
    const real area_b = area_a - circle_area(rod);
    const real hose = circle_area(hose_diameter) * hose_length;
    const real hose_gives = hose / hose_modulus;
    const real inner = leakage * (p_a - p_b);
    const real out_a = leakage_out * (p_a - atmosphere);
    const real out_b = leakage_out * (p_b - atmosphere);
    const real inside_a = dead_a + area_a * x;
    const real inside_b = dead_b + area_b * left;
    const real least_a = num(1e-3) * (area_a * stroke);
    const real least_b = num(1e-3) * (area_b * stroke);
    const real c_a = oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, p_a);
    const real c_b = oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, p_b);
    out->flow_a = area_a * rate + inner + out_a;
    out->flow_b = out_b - inner - area_b * rate;
    out->capacity_a = room_left(inside_a + hose, least_a) * c_a +
                      (hose_gives + room_left(inside_a, least_a) / wall_modulus);
    out->capacity_b = room_left(inside_b + hose, least_b) * c_b +
                      (hose_gives + room_left(inside_b, least_b) / wall_modulus);
    out->work = (area_a * p_a - area_b * p_b) * rate;
    out->lost = inner * (p_a - p_b) + out_a * p_a + out_b * p_b;
#endif
END(chambers)
