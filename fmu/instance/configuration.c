// Configuration mode: the host chooses the number of a snake's links. The instance is the host's
// handle, so its address is constant. Memory sized by the robot moves to a second block. The first
// block remains, so that a reset needs no memory.
#include "instance.h"

#include <stdlib.h>
#include <string.h>

int fa_size(const fa_instance *self)
{
    return self->first ? self->size : 0;
}

fa_outcome fa_enter_configuration(fa_instance *self)
{
    if (!self->first)
        return fa_refuse(self,
                         "this FMU has no structural parameter, so there is nothing to "
                         "configure; FMUs that `forearm export --arrays` makes of snakes have "
                         "one");
    self->moment->mode = FA_MODE_CONFIGURATION;
    return FA_DONE;
}

// Lays out an instance for a robot of this size; the first size has its layout already.
static fa_status lay_out(const fa_instance *self, int size, fa_instance **form, fa_error *error)
{
    const fa_instance *first = self->first;
    const fa_setup     setup = {
            .fmi = self->fmi, .kind = self->kind, .name = self->name, .token = self->token};
    fa_robot *robot = fa_robot_unpack(first), *resized = NULL;
    fa_status status = robot ? self->plant->structure->resize(robot, size, &resized, error)
                             : fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                                       "there is not enough memory for another size");
    if (status == FA_OK)
        status = fa_instance_lay_out(self->plant, resized, true, &setup, form, error);
    free(resized);
    free(robot);
    return status;
}

// Takes the layout from `form`, and keeps the host's settings.
static void take_layout(fa_instance *self, const fa_instance *form, void *block)
{
    const fa_instance host = *self;
    fa_details_free(self->details);
    // gcc sees NULL: on success fa_instance_lay_out sets the instance.
    *self = *form;
    self->first = host.first;
    self->block = block;
    self->call = host.call;
    self->host = host.host;
    self->of_host = host.of_host;
    self->event_mode = host.event_mode;
    self->may_return_early = host.may_return_early;
    self->takes_inputs = host.takes_inputs;
    // Robots of all sizes have the same variables.
    memmove(self->intermediate, host.intermediate, host.n_visible * sizeof(bool));
    memcpy(self->log, host.log, sizeof self->log);
    memcpy(self->told, host.told, sizeof self->told);
    free(host.block);
    fa_instance_start(self);
}

fa_status fa_resize(fa_instance *self, int size, size_t moment_size, fa_error *error)
{
    const fa_instance *first = self->first;
    const bool         back = size == first->size;
    fa_instance       *form = NULL;
    if (!back) {
        fa_status status = lay_out(self, size, &form, error);
        if (status != FA_OK) return status;
    }
    const fa_instance *with = back ? first : form;
    // gcc sees NULL: on success fa_instance_lay_out sets the instance.
    if (moment_size != 0 && with->moment_size != moment_size) {
        free(form);
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the state is not that of an FMU with %d links", size);
    }
    take_layout(self, with, form);
    return FA_OK;
}

fa_outcome fa_exit_configuration(fa_instance *self)
{
    double   *wanted = &self->value[self->structure];
    const int size = (int)*wanted;
    fa_error  error = {.message = ""};
    if (size == fa_size(self)) {
        fa_instance_start(self);
        return FA_DONE;
    }
    fa_status status = fa_resize(self, size, 0, &error);
    if (status == FA_OK) return FA_DONE;
    *wanted = fa_size(self);
    return fa_refuse(self, "%s", error.message[0] ? error.message : fa_status_text(status));
}

void fa_instance_reset(fa_instance *self)
{
    // Returning to the first size allocates nothing, so it cannot fail.
    if (self->block) (void)fa_resize(self, self->first->size, 0, NULL);
    fa_instance_start(self);
}
