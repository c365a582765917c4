// What a unit measures, under the name that Modelica and the standards' examples give it, and the
// unit that people read it in. Hosts group variables by the one and show them in the other.
#ifndef FA_QUANTITIES_H
#define FA_QUANTITIES_H

#include "units.h"

typedef struct fa_quantity_row {
    const char *name;    // "Torque": also the name of the type in an FMU; NULL for FA_UNIT_NONE
    const char *display; // "deg"; NULL: the unit itself
    double      factor;  // what one of the unit is in that
} fa_quantity_row;

// Indexed by fa_unit; no two names are equal.
extern const fa_quantity_row fa_quantities[FA_UNIT_COUNT];

#endif
