// Batched accelerations of several arms by the vector kernels.
#include "arm_together.h"

#include <string.h>

#include "batch.h"
#include "finite.h"

struct fa_arms {
    const fa_arm *like;
    double        deterministic; // as its parameter has it
    double       *q, *qd, *tau, *qdd, *pushed;
    void         *work; // of fa_forward_batch
    size_t        size;
};

static fa_arms lay_out(void *memory, const fa_arm *like, int most)
{
    fa_arena     a = {memory, 0};
    const size_t n = (size_t)most, numbers = n * (size_t)like->chain.n_coordinates;
    (void)fa_arena_take(&a, 1, sizeof(fa_arms));
    fa_arms to = {.like = like};
    to.q = fa_arena_take(&a, numbers, sizeof *to.q);
    to.qd = fa_arena_take(&a, numbers, sizeof *to.qd);
    to.tau = fa_arena_take(&a, numbers, sizeof *to.tau);
    to.qdd = fa_arena_take(&a, numbers, sizeof *to.qdd);
    to.pushed = fa_arena_take(&a, n, sizeof *to.pushed);
    to.work = fa_arena_take(&a, 1, fa_forward_batch_size(&like->chain));
    to.size = a.size;
    return to;
}

size_t fa_arms_size(const fa_arm *like, int most)
{
    return lay_out(NULL, like, most).size;
}

fa_arms *fa_arms_place(void *memory, const fa_arm *like, const double value[], int most)
{
    fa_arms *arms = memory;
    *arms = lay_out(memory, like, most);
    arms->deterministic = value[like->row[FA_ARM_DETERMINISTIC]];
    const bool fixed = arms->deterministic != 0;
    fa_forward_batch_prepare(&like->chain, fixed, fixed ? like->fixed_kernel : like->kernel,
                             arms->work);
    return arms;
}

static bool same_body(const fa_body *a, const fa_body *b)
{
    return memcmp(&a->inertia, &b->inertia, sizeof a->inertia) == 0 && a->rotor == b->rotor;
}

bool fa_arms_fit(const fa_arms *arms, const fa_arm *arm, const double value[])
{
    const fa_chain *chain = &arm->chain, *as = &arms->like->chain;
    if (arm->inverse || !arm->fast || arm->holds || arm->cylinders.n > 0 || arm->touches.n > 0 ||
        chain->base_moves)
        return false;
    bool fits = value[arm->row[FA_ARM_DETERMINISTIC]] == arms->deterministic &&
                memcmp(&chain->gravity, &as->gravity, sizeof chain->gravity) == 0;
    for (int i = 0; i < chain->n; i++) fits &= same_body(&chain->body[i], &as->body[i]);
    return fits;
}

void fa_arms_evaluate(fa_arms *arms, int n, fa_arm *const arm[], double *const value[],
                      bool answered[])
{
    const fa_chain *chain = &arms->like->chain;
    const size_t    c = (size_t)chain->n_coordinates, size = c * sizeof *arms->q;
    for (int i = 0; i < n; i++) {
        fa_load  load;
        fa_error error = fa_no_error();
        fa_arm_place(arm[i], value[i]);
        // Cannot fail: arms that fit have no elements that fail, and no loads.
        (void)fa_arm_efforts(arm[i], value[i], &load, &arms->pushed[i],
                             arm[i]->works ? arm[i]->power : NULL, &error);
        memcpy(arms->q + i * c, value[i] + arm[i]->row[FA_ARM_POSITION], size);
        memcpy(arms->qd + i * c, value[i] + arm[i]->row[FA_ARM_VELOCITY], size);
        memcpy(arms->tau + i * c, arm[i]->tau, size);
    }
    (void)fa_forward_batch(chain, n, arms->q, arms->qd, arms->tau, arms->qdd, arms->work);
    for (int i = 0; i < n; i++) {
        const double *qdd = arms->qdd + i * c;
        answered[i] = fa_are_finite(qdd, c);
        if (answered[i]) fa_arm_take_accelerations(arm[i], value[i], qdd, arms->pushed[i]);
    }
}
