// The physical quantity of a unit, under Modelica's name, and its display unit. Hosts group
// variables by quantity.
#ifndef FA_QUANTITIES_H
#define FA_QUANTITIES_H

#include "units.h"

typedef struct fa_quantity_row {
    const char *name;    // "Torque": also the type's name in an FMU; NULL for FA_UNIT_NONE
    const char *display; // "deg"; NULL: the unit itself
    double      factor;  // display units per unit
} fa_quantity_row;

// Indexed by fa_unit; names are unique.
extern const fa_quantity_row fa_quantities[FA_UNIT_COUNT];

#endif
