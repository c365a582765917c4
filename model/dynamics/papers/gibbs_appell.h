// The Gibbs-Appell method of Mata and others (2002); see gibbs_appell.c for reference and symbols.
#ifndef FA_GIBBS_APPELL_H
#define FA_GIBBS_APPELL_H

#include "dynamics.h"
#include "gibbs_frames.h"

typedef struct fa_gibbs_link {
    // The link itself, in the axes of its frame.
    fa_vec3 r;
    double  m;    // [kg]
    fa_sym3 I, J; // about the centre of mass: inertia and Euler's tensor [kg m^2]
    // Motion.
    fa_vec3 wp, w, dw;
    fa_mat3 Omega;
    fa_vec3 dds, ddr;
    // Forces.
    fa_vec3 f, t, phi, chi;
} fa_gibbs_link;

// Arguments and intermediate results of the steps of section 4.1, in the axes of gibbs_frames.h;
// q'' may be NULL if no step needs it.
typedef struct fa_gibbs_inverse {
    const fa_chain *chain;
    const double   *q, *qd, *qdd;
    const fa_load  *load;
    double         *tau;
    fa_gibbs_frame *frame;
    fa_gibbs_link  *k;
    fa_vec3         free_fall; // in the world's frame of gibbs_frames.h
} fa_gibbs_inverse;

// The steps of section 4.2.
typedef struct fa_gibbs_composite {
    double  M;
    fa_vec3 phi_up, phi; // of what hangs on the link, in the parent's frame and in its own
    fa_sym3 psi;
} fa_gibbs_composite;

typedef struct fa_gibbs_carried {
    fa_vec3 s, to_here, z;
} fa_gibbs_carried;

typedef struct fa_gibbs_matrix {
    const fa_chain     *chain;
    const double       *q;
    double             *D;
    fa_gibbs_frame     *frame;
    fa_gibbs_composite *k;
    fa_gibbs_carried   *triangle;
} fa_gibbs_matrix;

// Lines of the two lists in the paper, in their order. The names are the paper's, and its counts
// those of one turn of the loop; in section 4.2, behind the colon, those of the whole loop for six
// joints, which add up to its 482 and 426. The program count_operations prints them beside ours.
typedef struct fa_gibbs_inverse_tangent {
    const char *name, *paper;
    void (*run)(fa_gibbs_inverse *p);
} fa_gibbs_inverse_tangent;

typedef struct fa_gibbs_matrix_tangent {
    const char *name, *paper;
    void (*run)(fa_gibbs_matrix *p);
} fa_gibbs_matrix_tangent;

extern const fa_gibbs_inverse_tangent fa_gibbs_inverse_tangents[];
extern const int                      fa_gibbs_inverse_step_count;
extern const fa_gibbs_matrix_tangent  fa_gibbs_matrix_tangents[];
extern const int                      fa_gibbs_matrix_step_count;

// The work laid out; the sizes are in bytes.
fa_gibbs_inverse fa_gibbs_inverse_of(const fa_chain *chain, const double q[], const double qd[],
                                     const double qdd[], const fa_load *load, double tau[],
                                     void *work);
fa_gibbs_matrix fa_gibbs_matrix_of(const fa_chain *chain, const double q[], double D[], void *work);
size_t          fa_gibbs_inverse_work_size(const fa_chain *chain);
size_t          fa_gibbs_matrix_work_size(const fa_chain *chain);

// Steps 1 of section 4.1 but for the accelerations of the centres of mass, which the last does for
// every component of every link.
void fa_gibbs_constants(fa_gibbs_inverse *p);
void fa_gibbs_motion(fa_gibbs_inverse *p);

// The value of the Gibbs function at the accelerations qdd, (3) and (4), less the power of the
// loads' accelerations, so that its gradient is tau. `work` as for the inverse dynamics.
double fa_gibbs_function(const fa_chain *chain, const double q[], const double qd[],
                         const double qdd[], const fa_load *load, void *work);

#endif
