// Dormand-Prince 5(4) for several problems in lockstep: one batch of right-hand sides per stage.
#include "lockstep.h"

// --- batches of right-hand sides

typedef struct asking {
    fa_answer_fn *answer;
    void         *context;
    fa_question  *question;
    int           n;
} asking;

static void add(asking *a, fa_lane *lane, double t, const double x[], int stage)
{
    const size_t n = (size_t)lane->steps.problem->n;
    a->question[a->n++] = (fa_question){
        .lane = lane, .t = t, .x = x, .dx = lane->steps.trial.stage + (size_t)stage * n};
}

// Evaluates the batch, and marks derivatives that are not finite as failures.
static void get_answers(asking *a)
{
    if (a->n > 0) a->answer(a->context, a->n, a->question);
    for (int i = 0; i < a->n; i++) {
        fa_question *q = &a->question[i];
        if (q->status == FA_OK)
            q->status = fa_trial_check(&q->lane->steps.trial, q->t, q->dx, &q->lane->error);
    }
}

// --- one step of all problems

static bool is_explicit(const fa_lane *lane)
{
    return lane->steps.scheme == &fa_scheme_dormand_prince;
}

// Evaluates the derivatives at the beginning of the steps.
static void begin(int n, fa_lane *const lane[], asking *a)
{
    for (int i = 0; i < n; i++) {
        fa_lane  *l = lane[i];
        fa_steps *steps = &l->steps;
        if (l->status != FA_OK || steps->begun) continue;
        if (is_explicit(l))
            add(a, l, *steps->t, steps->x, 0);
        else
            l->status = steps->scheme->begin(&steps->trial, &l->error);
        steps->begun = true;
    }
    get_answers(a);
    for (int i = 0; i < a->n; i++) a->question[i].lane->status = a->question[i].status;
}

// Attempts a step of all lanes. A lane whose right-hand side fails leaves the batch for this
// attempt.
static void attempt(int n, fa_lane *const lane[], asking *a)
{
    for (int stage = 1; stage < FA_DORMAND_PRINCE_STAGES; stage++) {
        a->n = 0;
        for (int i = 0; i < n; i++) {
            fa_lane *l = lane[i];
            if (l->status != FA_OK || l->attempted != FA_OK || !is_explicit(l)) continue;
            const double when = fa_dormand_prince_stage(&l->steps.trial, stage);
            add(a, l, when, l->steps.trial.at, stage);
        }
        get_answers(a);
        for (int i = 0; i < a->n; i++) a->question[i].lane->attempted = a->question[i].status;
    }
    for (int i = 0; i < n; i++) {
        fa_lane *l = lane[i];
        if (l->status != FA_OK || l->attempted != FA_OK) continue;
        if (is_explicit(l))
            fa_dormand_prince_error(&l->steps.trial);
        else
            l->attempted = l->steps.scheme->attempt(&l->steps.trial, &l->error);
    }
}

void fa_lockstep(int n, fa_lane *const lane[], fa_answer_fn *answer, void *context,
                 fa_question question[])
{
    asking a = {.answer = answer, .context = context, .question = question};
    for (int i = 0; i < n; i++) {
        if (lane[i]->accepted) fa_steps_go_on(&lane[i]->steps);
        lane[i]->accepted = false;
        lane[i]->attempted = FA_OK;
    }
    begin(n, lane, &a);
    for (int i = 0; i < n; i++)
        if (lane[i]->status == FA_OK)
            lane[i]->status = fa_steps_set_out(&lane[i]->steps, &lane[i]->error);
    attempt(n, lane, &a);
    for (int i = 0; i < n; i++) {
        fa_lane *l = lane[i];
        if (l->status == FA_OK)
            l->status = fa_steps_judge(&l->steps, l->attempted, &l->accepted, &l->error);
    }
}
