// The Gibbs-Appell method of Mata and others (2002); see gibbs_appell.c for reference and symbols.
#ifndef FA_GIBBS_APPELL_H
#define FA_GIBBS_APPELL_H

#include "dynamics.h"

typedef struct fa_gibbs_link {
    // The link itself.
    fa_vec3 z, r;
    double  m;    // [kg]
    fa_sym3 I, J; // about the centre of mass: inertia and Euler's tensor [kg m^2]
    // Where it stands and how it moves.
    fa_mat3 R;
    fa_vec3 s, w, dw;
    fa_mat3 Omega;
    fa_vec3 dds, ddr;
    // What moves it.
    fa_vec3 f, t, phi, chi;
} fa_gibbs_link;

// Fills what does not move: z, r, m, I, J.
void fa_gibbs_constants(const fa_chain *chain, fa_gibbs_link k[]);

// Fills what moves, from R to ddr.
void fa_gibbs_motion(const fa_chain *chain, const double q[], const double qd[], const double qdd[],
                     fa_gibbs_link k[]);

size_t fa_gibbs_matrix_work_size(const fa_chain *chain);

// The value of the Gibbs function at the accelerations qdd, (3) and (4), less the power of the
// loads' accelerations, so that its gradient is tau. `work` holds n links.
double fa_gibbs_function(const fa_chain *chain, const double q[], const double qd[],
                         const double qdd[], const fa_load *load, void *work);

#endif
