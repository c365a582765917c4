// The numbers that describe a hydraulic axis, cylinder with valve and pump: the one list of which
// the robot file, the XML reader, the table of variables and the laws (drives/cylinder.h) are
// readings.
#ifndef FA_HYDRAULICS_H
#define FA_HYDRAULICS_H

#include <stdbool.h>

#include "units.h"

// What of the axis is inside.
enum { FA_PART_CHAMBERS = 1, FA_PART_VALVE = 2, FA_PART_SPOOL = 4, FA_PART_PUMP = 8 };

// X(code, part, element and attribute in XML, name in the FMU, unit, where the file says nothing,
//   rule, what it is). NAN: see import/cylinder.c, or required.
#define FA_CYLINDER_LIST(X)                                                                        \
    X(CLOSED_LENGTH, CHAMBERS, "", "closed-length", "closed_length", METRE, NAN, ABOVE_ZERO,       \
      "Distance of the end points when the piston is all in")                                      \
    X(STROKE, CHAMBERS, "", "stroke", "stroke", METRE, NAN, ABOVE_ZERO, "Stroke of the piston")    \
    X(BORE, CHAMBERS, "", "bore", "bore", METRE, NAN, ABOVE_ZERO, "Diameter of the piston")        \
    X(ROD, CHAMBERS, "", "rod", "rod", METRE, 0, NOT_NEGATIVE, "Diameter of the rod")              \
    X(DEAD_A, CHAMBERS, "", "dead-volume-a", "dead_volume_a", METRE3, NAN, NOT_NEGATIVE,           \
      "Oil behind the piston when it is all in, without the hose")                                 \
    X(DEAD_B, CHAMBERS, "", "dead-volume-b", "dead_volume_b", METRE3, NAN, NOT_NEGATIVE,           \
      "Oil around the rod when the piston is all out, without the hose")                           \
    X(COULOMB, CHAMBERS, "friction", "coulomb", "coulomb_friction", NEWTON, 0, NOT_NEGATIVE,       \
      "Friction of the seals while the piston slides")                                             \
    X(STATIC, CHAMBERS, "friction", "static", "static_friction", NEWTON, NAN, NOT_NEGATIVE,        \
      "Friction of the seals when the piston begins to move")                                      \
    X(STRIBECK, CHAMBERS, "friction", "stribeck", "stribeck_velocity", METRE_PER_SECOND, 0.005,    \
      ABOVE_ZERO, "Speed over which static friction gives way to sliding friction")                \
    X(WIDTH, CHAMBERS, "friction", "width", "friction_width", METRE_PER_SECOND, 0.001, ABOVE_ZERO, \
      "Speed over which the friction turns round")                                                 \
    X(VISCOUS, CHAMBERS, "friction", "viscous", "viscous_friction", NEWTON_SECOND_PER_METRE, 0,    \
      NOT_NEGATIVE, "Friction per unit of speed")                                                  \
    X(LEAKAGE, CHAMBERS, "leakage", "internal", "internal_leakage", METRE3_PER_SECOND_PASCAL, 0,   \
      NOT_NEGATIVE, "Flow from chamber A to B per difference of pressure")                         \
    X(LEAKAGE_OUT, CHAMBERS, "leakage", "external", "external_leakage", METRE3_PER_SECOND_PASCAL,  \
      0, NOT_NEGATIVE, "Flow out of each chamber per pressure above the atmosphere's")             \
    X(STOP_STIFFNESS, CHAMBERS, "stop", "stiffness", "stop_stiffness", NEWTON_PER_METRE, 1e8,      \
      ABOVE_ZERO, "Stiffness of the ends of the stroke")                                           \
    X(STOP_DAMPING, CHAMBERS, "stop", "damping", "stop_damping", NEWTON_SECOND_PER_METRE, 1e5,     \
      NOT_NEGATIVE, "Damping at the ends of the stroke, reached at the depth `cushion`")           \
    X(CUSHION, CHAMBERS, "stop", "cushion", "stop_cushion", METRE, 0.001, ABOVE_ZERO,              \
      "Depth over which the damping at the ends of the stroke grows")                              \
    X(BULK_MODULUS, OIL, "oil", "bulk-modulus", "bulk_modulus", PASCAL, 1.5e9, ABOVE_ZERO,         \
      "Bulk modulus of the oil without air")                                                       \
    X(AIR, OIL, "oil", "air", "air", NONE, 0, NOT_NEGATIVE,                                        \
      "Free air in the oil at the pressure of the atmosphere, share of the volume")                \
    X(AIR_EXPONENT, OIL, "oil", "air-exponent", "air_exponent", NONE, 1.2, ABOVE_ZERO,             \
      "Polytropic exponent of the air in the oil")                                                 \
    X(ATMOSPHERE, OIL, "oil", "atmosphere", "atmosphere", PASCAL, 1e5, ABOVE_ZERO,                 \
      "Pressure of the atmosphere, at which `air` is counted")                                     \
    X(VAPOUR, OIL, "oil", "vapour-pressure", "vapour_pressure", PASCAL, 1e4, ABOVE_ZERO,           \
      "Pressure below which no chamber falls")                                                     \
    X(HOSE_DIAMETER, CHAMBERS, "hose", "diameter", "hose_diameter", METRE, 0, NOT_NEGATIVE,        \
      "Inner diameter of the hose at each chamber")                                                \
    X(HOSE_LENGTH, CHAMBERS, "hose", "length", "hose_length", METRE, 0, NOT_NEGATIVE,              \
      "Length of the hose at each chamber")                                                        \
    X(HOSE_MODULUS, CHAMBERS, "hose", "bulk-modulus", "hose_bulk_modulus", PASCAL, 7e8,            \
      ABOVE_ZERO, "Pressure per relative change of the hose's volume")                             \
    X(WALL_MODULUS, CHAMBERS, "", "wall-modulus", "wall_bulk_modulus", PASCAL, 2.1e11, ABOVE_ZERO, \
      "Pressure per relative change of the cylinder's volume")                                     \
    X(NOMINAL_FLOW, VALVE, "valve", "nominal-flow", "nominal_flow", METRE3_PER_SECOND, NAN,        \
      ABOVE_ZERO, "Flow over one edge of the valve, all open, at `nominal_drop`")                  \
    X(NOMINAL_DROP, VALVE, "valve", "nominal-drop", "nominal_drop", PASCAL, 3.5e6, ABOVE_ZERO,     \
      "Pressure drop over one edge of the valve at which it passes `nominal_flow`")                \
    X(OVERLAP, VALVE, "valve", "overlap", "overlap", NONE, 0.03, NOT_NEGATIVE,                     \
      "Share of the spool's stroke to either side in which nothing flows")                         \
    X(TRANSITION, VALVE, "valve", "transition", "transition_pressure", PASCAL, 1e5, ABOVE_ZERO,    \
      "Pressure drop below which the flow over an edge turns laminar")                             \
    X(BANDWIDTH, SPOOL, "valve", "bandwidth", "spool_bandwidth", HERTZ, 0, NOT_NEGATIVE,           \
      "Natural frequency of the spool")                                                            \
    X(DAMPING, SPOOL, "valve", "damping", "spool_damping", NONE, 0.8, NOT_NEGATIVE,                \
      "Damping ratio of the spool")                                                                \
    X(PUMP_VOLUME, PUMP, "pump", "volume", "supply_volume", METRE3, 0, NOT_NEGATIVE,               \
      "Oil between pump and valve")                                                                \
    X(RELIEF_PRESSURE, PUMP, "pump", "relief-pressure", "relief_pressure", PASCAL, 1.6e7,          \
      ABOVE_ZERO, "Pressure at which the relief valve begins to open")                             \
    X(RELIEF_GAIN, PUMP, "pump", "relief-gain", "relief_gain", METRE3_PER_SECOND_PASCAL, 1e-9,     \
      NOT_NEGATIVE, "Flow over the relief valve per pressure above `relief_pressure`")

typedef enum fa_cylinder_number {
#define X(code, part, element, attribute, name, unit, usual, rule, about) FA_CYLINDER_##code,
    FA_CYLINDER_LIST(X)
#undef X
        FA_CYLINDER_NUMBERS
} fa_cylinder_number;

typedef struct fa_cylinder_row {
    unsigned    parts; // of the axis that use it, any of them
    const char *element, *attribute, *name, *about;
    fa_unit     unit;
    double      usual;
    enum { FA_ABOVE_ZERO, FA_NOT_NEGATIVE } rule;
} fa_cylinder_row;

extern const fa_cylinder_row fa_cylinder_rows[FA_CYLINDER_NUMBERS];

bool fa_cylinder_uses(unsigned parts, fa_cylinder_number number);

// Areas of the piston towards A and B [m^2].
double fa_cylinder_area_a(const double number[]);
double fa_cylinder_area_b(const double number[]);

#endif
