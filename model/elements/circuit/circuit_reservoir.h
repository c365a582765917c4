// A tank or a supply: a node of given pressure. What flows out of it is energy from outside.
ELEMENT(reservoir, NODE, "tank", "node of given pressure")
    INPUT(pressure, "pressure", PASCAL, FREE, ALWAYS, "Pressure at %s, absolute")
    GIVEN(net, METRE3_PER_SECOND, "into it, of all parts")
    RESULT(supplied, SUPPLIED, "", WATT, ALWAYS, "")
#ifdef LAW
    out->supplied = -pressure * net;
#endif
END(reservoir)
