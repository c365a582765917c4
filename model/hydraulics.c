#include "hydraulics.h"

#include <math.h>

#define QUARTER_PI 0.78539816339744830962

// Pump and chambers alike are filled with oil.
enum {
    CHAMBERS = FA_PART_CHAMBERS,
    VALVE = FA_PART_VALVE,
    SPOOL = FA_PART_SPOOL,
    PUMP = FA_PART_PUMP,
    OIL = FA_PART_CHAMBERS | FA_PART_PUMP
};

const fa_cylinder_row fa_cylinder_rows[FA_CYLINDER_NUMBERS] = {
#define X(code, part, element, attribute, name, unit, usual, rule, about)                          \
    {part, element, attribute, name, about, FA_UNIT_##unit, usual, FA_##rule},
    FA_CYLINDER_LIST(X)
#undef X
};

bool fa_cylinder_uses(unsigned parts, fa_cylinder_number number)
{
    return fa_cylinder_rows[number].parts & parts;
}

double fa_cylinder_area_a(const double number[])
{
    return QUARTER_PI * number[FA_CYLINDER_BORE] * number[FA_CYLINDER_BORE];
}

double fa_cylinder_area_b(const double number[])
{
    return fa_cylinder_area_a(number) -
           QUARTER_PI * number[FA_CYLINDER_ROD] * number[FA_CYLINDER_ROD];
}

double fa_cylinder_hose_volume(const double number[])
{
    const double diameter = number[FA_CYLINDER_HOSE_DIAMETER];
    return QUARTER_PI * diameter * diameter * number[FA_CYLINDER_HOSE_LENGTH];
}

double fa_cylinder_end_volume_a(const double number[])
{
    return number[FA_CYLINDER_DEAD_A] + fa_cylinder_hose_volume(number);
}

double fa_cylinder_end_volume_b(const double number[])
{
    return number[FA_CYLINDER_DEAD_B] + fa_cylinder_hose_volume(number);
}

bool fa_cylinder_holds_oil(const double number[], double out)
{
    const double stroke = number[FA_CYLINDER_STROKE], least = FA_LEAST_STROKE * stroke;
    const double area_a = fa_cylinder_area_a(number), area_b = fa_cylinder_area_b(number);
    return fa_cylinder_end_volume_a(number) + area_a * (out + least) > 0 &&
           fa_cylinder_end_volume_b(number) + area_b * (stroke - out + least) > 0;
}
