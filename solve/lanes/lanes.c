// Table of the kernels; choice of one; test whether an arm is supported in lanes.
#include "lanes.h"

#include <stdint.h>
#include <string.h>

#include "lane_kernels.h"
#include "processor.h"
#include "variables.h"

static bool always(void)
{
    return true;
}

#define KERNEL_ROW(name, lanes, single, fused, runs)                                               \
    {                                                                                              \
#name, lanes, single, fused, runs, fa_lanes_##name##_size, fa_lanes_##name##_place,        \
            fa_lanes_##name##_run, fa_lanes_##name##_fill, fa_lanes_##name##_step,                 \
            fa_lanes_##name##_inverse, fa_lanes_##name##_frame                                     \
    }

static const fa_lane_kernel kernels[] = {
#if FA_FAST_LANES
    KERNEL_ROW(plain, FA_FAST_WIDE_PLAIN, false, false, always),
    KERNEL_ROW(plain_floats, 2 * FA_FAST_WIDE_PLAIN, true, false, always),
#endif
#if FA_LANES_X86
    KERNEL_ROW(avx2, FA_FAST_WIDE_AVX2, false, false, fa_processor_has_avx2),
    KERNEL_ROW(fused, FA_FAST_WIDE_AVX2, false, true, fa_processor_has_fma),
    KERNEL_ROW(fused_floats, 2 * FA_FAST_WIDE_AVX2, true, true, fa_processor_has_fma),
    KERNEL_ROW(avx512, FA_FAST_WIDE_AVX512, false, true, fa_processor_has_avx512),
    KERNEL_ROW(avx512_floats, 2 * FA_FAST_WIDE_AVX512, true, true, fa_processor_has_avx512),
#endif
    {NULL, 1, false, false, always, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
enum { KERNELS = sizeof kernels / sizeof *kernels - 1 };

// Returns the last kernel of the table that this machine supports.
static const fa_lane_kernel *best(const fa_lane_plan *plan)
{
    const fa_lane_kernel *found = &kernels[KERNELS];
    for (int i = 0; i < (int)KERNELS; i++) {
        const fa_lane_kernel *k = &kernels[i];
        const bool            fits = plan->kernel
                                         ? strcmp(k->name, plan->kernel) == 0
                                         : k->single == plan->single && !(plan->deterministic && k->fused);
        if (fits && k->runs()) found = k;
    }
    return found;
}

const char *fa_lanes_kernel(int i)
{
    for (int k = 0; k < (int)KERNELS; k++)
        if (kernels[k].runs() && i-- == 0) return kernels[k].name;
    return NULL;
}

static bool changes(const fa_lane_plan *plan, int row)
{
    for (int i = 0; i < plan->n_changed; i++)
        if (plan->changed[i] == row) return true;
    return false;
}

// Returns true if a motion has a force on a link.
static bool pushes(const fa_lane_plan *plan)
{
    enum { WRENCH_ROWS = 6 };
    bool so = false;
    for (int i = 0; i < plan->like->n_links; i++) {
        const fa_arm_link *link = &plan->like->link[i];
        so |= link->relief != 0;
        for (int k = 0; k < WRENCH_ROWS && link->wrench_row != FA_NO_ROW; k++)
            so |= plan->value[link->wrench_row + k] != 0 || changes(plan, link->wrench_row + k);
    }
    return so;
}

bool fa_lanes_take(const fa_lane_plan *plan)
{
    const fa_arm   *arm = plan->like;
    const fa_chain *chain = &arm->chain;
    bool            take = best(plan)->size && !arm->inverse && !arm->holds && !arm->loops &&
                !arm->weight.effort && arm->cylinders.n == 0 && arm->touches.n == 0 &&
                !pushes(plan) && !chain->loops && !chain->base_moves && !chain->screws &&
                chain->n > 0 && plan->n_shown <= FA_LANES_SHOWN;
    return take && !changes(plan, arm->row[FA_ARM_DETERMINISTIC]);
}

bool fa_lanes_compute(const fa_lane_plan *plan)
{
    const fa_chain       *chain = &plan->like->chain;
    const fa_lane_kernel *k = best(plan);
    return k->size && !k->single && (k->fused || !FA_LANES_X86) && !plan->like->inverse &&
           !chain->loops && !chain->base_moves && !chain->screws && chain->n > 0;
}

size_t fa_lanes_size(const fa_lane_plan *plan)
{
    return best(plan)->size(plan);
}

int fa_lanes_count(const fa_lane_plan *plan)
{
    return best(plan)->lanes;
}

fa_lanes *fa_lanes_place(void *memory, const fa_lane_plan *plan)
{
    fa_lanes *lanes = memory;
    lanes->kernel = best(plan);
    lanes->kernel->place(lanes, plan);
    return lanes;
}

void fa_lanes_run(fa_lanes *lanes, const fa_lane_driver *driver)
{
    lanes->kernel->run(lanes, driver);
}

void fa_lanes_fill(fa_lanes *lanes, int lane, const fa_arm *arm, const double value[])
{
    lanes->kernel->fill(lanes, lane, arm, value);
}

void fa_lanes_step(fa_lanes *lanes, const fa_lane_steps *call, int n, const double held[],
                   double q[], double qd[], bool good[])
{
    lanes->kernel->step(lanes, call, n, held, q, qd, good);
}

void fa_lanes_inverse(fa_lanes *lanes, int n, const double q[], const double qd[],
                      const double qdd[], double tau[], bool good[])
{
    lanes->kernel->inverse(lanes, n, q, qd, qdd, tau, good);
}

void fa_lanes_frame(fa_lanes *lanes, int n, const fa_lane_frame *frame, const double q[],
                    double T[], double J[], bool good[])
{
    lanes->kernel->frame(lanes, n, frame, q, T, J, good);
}
