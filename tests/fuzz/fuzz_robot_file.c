// Whatever the bytes: a robot file is refused with a sentence, or is what would be written again,
// and its plant computes something, or says why not.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "plant.h"
#include "robot_file.h"

static void compute(const fa_robot *robot)
{
    enum { MOST = 20 }; // links: what more of them do is no different, and slow
    const fa_plant *plant = fa_plant_find(robot->plant);
    fa_variables    table;
    void           *block;
    fa_error        error = {0};
    if (robot->n_links > MOST) return;
    if (fa_plant_variables(plant, robot, false, &table, &block, &error) != FA_OK) {
        check(error.message[0] != '\0');
        return;
    }
    double *value = calloc((size_t)table.n, sizeof *value);
    double *step = calloc((size_t)table.n, sizeof *step);
    void   *self = malloc(plant->size(robot) + 1);
    check(value && step && self);
    for (int i = 0; i < table.n; i++) value[i] = table.row[i].start;
    plant->prepare(self, robot, &table);
    if (plant->configure(self, value, &error) == FA_OK &&
        fa_plant_evaluate(plant, self, value, FA_GROUP_ALL, NULL, &error) == FA_OK) {
        (void)plant->tangent(self, value, step, FA_GROUP_ALL, &error);
        (void)plant->adjoint(self, value, step, FA_GROUP_ALL, &error);
        fa_event event = {.initial = true};
        if (plant->event) (void)plant->event(self, value, &event, &error);
    }
    free(self);
    free(step);
    free(value);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fa_robot  *robot = NULL;
    fa_options options = {0};
    fa_error   error = {0};
    if (fa_robot_file_read((const char *)data, size, &robot, &options, &error) != FA_OK) {
        check(error.message[0] != '\0');
        return 0;
    }
    char  *text = NULL;
    size_t length = 0;
    check(fa_robot_file_write(robot, &options, &text, &length, &error) == FA_OK);
    check(length == size && memcmp(text, data, size) == 0);
    free(text);
    compute(robot);
    free(robot);
    return 0;
}
