// Chooses kernel and method; both fast methods as rows of the table of methods.
#include "fast.h"

#include "fast_kernels.h"
#include "methods.h"
#include "processor.h"

#if FA_FAST_LANES
static bool always(void)
{
    return true;
}

// gcc takes vectors apart, number by number, where the processor has no register for them.
#if FA_FAST_X86 && !defined(__clang__)
#define PLAIN_IS_SLOW true
#else
#define PLAIN_IS_SLOW false
#endif

// Composite bodies and Jacobians are where time counts for more than size: every FMU carries all
// kernels.
const fa_fast_kernel fa_fast_kernels[] = {
    {"plain", false, PLAIN_IS_SLOW, always, fa_fast_plain_articulated, NULL, NULL,
     FA_SPECIAL_PLAIN},
#if FA_FAST_X86
    {"avx2", false, false, fa_processor_has_avx2, fa_fast_avx2_articulated, NULL, NULL,
     FA_SPECIAL_PLAIN},
    {"avx2-fma", true, false, fa_processor_has_fma, fa_fast_fused_articulated,
     fa_fast_fused_composite, fa_fast_fused_jacobians, FA_SPECIAL_WITH_FMA},
    {"avx512", true, false, fa_processor_has_avx512, fa_fast_avx512_articulated,
     fa_fast_avx512_composite, fa_fast_fused_jacobians, FA_SPECIAL_WITH_AVX512},
#elif FA_FAST_ARM
    {"neon-fma", true, false, always, fa_fast_fused_articulated, fa_fast_fused_composite,
     fa_fast_fused_jacobians, FA_SPECIAL_PLAIN},
#endif
};
const int fa_fast_kernel_count = sizeof fa_fast_kernels / sizeof *fa_fast_kernels;
#else
static fa_status none(const fa_fast *fast, const double q[], const double qd[], const double tau[],
                      const fa_load *load, double qdd[])
{
    (void)fast, (void)q, (void)qd, (void)tau, (void)load, (void)qdd;
    return FA_UNFIT;
}

const fa_fast_kernel fa_fast_kernels[] = {{"none", false, false, NULL, none, NULL, NULL, 0}};
const int            fa_fast_kernel_count = 0;
#endif

int fa_fast_kernel_best(bool deterministic)
{
    int best = 0;
    for (int i = 1; i < fa_fast_kernel_count; i++)
        if (!(deterministic && fa_fast_kernels[i].fused) && fa_fast_kernels[i].runs()) best = i;
    return best;
}

fa_status fa_fast_composite(const fa_fast *fast, const double q[], const double qd[],
                            const double tau[], const fa_load *load, double qdd[])
{
    fa_fast_fn *composite = fa_fast_kernels[fast->kernel].composite;
    if (!composite || fast->branched || fast->n > FA_FAST_COMPOSITE_MAX) return FA_UNFIT;
    return composite(fast, q, qd, tau, load, qdd);
}

fa_status fa_fast_articulated(const fa_fast *fast, const double q[], const double qd[],
                              const double tau[], const fa_load *load, double qdd[])
{
    return fa_fast_kernels[fast->kernel].articulated(fast, q, qd, tau, load, qdd);
}

fa_status fa_fast_forward(const fa_fast *fast, const double q[], const double qd[],
                          const double tau[], const fa_load *load, double qdd[])
{
    const fa_fast_kernel *kernel = &fa_fast_kernels[fast->kernel];
    if (fast->special && !(load && load->wrench) &&
        fast->special->forward[kernel->special](fast->block, q, qd, tau, qdd) == FA_OK)
        return FA_OK;
    if (kernel->slow && !fast->deterministic) return FA_UNFIT;
    const bool  short_row = !fast->branched && !fast->slides && fast->n <= FA_FAST_COMPOSITE_BEST;
    fa_fast_fn *forward = short_row && kernel->composite ? kernel->composite : kernel->articulated;
    return forward(fast, q, qd, tau, load, qdd);
}

fa_status fa_fast_jacobians(const fa_fast *fast, const double q[], const double qd[],
                            const double qdd[], double by_q[], double by_qd[], double by_tau[])
{
    if (fast->special) {
        // cppcheck-suppress AssignmentIntegerToAddress ; an array of pointers, indexed by an
        // integer
        fa_special_jacobians_fn *jacobians =
            fast->special->jacobians[fa_fast_kernels[fast->kernel].special];
        if (jacobians && jacobians(fast->block, q, qd, qdd, by_q, by_qd, by_tau) == FA_OK)
            return FA_OK;
    }
    fa_fast_jacobians_fn *general = fa_fast_kernels[fast->kernel].jacobians;
    if (!general || fast->branched || fast->n > FA_FAST_COMPOSITE_MAX) return FA_UNFIT;
    return general(fast, q, qd, qdd, by_q, by_qd, by_tau);
}

// ------------------------------------------------------------------------------- rows of the table

// Falls back to the readable method; its memory is behind the fast method's.
static fa_status ask(fa_fast_fn *method, const fa_chain *chain, const double q[], const double qd[],
                     const double tau[], const fa_load *load, double qdd[], fa_prepared *prepared)
{
    if (!fa_fast_fits(chain)) return FA_UNFIT;
    const fa_status status = method((const fa_fast *)prepared, q, qd, tau, load, qdd);
    if (status != FA_UNFIT) return status;
    void *behind = (char *)prepared + fa_fast_size(chain);
    return fa_articulated_body_forward(chain, q, qd, tau, load, qdd, behind);
}

size_t fa_fast_work_size(const fa_chain *chain)
{
    return fa_fast_size(chain) + fa_articulated_body_work_size(chain);
}

fa_prepared *fa_fast_prepare_work(const fa_chain *chain, void *work)
{
    fa_fast *fast = fa_fast_place(work, chain, fa_fast_kernel_best(false));
    fa_fast_prepare(fast, chain);
    return (fa_prepared *)fast;
}

fa_status fa_fast_composite_prepared(const fa_chain *chain, const double q[], const double qd[],
                                     const double tau[], const fa_load *load, double qdd[],
                                     fa_prepared *prepared)
{
    if (chain->branched) return FA_UNFIT;
    return ask(fa_fast_composite, chain, q, qd, tau, load, qdd, prepared);
}

fa_status fa_fast_articulated_prepared(const fa_chain *chain, const double q[], const double qd[],
                                       const double tau[], const fa_load *load, double qdd[],
                                       fa_prepared *prepared)
{
    return ask(fa_fast_articulated, chain, q, qd, tau, load, qdd, prepared);
}
