// The motor's rotor with its gear: the joint feels gear^2 inertia.
ELEMENT(rotor, JOINT, "rotor", "rotor and gear")
    NUMBER(inertia, "inertia", "rotor_inertia", INERTIA, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Inertia of the rotor that drives %s, on the rotor's side of the gear")
    NUMBER(gear, "gear", "gear_ratio", NONE, USUAL(1), FINITE, ALWAYS,
           "Turns of the rotor per turn of %s")
    EVERYWHERE()
    RULE(!isinf(inertia * gear * gear), "the rotor inertia of %s times the square of its gear "
                                        "ratio is too large to be calculated with")
    RESULT(reflected, REFLECTED, "", INERTIA, ALWAYS, "")
#ifdef LAW
    out->reflected = inertia * gear * gear;
#endif
END(rotor)
