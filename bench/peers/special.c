// Times the code that peer_specialise wrote for one robot, in every kernel that this machine
// supports.
//
//   peer_special robot.txt
#include "special.h"
#include "fast.h"
#include "our_chain.h"
#include "peer.h"

typedef struct ours {
    fa_special_fn *forward;
    fa_fast       *fast; // set up with the specialised code
    double        *block, *by_q, *by_qd, *by_tau;
} ours;

static void call(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    const ours *o = self;
    if (o->forward(o->block, q, qd, tau, qdd) != FA_OK) qdd[0] = NAN;
}

// Computes the accelerations and their derivatives by q, qd and tau, if the code has them.
static void derivatives(void *self, const double *q, const double *qd, const double *tau,
                        double *qdd)
{
    const ours *o = self;
    if (o->forward(o->block, q, qd, tau, qdd) != FA_OK ||
        fa_fast_jacobians(o->fast, q, qd, qdd, o->by_q, o->by_qd, o->by_tau) != FA_OK)
        qdd[0] = NAN;
}

static double *numbers(int n)
{
    return calloc((size_t)n + 1, sizeof(double));
}

int main(int argc, char *argv[])
{
    static const char *const name[FA_SPECIAL_KERNELS] = {"plain", "avx2-fma", "avx512"};
    if (argc < 2) return 1;
    const peer_robot  r = peer_read(argv[1]);
    const fa_chain    chain = chain_of(&r);
    const fa_special *code = fa_special_for(&chain);
    if (!code) return 1;
    double *parameter = numbers(FA_SPECIAL_PER_BODY * r.n + 3);
    void   *memory = malloc(fa_fast_size(&chain));
    ours    o = {.block = numbers(code->n_block),
                 .by_q = numbers(r.n * r.n),
                 .by_qd = numbers(r.n * r.n),
                 .by_tau = numbers(r.n * r.n)};
    fa_special_parameters(&chain, parameter);
    code->prepare(parameter, o.block);
    for (int k = 0; k < fa_fast_kernel_count; k++)
        for (int s = 0; s < FA_SPECIAL_KERNELS; s++) {
            if (strcmp(fa_fast_kernels[k].name, name[s]) != 0 || !fa_fast_kernels[k].runs())
                continue;
            char who[64];
            o.forward = code->forward[s];
            snprintf(who, sizeof who, "forearm specialised %s", name[s]);
            peer_report(who, call, &o, &r);
            o.fast = fa_fast_place(memory, &chain, k);
            o.fast->special = code;
            fa_fast_prepare(o.fast, &chain);
            snprintf(who, sizeof who, "derivatives specialised %s", name[s]);
            if (code->jacobians[s] || fa_fast_kernels[k].jacobians)
                peer_report(who, derivatives, &o, &r);
        }
    return 0;
}
