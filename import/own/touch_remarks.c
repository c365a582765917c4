// Remarks on contacts that start deep in what they touch: the first thing that would happen is that
// they are thrown out. Where they are, only the plant knows, which closes loops and stands on
// bases.
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "number.h"
#include "plant.h"

// Deeper than this at the start is a warning: a share of the radius, of a point so much [m].
static const double DEEP_SHARE = 0.1, DEEP_POINT = 0.01;

static void remark(const fa_robot *robot, int k, double depth, const char *source,
                   const fa_log *log)
{
    const fa_contact *c = fa_robot_contact(robot, k);
    const double      most = c->shape == FA_CONTACT_POINT ? DEEP_POINT : DEEP_SHARE * c->law.radius;
    if (!(depth > (most < DEEP_POINT ? most : DEEP_POINT))) return;
    fa_warn(log, source, c->place,
            "contact '%s' starts %s m deep in %s, and will be thrown out; start higher, or make it "
            "softer",
            c->name, fa_number_text(depth).text,
            c->on == FA_WORLD ? "the ground" : fa_robot_obstacle(robot, c->on)->name);
}

// The rows of a plant at the start; NULL where something fails, which others have said.
static double *values_at_start(const fa_plant *plant, const fa_robot *robot,
                               const fa_variables *table)
{
    double *value = calloc((size_t)table->n, sizeof *value);
    void   *self = malloc(plant->size(robot));
    bool    found = value && self;
    for (int row = 0; found && row < table->n; row++) value[row] = table->row[row].start;
    if (found) plant->prepare(self, robot, table);
    found = found && plant->configure(self, value, NULL) == FA_OK &&
            fa_plant_evaluate(plant, self, value, FA_GROUP_ALL, NULL, NULL) == FA_OK;
    free(self);
    if (found) return value;
    free(value);
    return NULL;
}

void fa_touches_remark(const fa_robot *robot, int own, const char *side, const fa_log *log)
{
    const fa_plant *plant = fa_plant_find(robot->plant);
    fa_variables    table;
    void           *block;
    if (robot->n_contacts == 0 || !plant) return;
    if (fa_plant_variables(plant, robot, false, &table, &block, NULL) != FA_OK) return;
    double *value = values_at_start(plant, robot, &table);
    for (int k = 0; value && k < robot->n_contacts; k++) {
        const int row = fa_variables_row(&table, FA_OF_CONTACT, k, "depth", 0);
        if (row != FA_NO_ROW)
            remark(robot, k, value[row], k < own || !side ? robot->source : side, log);
    }
    free(value);
    free(block);
}
