// Saves, restores and serialises the mutable part of an instance, with version and checksum.
#include "instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Header of a saved state, in memory and serialised; a fa_moment follows. Byte order and layout are
// the machine's.
struct fa_saved_state {
    uint32_t mark; // magic number, detects foreign data and byte order
    uint32_t version;
    uint64_t size;  // total size in bytes
    uint64_t links; // value of fa_size
    char     token[FA_TOKEN_SIZE];
    uint64_t checksum; // over all bytes, with this field zero; zero while in memory
};

static const uint32_t mark = 0x46417374; // "FAst"
static const uint32_t version = 4;       // format of fa_moment

// Returns the size of a saved state; it depends on the instance's size.
static size_t saved_size(const fa_instance *self)
{
    return sizeof(fa_saved_state) + self->moment_size;
}

static const fa_moment *moment_of(const fa_saved_state *saved)
{
    return (const fa_moment *)(saved + 1);
}

// FNV-1a. Each step is a bijection of the previous sum, so a difference in one byte always changes
// the sum.
static uint64_t checksum(const unsigned char bytes[], size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static bool ours(const fa_instance *self, const fa_saved_state *saved)
{
    return saved->mark == mark && saved->version == version &&
           saved->size >= sizeof(fa_saved_state) + sizeof(fa_moment) &&
           memcmp(saved->token, self->token, FA_TOKEN_SIZE) == 0 &&
           moment_of(saved)->kind == (int32_t)self->kind &&
           (saved->links != (uint64_t)fa_size(self) ? self->first != NULL
                                                    : saved->size == saved_size(self));
}

static fa_outcome foreign(fa_instance *self)
{
    return fa_refuse(self, "the state given is none, or belongs to another robot, another version "
                           "of the library or another kind of instance");
}

fa_outcome fa_save(fa_instance *self, fa_saved_state **saved)
{
    if (!saved) return fa_refuse(self, "there is no place for the state");
    if (*saved && !ours(self, *saved)) return foreign(self);
    fa_saved_state *state = *saved;
    if (!state || state->size != saved_size(self)) state = malloc(saved_size(self));
    if (!state) return fa_refuse(self, "there is not enough memory for the state");
    if (state != *saved) free(*saved);
    *saved = state;
    memset(state, 0, sizeof *state);
    state->mark = mark;
    state->version = version;
    state->size = saved_size(self);
    state->links = (uint64_t)fa_size(self);
    memcpy(state->token, self->token, FA_TOKEN_SIZE);
    memcpy(state + 1, self->moment, self->moment_size);
    return FA_DONE;
}

// Returns true if the value is valid in a cell: set values pass the setter's checks, states and
// discrete values are finite, enumerations are in range. Other cells are recomputed.
static bool could_be_in(const fa_instance *self, int cell, double value)
{
    const fa_row   *row = &self->row[cell];
    const fa_bounds bounds = fa_bounds_of(self, cell);
    if (row->type == FA_BOOLEAN) return value == 0 || value == 1;
    if (row->type != FA_REAL && !(fabs(value) <= INT32_MAX && value == floor(value))) return false;
    if (row->setting <= FA_SET_TUNABLE) return fa_value_is_possible(self, cell, value);
    if (row->setting == FA_SET_NEVER && row->group != 0) return true;
    return isfinite(value) && value >= bounds.minimum && value <= bounds.maximum;
}

// Returns true if the values are valid for a run. The checksum does not protect against forged
// bytes.
static bool could_be(const fa_instance *self, const fa_moment *moment)
{
    if (self->call && self->call->verdict[self->kind][moment->mode] == FA_NO_MODE) return false;
    for (int i = 0; i < self->n_cells; i++)
        if (!could_be_in(self, i, moment->value[i])) return false;
    const double *rate = moment->value + self->n_cells;
    for (int i = 0; i < self->n_inputs; i++)
        if (!isfinite(rate[i])) return false;
    const double *kept = rate + self->n_inputs, *end = kept;
    end += (size_t)self->n_ports * sizeof(fa_port_memory) / sizeof *kept;
    while (kept < end)
        if (!isfinite(*kept++)) return false;
    // infinite next event: none; infinite stop time: not given
    if (isnan(moment->next_event) || (!self->switches && !(moment->next_event == INFINITY)) ||
        isnan(moment->stop) || !isfinite(moment->start) || !isfinite(moment->last_time) ||
        !isfinite(moment->value[self->time_row]))
        return false;
    return fa_pace_is_possible(&moment->pace) && moment->tolerance >= 0 &&
           isfinite(moment->tolerance) && moment->touched >= FA_UNTOUCHED &&
           moment->touched <= FA_EVENT_DUE && moment->last_step >= (int)FA_DONE &&
           moment->last_step <= (int)FA_FAILED && (moment->seen == 0 || moment->seen == 1) &&
           (moment->experiment == 0 || moment->experiment == 1);
}

fa_outcome fa_restore(fa_instance *self, const fa_saved_state *saved)
{
    if (!saved || !ours(self, saved)) return foreign(self);
    if (saved->links != (uint64_t)fa_size(self)) {
        fa_error  error = {.message = ""};
        fa_status status =
            saved->links > FA_LINK_MAX
                ? FA_BAD_INPUT
                : fa_resize(self, (int)saved->links, (size_t)saved->size - sizeof *saved, &error);
        if (status == FA_NO_MEMORY) return fa_refuse(self, "%s", error.message);
        if (status != FA_OK) return foreign(self);
    }
    if (!could_be(self, moment_of(saved)))
        return fa_refuse(self, "the state given has values that no run of this robot comes to; it "
                               "has been damaged or made up");
    memcpy(self->moment, saved + 1, self->moment_size);
    // The plant's memory belongs to other values: configure it before the next evaluation, and
    // invalidate all groups.
    self->configured = false;
    self->restart = self->moment->mode <= FA_MODE_INITIALIZATION;
    return FA_DONE;
}

fa_outcome fa_forget(fa_instance *self, fa_saved_state **saved)
{
    if (!saved || !*saved) return FA_DONE;
    if (!ours(self, *saved)) return foreign(self);
    free(*saved);
    *saved = NULL;
    return FA_DONE;
}

fa_outcome fa_serialized_size(fa_instance *self, const fa_saved_state *saved, size_t *size)
{
    if (!size) return fa_refuse(self, "there is no place for the size");
    if (!saved || !ours(self, saved)) return foreign(self);
    *size = (size_t)saved->size;
    return FA_DONE;
}

fa_outcome fa_serialize(fa_instance *self, const fa_saved_state *saved, void *bytes, size_t size)
{
    if (!saved || !ours(self, saved)) return foreign(self);
    if (!bytes || size != saved->size)
        return fa_refuse(self, "the state takes %lu bytes and there is room for %lu",
                         (unsigned long)saved->size, (unsigned long)(bytes ? size : 0));
    memcpy(bytes, saved, size);
    uint64_t sum = checksum(bytes, size);
    memcpy((char *)bytes + offsetof(fa_saved_state, checksum), &sum, sizeof sum);
    return FA_DONE;
}

fa_outcome fa_deserialize(fa_instance *self, const void *bytes, size_t size, fa_saved_state **saved)
{
    if (!saved) return fa_refuse(self, "there is no place for the state");
    if (*saved && !ours(self, *saved)) return foreign(self);
    const bool sized = self->first != NULL && size >= sizeof(fa_saved_state) + sizeof(fa_moment);
    if (!bytes || (size != saved_size(self) && !sized)) return foreign(self);
    fa_saved_state *state = malloc(size);
    if (!state) return fa_refuse(self, "there is not enough memory for the state");
    memcpy(state, bytes, size);
    uint64_t sum = state->checksum;
    state->checksum = 0;
    bool whole = checksum((const unsigned char *)state, size) == sum;
    int  mode = moment_of(state)->mode;
    // a state cannot be saved within a step
    bool possible = mode >= 0 && mode < FA_MODE_COUNT && mode != FA_MODE_INTERMEDIATE;
    if (!whole || !ours(self, state) || state->size != size || !possible) {
        free(state);
        return whole ? foreign(self)
                     : fa_refuse(self, "the bytes of the state have been changed on their way");
    }
    free(*saved);
    *saved = state;
    return FA_DONE;
}
