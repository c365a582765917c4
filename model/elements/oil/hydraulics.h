// Numbers of a hydraulic axis: cylinder, valve, pump and port, concatenated from their elements
// (at_axis.h). The robot file, the XML reader, the table of variables and the laws (cylinder.h) use
// these lists.
#ifndef FA_HYDRAULICS_H
#define FA_HYDRAULICS_H

#include <stdbool.h>

#include "units.h"

// Parts of the axis that are present.
enum {
    FA_PART_CHAMBERS = 1,
    FA_PART_VALVE = 2,
    FA_PART_SPOOL = 4,
    FA_PART_PUMP = 8,
    FA_PART_PORT = 16,
    FA_PART_ENDS = 32 // of the stroke, beside a port
};

// FA_CYLINDER_bore …
typedef enum fa_cylinder_number {
#define ELEMENT_LIST                                               "at_axis.h"
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) FA_CYLINDER_##name,
#include "passes.h"
    FA_CYLINDER_NUMBERS
} fa_cylinder_number;

typedef struct fa_cylinder_row {
    const struct fa_item *item;  // elements.h
    unsigned              parts; // parts of the axis that use it, as a bit set
    char element[16]; // child element of <cylinder> with the attribute; empty: <cylinder> itself
    const char *attribute;
    char        key[48]; // in the robot file
    int         as;      // the number that supplies its default; -1: none
} fa_cylinder_row;

fa_cylinder_row fa_cylinder_row_of(int number);

bool fa_cylinder_uses(unsigned parts, fa_cylinder_number number);

// Areas of the piston towards A and B [m^2].
double fa_cylinder_area_a(const double number[]);
double fa_cylinder_area_b(const double number[]);

// Oil in the hose of each chamber [m^3].
double fa_cylinder_hose_volume(const double number[]);

// Oil in chamber A with the piston all in, and in B with it all out: dead volume and hose [m^3]. An
// end of the stroke gives way, so less than that is left where the piston is pressed into it; the
// law counts on no less than this share of the volume of the stroke, from where it goes on above
// zero.
double fa_cylinder_end_volume_a(const double number[]);
double fa_cylinder_end_volume_b(const double number[]);
#define FA_LEAST_STROKE 1e-3

// Returns true if both chambers contain oil with the piston out by this much of the stroke [m]. It
// may start behind an end, as far as the law is valid.
bool fa_cylinder_holds_oil(const double number[], double out);

#endif
