// The session command simulate.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "break.h"
#include "number.h"
#include "session.h"
#include "table.h"

#define MOST_STEPS 1e9

// The parsed request.
typedef struct plan {
    bool        is_new, zeroed;
    fa_schedule schedule;
    double      steps;
} plan;

// Reads a schedule. Simulates to its end, or the number of timesteps given.
static fa_status read_schedule(fa_request *call, plan *p, fa_error *error)
{
    fa_session *s = call->session;
    const char *file;
    double      end = 0;
    fa_status   status = fa_ask(call, "name of the schedule file?", NULL, &file, error);
    if (status == FA_OK)
        status = fa_motion_schedule(&s->arm, file, s->DAC_period, &p->schedule, &end, error);
    if (status != FA_OK) return status;
    if (call->used < call->n)
        return fa_ask_count(call, "number of timesteps?", MOST_STEPS, &p->steps, error);
    p->steps = ceil(end / s->timestep - 1e-9); // tolerates rounding
    if (p->steps >= 1 && p->steps <= MOST_STEPS) return FA_OK;
    return fa_request_fail(
        call, error,
        "the schedule lasts %s s, and timesteps of %s s do not divide that; say how "
        "many timesteps behind its name",
        fa_number_text(end).text, fa_number_text(s->timestep).text);
}

static fa_status ask(fa_request *call, plan *p, fa_error *error)
{
    const fa_session *s = call->session;
    bool              scheduled;
    fa_status         status =
        fa_ask_either(call, "start a new simulation?", true, "new", "continued", &p->is_new, error);
    if (status != FA_OK) return status;
    if (!p->is_new && !s->motion.begun)
        return fa_request_fail(call, error, "there is no simulation to continue; start a new one");
    if (p->is_new)
        status = fa_ask_either(call, "set theta and omega to zero before?", true, "zeroed", "kept",
                               &p->zeroed, error);
    if (status == FA_OK)
        status = fa_ask_either(call, "use a schedule file?", false, "schedule", "constant",
                               &scheduled, error);
    if (status == FA_OK && scheduled)
        status = read_schedule(call, p, error);
    else if (status == FA_OK)
        status = fa_ask_count(call, "number of timesteps?", MOST_STEPS, &p->steps, error);
    return status == FA_OK ? fa_request_end(call, error) : status;
}

static fa_status begin(fa_session *s, const plan *p, fa_error *error)
{
    if (!p->is_new) return FA_OK;
    if (p->zeroed) fa_sim_arm_rest(&s->arm);
    return fa_motion_begin(&s->motion, &s->arm, error);
}

fa_status fa_sim_simulate(fa_request *call, fa_error *error)
{
    fa_session *s = call->session;
    plan        p = {.is_new = true};
    fa_status   status = ask(call, &p, error);
    if (status == FA_OK) status = begin(s, &p, error);
    if (status != FA_OK) {
        fa_schedule_free(&p.schedule);
        return status;
    }
    double from = s->motion.simulation.t;
    status = fa_motion_continue(&s->motion, &s->arm, p.schedule, p.steps, s->timestep, error);
    if (s->motion.n > 0)
        printf("simulated from %s s to %s s%s\n", fa_rounded_text(from).text,
               fa_rounded_text(fa_motion_time(&s->motion, s->motion.n - 1)).text,
               fa_break_asked() ? ", where it was interrupted; continued goes on" : "");
    return status;
}
