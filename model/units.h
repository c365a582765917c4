// The units that variables have, and their exponents in SI base units.
#ifndef FA_UNITS_H
#define FA_UNITS_H

// X(code, name as FMI hosts see it, kg, m, s, A, rad)
#define FA_UNIT_LIST(X)                                                                            \
    X(FA_UNIT_NONE, "", 0, 0, 0, 0, 0)                                                             \
    X(FA_UNIT_SECOND, "s", 0, 0, 1, 0, 0)                                                          \
    X(FA_UNIT_METRE, "m", 0, 1, 0, 0, 0)                                                           \
    X(FA_UNIT_METRE_PER_SECOND, "m/s", 0, 1, -1, 0, 0)                                             \
    X(FA_UNIT_METRE_PER_SECOND2, "m/s2", 0, 1, -2, 0, 0)                                           \
    X(FA_UNIT_RADIAN, "rad", 0, 0, 0, 0, 1)                                                        \
    X(FA_UNIT_RADIAN_PER_SECOND, "rad/s", 0, 0, -1, 0, 1)                                          \
    X(FA_UNIT_RADIAN_PER_SECOND2, "rad/s2", 0, 0, -2, 0, 1)                                        \
    X(FA_UNIT_KILOGRAM, "kg", 1, 0, 0, 0, 0)                                                       \
    X(FA_UNIT_KILOGRAM_METRE2, "kg.m2", 1, 2, 0, 0, 0)                                             \
    X(FA_UNIT_NEWTON, "N", 1, 1, -2, 0, 0)                                                         \
    X(FA_UNIT_NEWTON_METRE, "N.m", 1, 2, -2, 0, 0)                                                 \
    X(FA_UNIT_NEWTON_PER_METRE, "N/m", 1, 0, -2, 0, 0)                                             \
    X(FA_UNIT_NEWTON_METRE_PER_RADIAN, "N.m/rad", 1, 2, -2, 0, -1)                                 \
    X(FA_UNIT_NEWTON_SECOND_PER_METRE, "N.s/m", 1, 0, -1, 0, 0)                                    \
    X(FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN, "N.m.s/rad", 1, 2, -1, 0, -1)                        \
    X(FA_UNIT_JOULE, "J", 1, 2, -2, 0, 0)                                                          \
    X(FA_UNIT_WATT, "W", 1, 2, -3, 0, 0)                                                           \
    X(FA_UNIT_PASCAL, "Pa", 1, -1, -2, 0, 0)                                                       \
    X(FA_UNIT_PASCAL_PER_SECOND, "Pa/s", 1, -1, -3, 0, 0)                                          \
    X(FA_UNIT_METRE3, "m3", 0, 3, 0, 0, 0)                                                         \
    X(FA_UNIT_METRE3_PER_SECOND, "m3/s", 0, 3, -1, 0, 0)                                           \
    X(FA_UNIT_METRE3_PER_SECOND_PASCAL, "m3/(s.Pa)", -1, 4, 1, 0, 0)                               \
    X(FA_UNIT_PER_SECOND, "1/s", 0, 0, -1, 0, 0)                                                   \
    X(FA_UNIT_PER_SECOND2, "1/s2", 0, 0, -2, 0, 0)                                                 \
    X(FA_UNIT_HERTZ, "Hz", 0, 0, -1, 0, 0)                                                         \
    X(FA_UNIT_VOLT, "V", 1, 2, -3, -1, 0)                                                          \
    X(FA_UNIT_AMPERE, "A", 0, 0, 0, 1, 0)                                                          \
    X(FA_UNIT_AMPERE_PER_SECOND, "A/s", 0, 0, -1, 1, 0)                                            \
    X(FA_UNIT_HENRY, "H", 1, 2, -2, -2, 0)                                                         \
    X(FA_UNIT_OHM, "Ohm", 1, 2, -3, -2, 0)                                                         \
    X(FA_UNIT_NEWTON_METRE_PER_AMPERE, "N.m/A", 1, 2, -2, -1, 0)                                   \
    X(FA_UNIT_VOLT_SECOND_PER_RADIAN, "V.s/rad", 1, 2, -2, -1, -1)

typedef enum fa_unit {
#define X(code, name, kg, m, s, A, rad) code,
    FA_UNIT_LIST(X)
#undef X
        FA_UNIT_COUNT
} fa_unit;

typedef struct fa_unit_row {
    const char *name; // empty for FA_UNIT_NONE
    int         kg, m, s, A, rad;
} fa_unit_row;

// Indexed by fa_unit.
extern const fa_unit_row fa_units[FA_UNIT_COUNT];

#endif
