// The recursive Newton-Euler equations of newton_euler.c, differentiated line by line in one
// direction. Motion vectors change by fa_chain_motion_step; here are forces. What a force does when
// the joint that carries it moves: d(X^T f) = X^T (df + dJ x* f), with dJ the step along the joint.
//
// Forward dynamics is never differentiated through the articulated body: at fixed qdd its change is
// that of inverse dynamics, and M dqdd = dtau - dID.
#include "derivatives.h"

#include <string.h>

#include "cholesky.h"

typedef struct forces {
    fa_wrench f, df;
} forces;

size_t fa_inverse_step_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * sizeof(forces);
}

// The force that a body's own motion needs, and its change.
static forces own_forces(const fa_chain *chain, int i, const fa_load *load, const fa_motion *m,
                         const fa_step *step, const fa_motion_step *d)
{
    // Gravity in the body's axes is an acceleration of the ground the other way.
    fa_inertia I = chain->body[i].inertia;
    fa_vec3    gravity = mat3_mul(m->pose.E, chain->gravity);
    fa_vec3    dgravity =
        vec3_sub(mat3_mul(m->pose.E, step->gravity), cross(d->pose.angular, gravity));
    fa_twist a = m->acceleration, da = d->acceleration, v = m->velocity, dv = d->velocity;
    a.linear = vec3_sub(a.linear, gravity);
    da.linear = vec3_sub(da.linear, dgravity);

    fa_wrench p = inertia_mul(I, v), dp = inertia_mul(I, dv), dIa = inertia_mul(I, da);
    if (step->inertia) {
        dp = wrench_add(dp, inertia_mul(step->inertia[i], v));
        dIa = wrench_add(dIa, inertia_mul(step->inertia[i], a));
    }
    forces own = {
        .f = wrench_add(inertia_mul(I, a), twist_cross_wrench(v, p)),
        .df = wrench_add(dIa, wrench_add(twist_cross_wrench(dv, p), twist_cross_wrench(v, dp))),
    };
    if (load && load->wrench) own.f = wrench_sub(own.f, load->wrench[i]);
    if (step->wrench) own.df = wrench_sub(own.df, step->wrench[i]);
    return own;
}

void fa_inverse_step(const fa_chain *chain, const double qdd[], const fa_load *load,
                     const fa_motion motion[], const fa_step *step,
                     const fa_motion_step motion_step[], double tau_step[], void *work)
{
    forces *k = work;
    for (int i = 0; i < chain->n; i++)
        k[i] = own_forces(chain, i, load, &motion[i], step, &motion_step[i]);

    memset(tau_step, 0, (size_t)chain->n_coordinates * sizeof *tau_step);
    for (int i = chain->n - 1; i >= 0; i--) {
        const fa_body *body = &chain->body[i];
        fa_twist       S = fa_joint_axis(body);
        double         change = power(S, k[i].df);
        if (step->joint.qdd) change += body->rotor * fa_joint_rate(body, step->joint.qdd);
        if (step->rotor) change += step->rotor[i] * fa_joint_rate(body, qdd);
        tau_step[body->coordinate] += body->ratio * change;
        if (body->parent == FA_WORLD) continue;

        fa_wrench df = k[i].df;
        if (step->joint.q) {
            fa_twist dJ = twist_scale(fa_joint_rate(body, step->joint.q), S);
            df = wrench_add(df, twist_cross_wrench(dJ, k[i].f));
        }
        forces *parent = &k[body->parent];
        parent->f = wrench_add(parent->f, to_parent(motion[i].X, k[i].f));
        parent->df = wrench_add(parent->df, to_parent(motion[i].X, df));
    }
}

void fa_forward_step(const fa_chain *chain, const double qdd[], const fa_load *load,
                     const fa_motion motion[], const fa_step *step,
                     const fa_motion_step motion_step[], const double factor[], double qdd_step[],
                     void *work)
{
    int n = chain->n_coordinates;
    fa_inverse_step(chain, qdd, load, motion, step, motion_step, qdd_step, work);
    for (int i = 0; i < n; i++) qdd_step[i] = (step->tau ? step->tau[i] : 0) - qdd_step[i];
    fa_cholesky_solve(n, factor, qdd_step);
}
