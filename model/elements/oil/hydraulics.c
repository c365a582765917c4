// Names, units and bounds of a hydraulic axis' parameters.
#include "hydraulics.h"

#include <stdio.h>
#include <string.h>

#include "elements.h"

#define QUARTER_PI 0.78539816339744830962

// Elements in the order of their numbers, and the parts of an axis that they belong to.
static const struct {
    int      element;
    unsigned part;
} elements[] = {{FA_ELEMENT_cylinder, FA_PART_CHAMBERS},
                {FA_ELEMENT_valve, FA_PART_VALVE},
                {FA_ELEMENT_pump, FA_PART_PUMP},
                {FA_ELEMENT_port, FA_PART_PORT}};

// Returns true if the element shares the cylinder's number of that name: oil in pump and chambers;
// seals and end stops beside a port.
static bool shares(const fa_element *e, const char *name)
{
    const fa_item *item;
    for (int i = 0; (item = fa_element_item(e, FA_ITEM_NUMBER_OF, FA_ITEM_NUMBER_OF, i)); i++)
        if (strcmp(item->name, name) == 0) return true;
    return false;
}

// Returns true if only the end stops use this number.
static bool is_of_ends(int number)
{
    return number == FA_CYLINDER_closed_length || number == FA_CYLINDER_stroke ||
           (number >= FA_CYLINDER_stop_stiffness && number <= FA_CYLINDER_cushion);
}

fa_cylinder_row fa_cylinder_row_of(int number)
{
    int which = 0, first = 0;
    for (; number - first >= fa_elements[elements[which].element].n_numbers; which++)
        first += fa_elements[elements[which].element].n_numbers;
    const fa_element *e = &fa_elements[elements[which].element];
    const fa_item    *item = &e->item[number - first];
    const char       *slash = strchr(item->xml, '/');
    fa_cylinder_row   row = {.item = item, .parts = elements[which].part, .as = -1};
    // A conditional number of a valve belongs to the spool.
    if (which > 0 && item->when) row.parts = FA_PART_SPOOL;
    if (which == 0 && shares(&fa_elements[FA_ELEMENT_pump], item->name)) row.parts |= FA_PART_PUMP;
    if (which == 0 && shares(&fa_elements[FA_ELEMENT_port], item->name))
        row.parts |= is_of_ends(number) ? FA_PART_ENDS : FA_PART_PORT;
    row.attribute = slash ? slash + 1 : item->xml;
    if (slash) memcpy(row.element, item->xml, (size_t)(slash - item->xml));
    if (which > 0) (void)snprintf(row.element, sizeof row.element, "%s", e->xml);
    (void)snprintf(row.key, sizeof row.key, "%s.%s", e->name, item->xml);
    const char *as = item->as ? item->as->number : NULL;
    if (as) row.as = first + fa_element_real_index(e, as, strlen(as));
    return row;
}

bool fa_cylinder_uses(unsigned parts, fa_cylinder_number number)
{
    return fa_cylinder_row_of(number).parts & parts;
}

double fa_cylinder_area_a(const double number[])
{
    return QUARTER_PI * number[FA_CYLINDER_bore] * number[FA_CYLINDER_bore];
}

double fa_cylinder_area_b(const double number[])
{
    return fa_cylinder_area_a(number) -
           QUARTER_PI * number[FA_CYLINDER_rod] * number[FA_CYLINDER_rod];
}

double fa_cylinder_hose_volume(const double number[])
{
    const double diameter = number[FA_CYLINDER_hose_diameter];
    return QUARTER_PI * diameter * diameter * number[FA_CYLINDER_hose_length];
}

double fa_cylinder_end_volume_a(const double number[])
{
    return number[FA_CYLINDER_dead_a] + fa_cylinder_hose_volume(number);
}

double fa_cylinder_end_volume_b(const double number[])
{
    return number[FA_CYLINDER_dead_b] + fa_cylinder_hose_volume(number);
}

bool fa_cylinder_holds_oil(const double number[], double out)
{
    const double stroke = number[FA_CYLINDER_stroke], least = FA_LEAST_STROKE * stroke;
    const double area_a = fa_cylinder_area_a(number), area_b = fa_cylinder_area_b(number);
    return fa_cylinder_end_volume_a(number) + area_a * (out + least) > 0 &&
           fa_cylinder_end_volume_b(number) + area_b * (stroke - out + least) > 0;
}
