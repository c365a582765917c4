// The Gibbs function of a chain and its Hessian, (1) to (5) and (19) of Mata and others (2002);
// reference, common symbols and departures in gibbs_appell.c.
//
// G is quadratic in the joint accelerations. Its second difference with unit steps is therefore the
// second derivative, and exact but for rounding: (19) needs no formula, only values of G. That
// makes it a referee for the recursion of gibbs_matrix.c, at the price of O(n^3).
//
// Departures from the print: the last half in (2) belongs to the angular acceleration (M5); (3) is
// right. Loads and rotors, which the paper has not, add their own terms.
#include "gibbs_appell.h"
#include "methods.h"

static double value(fa_gibbs_inverse *p)
{
    fa_gibbs_motion(p);
    double G = 0;
    for (int i = 0; i < p->chain->n; i++) {
        const fa_gibbs_link *l = &p->k[i];
        G += 0.5 * l->m * dot(l->ddr, l->ddr) + 0.5 * dot(l->dw, sym3_mul(l->I, l->dw)) +
             dot(l->dw, cross(l->w, sym3_mul(l->I, l->w))); // (3), (4)
        G += 0.5 * p->chain->body[i].rotor * p->qdd[i] * p->qdd[i];
        if (!p->load || !p->load->wrench) continue;
        const fa_mat3 F = p->frame[i].F;
        G -= dot(l->dds, mat3_mul(F, p->load->wrench[i].force)) +
             dot(l->dw, mat3_mul(F, p->load->wrench[i].moment));
    }
    return G;
}

double fa_gibbs_function(const fa_chain *chain, const double q[], const double qd[],
                         const double qdd[], const fa_load *load, void *work)
{
    fa_gibbs_inverse p = fa_gibbs_inverse_of(chain, q, qd, qdd, load, NULL, work);
    fa_gibbs_constants(&p);
    return value(&p);
}

size_t fa_gibbs_hessian_work_size(const fa_chain *chain)
{
    return fa_gibbs_inverse_work_size(chain) + (size_t)chain->n * 2 * sizeof(double);
}

fa_status fa_gibbs_hessian_mass_matrix(const fa_chain *chain, const double q[], double D[],
                                       void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const int n = chain->n;
    double   *rest = work, *qdd = rest + n;
    for (int i = 0; i < n; i++) rest[i] = qdd[i] = 0;

    // At rest and without gravity, G is nothing but its quadratic part and vanishes at qdd = 0.
    fa_gibbs_inverse p = fa_gibbs_inverse_of(chain, q, rest, qdd, NULL, NULL, qdd + n);
    fa_gibbs_constants(&p);
    p.free_fall = vec3(0, 0, 0);

    for (int i = 0; i < n; i++) {
        qdd[i] = 1;
        D[i * n + i] = value(&p);
        qdd[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            qdd[i] = qdd[j] = 1;
            D[i * n + j] = value(&p) - D[i * n + i] - D[j * n + j];
            D[j * n + i] = D[i * n + j]; // (19)
            qdd[i] = qdd[j] = 0;
        }
    }
    for (int i = 0; i < n; i++) D[i * n + i] *= 2;
    return fa_all_finite(D, n * n) ? FA_OK : FA_NOT_FINITE;
}
