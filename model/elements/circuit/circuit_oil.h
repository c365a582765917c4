// The oil of a circuit: what its volumes and lines are filled with.
ELEMENT(oil, NODE, "oil", "oil of a circuit")
    NUMBER(bulk_modulus, "bulk-modulus", "bulk_modulus", PASCAL, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Bulk modulus of the oil without air")
    NUMBER(air, "air", "air", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Free air in the oil, as a share of the volume at `atmosphere`")
    NUMBER(exponent, "air-exponent", "air_exponent", NONE, USUAL(1.2), ABOVE_ZERO, ALWAYS,
           "Polytropic exponent of the air")
    NUMBER(atmosphere, "atmosphere", "atmosphere", PASCAL, USUAL(1e5), ABOVE_ZERO, ALWAYS,
           "Pressure of the surroundings")
    NUMBER(vapour, "vapour-pressure", "vapour_pressure", PASCAL, USUAL(1e4), NOT_NEGATIVE, ALWAYS,
           "Pressure at which the oil boils")
    NUMBER(density, "density", "density", KILOGRAM_PER_METRE3, USUAL(870), ABOVE_ZERO, ALWAYS,
           "Density of the oil")
    NUMBER(viscosity, "viscosity", "viscosity", METRE2_PER_SECOND, USUAL(4.6e-5), NOT_NEGATIVE,
           ALWAYS, "Kinematic viscosity of the oil")
    GIVEN(pressure, PASCAL, "of the oil")
    RESULT(compressibility, OUTPUT, "", NONE, ALWAYS, "")
#ifdef LAW
    out->compressibility =
        oil_compressibility(bulk_modulus, air, exponent, atmosphere, vapour, pressure);
#endif
END(oil)
