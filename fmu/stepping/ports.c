// Applies the forces of ports to a step, and forecasts the next one.
#include "ports.h"

#include <math.h>
#include <string.h>

#include "number.h"

static bool any(const fa_instance *self)
{
    return self->n_ports > 0 && self->kind == FA_CO_SIMULATION;
}

static unsigned groups_of(const fa_instance *self)
{
    unsigned groups = 0;
    for (int i = 0; i < self->n_ports; i++) groups |= self->port[i].groups;
    return groups;
}

// Returns true if the host sets this force in intermediate updates; such a port needs no forecast.
static bool is_given_within(const fa_instance *self, const fa_port *port)
{
    for (int v = 0; self->takes_inputs && v < (int)self->n_visible; v++)
        for (int k = self->element[v]; k < self->element[v + 1]; k++)
            if (self->cell[k] == port->force && self->intermediate[v]) return true;
    return false;
}

// ------------------------------------------------------------------------------------------- start

fa_status fa_ports_start(fa_instance *self, fa_error *error)
{
    const double   *value = self->value;
    fa_trajectory   trajectory = fa_trajectory_of(self);
    const fa_status status = fa_ports_show(&trajectory, self->port, self->n_ports, error);
    if (status != FA_OK || !any(self)) return status;
    const fa_port_way way = fa_port_way_of(&self->port_rules, value);
    if (groups_of(self) & ~self->moment->fresh) return FA_OK; // the first step reports the failure
    for (int i = 0; i < self->n_ports; i++) {
        const fa_port *p = &self->port[i];
        const double   given = value[p->force];
        fa_port_start(&self->port_memory[i], value[p->length], value[p->velocity],
                      way.wait && given == 0 ? p->start : given, value[p->spring],
                      value[p->damper]);
    }
    return FA_OK;
}

// -------------------------------------------------------------------------------------------- step

void fa_ports_begin(fa_communication *step, double size)
{
    fa_instance *self = step->self;
    double      *value = self->value, *input = self->port_inputs;
    if (!any(self)) return;
    memcpy(input, step->input, (size_t)self->n_inputs * sizeof *input);
    step->input = input;
    const fa_port_way way = fa_port_way_of(&self->port_rules, value);
    for (int i = 0; i < self->n_ports; i++) {
        const fa_port *p = &self->port[i];
        if (is_given_within(self, p)) continue;
        const fa_port_law law = fa_port_begin(&self->port_memory[i], &way, value[p->force], size,
                                              value[p->first_spring], value[p->first_damper]);
        value[p->hold] = FA_PORT_HOLDS;
        value[p->spring] = law.spring;
        value[p->damper] = law.damper;
        value[p->rate] = law.rate;
        value[p->held_length] = law.length;
        value[p->held_velocity] = law.velocity;
        value[p->force] = input[p->force - self->first_input] = law.push;
        self->rate[p->force - self->first_input] = law.rate;
    }
    self->moment->fresh = 0;
}

// Returns the size of the part of the moment that a step may change, as in step.c.
static size_t changing(const fa_instance *self)
{
    return self->moment_size - sizeof *self->moment - (size_t)self->first_input * sizeof(double);
}

static void ignore_update(void *context, const fa_event *event)
{
    (void)context, (void)event; // a forecast is not logged
}

// Forecast: integrates a further step with the same laws, records lengths and speeds, and restores
// the state. Events in it are not reported. If it fails, the lengths are extrapolated at constant
// speed.
static void rehearse(fa_communication *step, double t, const double x[], double size)
{
    fa_instance     *self = step->self;
    fa_moment       *kept = self->port_kept;
    double          *ahead = self->port_states, *next = self->port_next, *value = self->value;
    fa_communication further = *step;
    fa_error         error = fa_no_error();
    for (int i = 0; i < self->n_ports; i++) {
        next[2 * i] = value[self->port[i].length] + size * value[self->port[i].velocity];
        next[2 * i + 1] = value[self->port[i].velocity];
    }
    memcpy(kept, self->moment, sizeof *kept);
    memcpy(kept->value, value + self->first_input, changing(self));
    memcpy(ahead, x, (size_t)self->n_states * sizeof *ahead);
    memcpy(self->port_inputs, value + self->first_input, (size_t)self->n_inputs * sizeof *value);
    for (int i = 0; i < self->n_inputs; i++) self->rate[i] = 0;
    for (int i = 0; i < self->n_ports; i++)
        if (value[self->port[i].hold] == FA_PORT_HOLDS)
            self->rate[self->port[i].force - self->first_input] = value[self->port[i].rate];
    further.begin = t;
    fa_trajectory *trajectory = &further.trajectory;
    trajectory->owner.stepped = NULL;
    trajectory->owner.updated = ignore_update;
    trajectory->owner.context = &further;
    trajectory->leaves = trajectory->returns = false;
    trajectory->end = t + size;
    fa_communication_rehearse(&further);
    fa_status status = fa_trajectory_advance(trajectory, false, &t, ahead, &error);
    if (status == FA_OK) status = fa_trajectory_place(trajectory, t, ahead, &error);
    if (status == FA_OK) status = fa_trajectory_evaluate(trajectory, groups_of(self), &error);
    for (int i = 0; i < self->n_ports && status == FA_OK; i++) {
        next[2 * i] = value[self->port[i].length];
        next[2 * i + 1] = value[self->port[i].velocity];
    }
    memcpy(self->moment, kept, sizeof *kept);
    memcpy(value + self->first_input, kept->value, changing(self));
    self->moment->fresh = 0;
}

static void warn(fa_instance *self, int i, double size, double moved)
{
    const fa_port  *p = &self->port[i];
    fa_port_memory *m = &self->port_memory[i];
    const double    first = self->value[p->first_spring], gap = self->value[p->length] - m->x;
    const double    angle = self->value[p->frequency] * 6.28318530717958647693 * size;
    const char     *name = fa_row_name(self, p->force);
    const fa_text   when = fa_number_text(self->value[self->time_row]);
    if (fa_port_warns(m, FA_PORT_FAST, first, angle, gap, moved))
        fa_note(self, FA_CATEGORY_WARNING,
                "at t = %s s the port of '%s' swings at %s Hz, too fast for steps of %s s: results "
                "hang on details; take steps of %s s at most",
                when.text, name, fa_number_text(self->value[p->frequency]).text,
                fa_number_text(size).text, fa_number_text(size / angle).text);
    if (fa_port_warns(m, FA_PORT_BOUND, first, angle, gap, moved))
        fa_note(self, FA_CATEGORY_WARNING,
                "at t = %s s the port of '%s' has found the jack's stiffness to be %s of "
                "port_stiffness_start for 20 steps, and looks no farther; give it a better start",
                when.text, name, m->k < first ? "a quarter" : "four times");
    if (fa_port_warns(m, FA_PORT_APART, first, angle, gap, moved))
        fa_note(self, FA_CATEGORY_WARNING,
                "at t = %s s the cylinder of '%s' and its jack have been apart by more than a "
                "tenth of their motion for 20 steps, now by %s m; take smaller steps, or look at "
                "port_schedule and at how the jack takes its motion",
                when.text, name, fa_number_text(gap).text);
}

fa_status fa_ports_end(fa_communication *step, double t, const double x[], double size, bool done,
                       fa_error *error)
{
    fa_instance  *self = step->self;
    double       *value = self->value, *next = self->port_next;
    const double *host = self->undo->value; // the host's inputs
    if (!any(self)) return FA_OK;
    const double      taken = t - step->begin;
    const fa_port_way way = fa_port_way_of(&self->port_rules, value);
    fa_status         status = FA_OK;
    done &= taken > 0;
    if (done)
        status = fa_trajectory_evaluate(&step->trajectory,
                                        groups_of(self) | self->derivative_groups, error);
    for (int i = 0; i < self->n_ports && done && status == FA_OK; i++)
        if (value[self->port[i].hold] == FA_PORT_HOLDS)
            status = fa_port_find_mass(&step->trajectory, &self->port[i], error);
    done &= status == FA_OK;
    if (done && way.schedule != FA_PORT_ARM_FIRST) rehearse(step, t, x, size);
    for (int i = 0; i < self->n_ports; i++) {
        const fa_port  *p = &self->port[i];
        fa_port_memory *m = &self->port_memory[i];
        if (value[p->hold] != FA_PORT_HOLDS) continue;
        value[p->held_force] = value[p->force];
        value[p->hold] = FA_PORT_RESTS;
        value[p->force] = host[p->force - self->first_input];
        if (!done) continue;
        const double before = m->x, length = value[p->length];
        fa_port_end(m, &way, taken, length, value[p->velocity], size, next[2 * i], next[2 * i + 1]);
        value[p->told_length] = m->x;
        value[p->told_velocity] = m->v_a;
        value[p->told_acceleration] = (m->v_b - m->v_a) / size;
        warn(self, i, size, length - before);
    }
    self->moment->fresh = 0;
    return status;
}
