// Oil in a hose, a block or a tank that gives way a little: it makes a node.
ELEMENT(volume, NODE, "volume", "volume of oil")
    NUMBER(volume, "volume", "volume", METRE3, REQUIRED, ABOVE_ZERO, ALWAYS, "Oil in %s")
    NUMBER(wall_modulus, "wall-modulus", "wall_modulus", PASCAL, USUAL(2e9), ABOVE_ZERO, ALWAYS,
           "Modulus of the walls of %s: pressure over relative change of volume")
    NUMBER_OF(bulk_modulus, oil)
    NUMBER_OF(air, oil)
    NUMBER_OF(exponent, oil)
    NUMBER_OF(atmosphere, oil)
    NUMBER_OF(vapour, oil)
    PORT(pressure, "name")
    BETWEEN(capacity, pressure, outside)
    RESULT(capacity, CAPACITY, "", NONE, ALWAYS, "")
#ifdef LAW
    const real c = oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, pressure);
    out->capacity = volume * (c + 1 / wall_modulus);
#endif
END(volume)
