// A node with a capacity: what flows into it raises its pressure.
ELEMENT(node, NODE, "node", "node of a circuit")
    NUMBER_OF(vapour, oil)
    STATE(pressure, "pressure", PASCAL, 1e6, FREE, ALWAYS, "Pressure at %s, absolute")
    GIVEN(net, METRE3_PER_SECOND, "into it, of all parts")
    GIVEN(capacity, NONE, "of all parts that stand at it")
    RESULT(pressure_rate, RATE, "pressure_rate", PASCAL_PER_SECOND, ALWAYS,
           "Derivative of the pressure at %s")
    RESULT(storing, STORING, "", WATT, ALWAYS, "")
#ifdef LAW
    const real rising = pressure_rate(net, capacity, pressure, vapour);
    out->pressure_rate = rising;
    out->storing = pressure * (capacity * rising);
#endif
END(node)
