// Lazily built data: the robot as read, the table of its variables, and their names, for messages
// and lists of dependencies. They are larger than all numbers of an instance, and most hosts never
// need them. So an instance stores the packed robot, and builds the rest on demand.
#include "instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- the packed robot
//
// Delta and run-length encoding. A robot is mostly zeros, and consecutive links are similar. Each
// byte is combined (exclusive or) with the byte one link's size before. The result is stored as
// runs: a number of zeros, a number of other bytes, these bytes.

enum { RUN_MAX = 255, STRIDE = sizeof(fa_link), WORD = sizeof(uint64_t) };

static unsigned char difference(const unsigned char bytes[], size_t i)
{
    return i < STRIDE ? bytes[i] : (unsigned char)(bytes[i] ^ bytes[i - STRIDE]);
}

// Returns true if the next WORD bytes are zeros.
static bool is_zero(const unsigned char bytes[], size_t from)
{
    uint64_t here, before = 0;
    if (from < STRIDE && from + WORD > STRIDE) return false; // byte by byte across the border
    memcpy(&here, bytes + from, WORD);
    if (from >= STRIDE) memcpy(&before, bytes + from - STRIDE, WORD);
    return here == before;
}

// Count the zeros from here on; and the bytes up to the next two zeros.
static size_t count_zeros(const unsigned char bytes[], size_t from, size_t size)
{
    const size_t most = size - from < RUN_MAX ? size - from : RUN_MAX;
    size_t       n = 0;
    while (n + WORD <= most && is_zero(bytes, from + n)) n += WORD;
    while (n < most && difference(bytes, from + n) == 0) n++;
    return n;
}

static size_t count_others(const unsigned char bytes[], size_t from, size_t size)
{
    const size_t most = size - from < RUN_MAX ? size - from : RUN_MAX;
    size_t       n = 0, zeros = 0;
    for (; n < most && zeros < 2; n++) zeros = difference(bytes, from + n) == 0 ? zeros + 1 : 0;
    return n - zeros;
}

size_t fa_robot_pack(const fa_robot *robot, unsigned char packed[])
{
    const unsigned char *bytes = (const unsigned char *)robot;
    const size_t         size = fa_robot_size(robot);
    size_t               used = 0;
    for (size_t i = 0; i < size;) {
        const size_t zeros = count_zeros(bytes, i, size);
        const size_t others = count_others(bytes, i + zeros, size);
        i += zeros;
        if (packed) {
            packed[used] = (unsigned char)zeros;
            packed[used + 1] = (unsigned char)others;
            for (size_t k = 0; k < others; k++) packed[used + 2 + k] = difference(bytes, i + k);
        }
        used += 2 + others;
        i += others;
    }
    return used;
}

fa_robot *fa_robot_unpack(const fa_instance *self)
{
    const unsigned char *packed = self->packed;
    void                *robot = calloc(1, self->robot_size);
    unsigned char       *bytes = robot;
    size_t               i = 0;
    while (bytes && i < self->robot_size) {
        i += packed[0];
        memcpy(bytes + i, packed + 2, packed[1]);
        i += packed[1];
        packed += 2 + packed[1];
    }
    for (i = STRIDE; bytes && i < self->robot_size; i++) bytes[i] ^= bytes[i - STRIDE];
    return robot;
}

// --- the table, and names in it

const fa_details *fa_recall(const fa_instance *self)
{
    fa_details *details = self->details;
    if (details->of_view) return details;
    fa_robot *robot = fa_robot_unpack(self);
    void     *of_table = NULL, *of_view = NULL;
    fa_status status = robot ? FA_OK : FA_NO_MEMORY;
    if (status == FA_OK)
        status = fa_plant_variables(self->plant, robot, false, &details->table, &of_table, NULL);
    if (status == FA_OK)
        status = fa_view_make(self->plant, robot, &details->table, self->arrays, &details->view,
                              &of_view, NULL);
    if (status != FA_OK) {
        free(of_table);
        free(robot);
        return NULL;
    }
    details->robot = robot;
    details->of_table = of_table;
    details->of_view = of_view;
    return details;
}

void fa_details_free(fa_details *details)
{
    fa_probe_free(&details->probe);
    free(details->of_view);
    free(details->of_table);
    free(details->robot);
    *details = (fa_details){.robot = NULL};
}

// Returns true if the host has a logger. Without one, names are not built.
static bool has_logger(const fa_instance *self)
{
    return self->host.logger;
}

static const char *unnamed(const fa_instance *self, int variable)
{
    fa_details *details = self->details;
    (void)snprintf(details->unnamed, sizeof details->unnamed, "value reference %d", variable + 1);
    return details->unnamed;
}

const char *fa_true_name(const fa_instance *self, int variable)
{
    const fa_details *details = fa_recall(self);
    return details ? details->view.variable[variable].name : unnamed(self, variable);
}

const char *fa_name(const fa_instance *self, int variable)
{
    return has_logger(self) ? fa_true_name(self, variable) : "";
}

const char *fa_row_name(const fa_instance *self, int row)
{
    if (!has_logger(self)) return "";
    const fa_details *details = fa_recall(self);
    if (details) return details->table.row[row].name;
    int element = 0, variable = 0;
    while (self->cell[element] != row) element++;
    while (self->element[variable + 1] <= element) variable++;
    return unnamed(self, variable);
}

fa_element_text fa_name_of_element(const fa_instance *self, int variable, int element)
{
    fa_element_text name = {""};
    if (!has_logger(self)) return name;
    const fa_details *details = fa_recall(self);
    if (details) return fa_element_name(&details->view, variable, element);
    (void)snprintf(name.text, sizeof name.text, "%s", unnamed(self, variable));
    return name;
}
