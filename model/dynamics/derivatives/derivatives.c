// The recursive Newton-Euler equations of newton_euler.c, differentiated line by line in one
// direction. Motion vectors change by fa_chain_motion_tangent; here are forces. What a force does
// when the joint that carries it moves: d(X^T f) = X^T (df + dJ x* f), with dJ the tangent along
// the joint.
//
// Forward dynamics is never differentiated through the articulated body: at fixed qdd its change is
// that of inverse dynamics, and M dqdd = dtau - dID.
#include "derivatives.h"

#include <string.h>

#include "cholesky.h"

// Gravity in a body's axes. It is an acceleration of the ground the other way.
static fa_twist without_gravity(fa_twist acceleration, fa_vec3 gravity)
{
    acceleration.linear = vec3_sub(acceleration.linear, gravity);
    return acceleration;
}

// The force that a body's own motion needs.
static fa_wrench own_force(const fa_chain *chain, int i, const fa_load *load, const fa_motion *m)
{
    fa_inertia I = chain->body[i].inertia;
    fa_twist   a = without_gravity(m->acceleration, mat3_mul(m->pose.E, chain->gravity));
    fa_wrench  own =
        wrench_add(inertia_mul(I, a), twist_cross_wrench(m->velocity, inertia_mul(I, m->velocity)));
    return load && load->wrench ? wrench_sub(own, load->wrench[i]) : own;
}

// Its change.
static fa_wrench own_force_tangent(const fa_chain *chain, int i, const fa_motion *m,
                                   const fa_tangent *tangent, const fa_motion_tangent *d)
{
    fa_inertia I = chain->body[i].inertia;
    fa_vec3    gravity = mat3_mul(m->pose.E, chain->gravity);
    fa_vec3    dgravity =
        vec3_sub(mat3_mul(m->pose.E, tangent->gravity), cross(d->pose.angular, gravity));
    fa_twist v = m->velocity, dv = d->velocity, da = without_gravity(d->acceleration, dgravity);

    fa_wrench p = inertia_mul(I, v), dp = inertia_mul(I, dv), dIa = inertia_mul(I, da);
    if (tangent->inertia) {
        dp = wrench_add(dp, inertia_mul(tangent->inertia[i], v));
        dIa = wrench_add(
            dIa, inertia_mul(tangent->inertia[i], without_gravity(m->acceleration, gravity)));
    }
    fa_wrench own =
        wrench_add(dIa, wrench_add(twist_cross_wrench(dv, p), twist_cross_wrench(v, dp)));
    return tangent->wrench ? wrench_sub(own, tangent->wrench[i]) : own;
}

void fa_joint_forces(const fa_chain *chain, const fa_load *load, const fa_motion motion[],
                     fa_joint_force force[])
{
    for (int i = 0; i < chain->n; i++) force[i].f = own_force(chain, i, load, &motion[i]);
    for (int i = chain->n - 1; i >= 0; i--) {
        int parent = chain->body[i].parent;
        if (parent != FA_WORLD)
            force[parent].f = wrench_add(force[parent].f, to_parent(motion[i].X, force[i].f));
    }
}

void fa_joint_forces_tangent(const fa_chain *chain, const fa_load *load, const fa_motion motion[],
                             const fa_tangent *tangent, const fa_motion_tangent motion_tangent[],
                             fa_joint_force force[])
{
    for (int i = 0; i < chain->n; i++) {
        force[i].f = own_force(chain, i, load, &motion[i]);
        force[i].df = own_force_tangent(chain, i, &motion[i], tangent, &motion_tangent[i]);
    }
    for (int i = chain->n - 1; i >= 0; i--) {
        const fa_body *body = &chain->body[i];
        if (body->parent == FA_WORLD) continue;
        fa_wrench df = force[i].df;
        if (tangent->joint.q) {
            fa_twist dJ = twist_scale(fa_joint_rate(body, tangent->joint.q), fa_joint_axis(body));
            df = wrench_add(df, twist_cross_wrench(dJ, force[i].f));
        }
        if (body->advance_tangent != 0) {
            const double along = body->advance_tangent * fa_screw_angle(body, &motion[i].X);
            df = wrench_add(df, twist_cross_wrench(fa_along_axis(body, along), force[i].f));
        }
        fa_joint_force *parent = &force[body->parent];
        parent->f = wrench_add(parent->f, to_parent(motion[i].X, force[i].f));
        parent->df = wrench_add(parent->df, to_parent(motion[i].X, df));
    }
}

size_t fa_inverse_step_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * sizeof(fa_joint_force);
}

void fa_inverse_tangent(const fa_chain *chain, const double qdd[], const fa_load *load,
                        const fa_motion motion[], const fa_tangent *tangent,
                        const fa_motion_tangent motion_tangent[], double tau_tangent[], void *work)
{
    fa_joint_force *force = work;
    fa_joint_forces_tangent(chain, load, motion, tangent, motion_tangent, force);
    memset(tau_tangent, 0, (size_t)chain->n_coordinates * sizeof *tau_tangent);
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        double         change = power(fa_joint_axis(body), force[i].df);
        if (body->advance_tangent != 0)
            change += body->advance_tangent * dot(body->axis, force[i].f.force);
        if (tangent->joint.qdd) change += body->rotor * fa_joint_rate(body, tangent->joint.qdd);
        if (tangent->rotor) change += tangent->rotor[i] * fa_joint_rate(body, qdd);
        tau_tangent[body->coordinate] += body->ratio * change;
    }
}

void fa_forward_tangent(const fa_chain *chain, const double qdd[], const fa_load *load,
                        const fa_motion motion[], const fa_tangent *tangent,
                        const fa_motion_tangent motion_tangent[], const double factor[],
                        double qdd_tangent[], void *work)
{
    int n = chain->n_coordinates;
    fa_inverse_tangent(chain, qdd, load, motion, tangent, motion_tangent, qdd_tangent, work);
    for (int i = 0; i < n; i++)
        qdd_tangent[i] = (tangent->tau ? tangent->tau[i] : 0) - qdd_tangent[i];
    for (int i = 0; chain->held && i < n; i++)
        if (chain->held[i]) qdd_tangent[i] = 0;
    fa_cholesky_solve(n, factor, qdd_tangent);
}

// ------------------------------------------------------------------------------------ transposes

void fa_inertia_adjoint(fa_twist x, fa_twist y, fa_inertia *adjoint)
{
    fa_vec3 a = x.angular, b = y.angular;
    adjoint->mass += dot(x.linear, y.linear);
    adjoint->h = vec3_add(adjoint->h, vec3_sub(cross(y.linear, a), cross(b, x.linear)));
    fa_sym3 I = {a.x * b.x,
                 a.y * b.y,
                 a.z * b.z,
                 a.x * b.y + a.y * b.x,
                 a.x * b.z + a.z * b.x,
                 a.y * b.z + a.z * b.y};
    adjoint->I = sym3_add(adjoint->I, I);
}

// own_force_tangent backwards: F pairs with the change of body i's force.
static void own_force_adjoint(const fa_chain *chain, int i, fa_twist F, const fa_motion *m,
                              fa_adjoint *adjoint, fa_motion_adjoint *d)
{
    fa_inertia I = chain->body[i].inertia;
    fa_vec3    gravity = mat3_mul(m->pose.E, chain->gravity);
    fa_twist   v = m->velocity, a = without_gravity(m->acceleration, gravity);
    fa_twist   Fv = twist_cross(F, v);

    fa_wrench IF = inertia_mul(I, F);
    d->acceleration = wrench_add(d->acceleration, IF);
    d->velocity = wrench_add(
        d->velocity, wrench_sub(inertia_mul(I, Fv), twist_cross_wrench(F, inertia_mul(I, v))));
    d->pose.moment = vec3_add(d->pose.moment, cross(gravity, IF.force));
    adjoint->gravity = vec3_sub(adjoint->gravity, mat3_tmul(m->pose.E, IF.force));
    if (adjoint->inertia) {
        fa_inertia_adjoint(F, a, &adjoint->inertia[i]);
        fa_inertia_adjoint(Fv, v, &adjoint->inertia[i]);
    }
    if (adjoint->wrench) adjoint->wrench[i] = twist_add(adjoint->wrench[i], twist_scale(-1, F));
}

void fa_joint_forces_adjoint(const fa_chain *chain, const fa_load *load, const fa_motion motion[],
                             fa_joint_force_adjoint force[], fa_adjoint *adjoint,
                             fa_motion_adjoint motion_adjoint[])
{
    // The forces themselves, tip to base, as in newton_euler.c.
    for (int i = 0; i < chain->n; i++) force[i].f = own_force(chain, i, load, &motion[i]);
    for (int i = chain->n - 1; i >= 0; i--) {
        int parent = chain->body[i].parent;
        if (parent != FA_WORLD)
            force[parent].f = wrench_add(force[parent].f, to_parent(motion[i].X, force[i].f));
    }

    // Base to tip: what an adjoint does to the forces, it does as a velocity would.
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        if (body->parent != FA_WORLD) {
            fa_twist S = fa_joint_axis(body);
            fa_twist from_parent = to_child(motion[i].X, force[body->parent].wanted);
            adjoint->joint.q[body->coordinate] +=
                body->ratio * power(twist_cross(from_parent, S), force[i].f);
            if (adjoint->joint.advance && body->joint == FA_SCREW)
                adjoint->joint.advance[i] +=
                    fa_screw_angle(body, &motion[i].X) *
                    power(twist_cross(from_parent, fa_along_axis(body, 1)), force[i].f);
            force[i].wanted = twist_add(force[i].wanted, from_parent);
        }
        own_force_adjoint(chain, i, force[i].wanted, &motion[i], adjoint, &motion_adjoint[i]);
    }
}

size_t fa_inverse_slope_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * sizeof(fa_joint_force_adjoint);
}

void fa_inverse_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                        const fa_motion motion[], const double tau_adjoint[], fa_adjoint *adjoint,
                        fa_motion_adjoint motion_adjoint[], void *work)
{
    fa_joint_force_adjoint *force = work;
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        double         rate = fa_joint_rate(body, tau_adjoint);
        force[i].wanted = twist_scale(rate, fa_joint_axis(body));
        if (adjoint->rotor) adjoint->rotor[i] += rate * fa_joint_rate(body, qdd);
        if (adjoint->joint.qdd)
            adjoint->joint.qdd[body->coordinate] += body->ratio * body->rotor * rate;
    }
    fa_joint_forces_adjoint(chain, load, motion, force, adjoint, motion_adjoint);
    for (int i = 0; i < chain->n && adjoint->joint.advance; i++) {
        const fa_body *body = &chain->body[i];
        adjoint->joint.advance[i] +=
            fa_joint_rate(body, tau_adjoint) * dot(body->axis, force[i].f.force);
    }
}

void fa_forward_adjoint(const fa_chain *chain, const double qdd[], const fa_load *load,
                        const fa_motion motion[], const double factor[], double qdd_adjoint[],
                        fa_adjoint *adjoint, fa_motion_adjoint motion_adjoint[], void *work)
{
    int n = chain->n_coordinates;
    for (int i = 0; chain->held && i < n; i++)
        if (chain->held[i]) qdd_adjoint[i] = 0;
    fa_cholesky_solve(n, factor, qdd_adjoint); // M is symmetric
    for (int i = 0; i < n; i++) {
        if (adjoint->tau) adjoint->tau[i] += qdd_adjoint[i];
        qdd_adjoint[i] = -qdd_adjoint[i]; // inverse dynamics is subtracted
    }
    fa_adjoint held = *adjoint; // accelerations are
    held.joint.qdd = NULL;
    fa_inverse_adjoint(chain, qdd, load, motion, qdd_adjoint, &held, motion_adjoint, work);
    adjoint->gravity = held.gravity;
}
