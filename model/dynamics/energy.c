#include "energy.h"

double fa_kinetic_energy(const fa_chain *chain, const double qd[], const fa_motion motion[])
{
    double energy = 0;
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        double         rate = fa_joint_rate(body, qd);
        fa_twist       v = motion[i].velocity;
        energy += 0.5 * (power(v, inertia_mul(body->inertia, v)) + body->rotor * rate * rate);
    }
    return energy;
}

double fa_kinetic_energy_step(const fa_chain *chain, const double qd[], const fa_motion motion[],
                              const fa_step *step, const fa_motion_step motion_step[])
{
    double change = 0;
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        double         rate = fa_joint_rate(body, qd);
        double         rate_step = step->joint.qd ? fa_joint_rate(body, step->joint.qd) : 0;
        fa_twist       v = motion[i].velocity;
        change += power(motion_step[i].velocity, inertia_mul(body->inertia, v)) +
                  body->rotor * rate * rate_step;
        if (step->inertia) change += 0.5 * power(v, inertia_mul(step->inertia[i], v));
        if (step->rotor) change += 0.5 * step->rotor[i] * rate * rate;
    }
    return change;
}

// A body's mass times its centre of mass, world axes, from the world's origin.
static fa_vec3 first_moment(const fa_inertia *inertia, const fa_motion *motion)
{
    return vec3_add(vec3_scale(inertia->mass, motion->pose.r),
                    mat3_tmul(motion->pose.E, inertia->h));
}

double fa_potential_energy(const fa_chain *chain, const fa_motion motion[])
{
    double energy = 0;
    for (int i = 0; i < chain->n; i++)
        energy -= dot(chain->gravity, first_moment(&chain->body[i].inertia, &motion[i]));
    return energy;
}

double fa_potential_energy_step(const fa_chain *chain, const fa_motion motion[],
                                const fa_step *step, const fa_motion_step motion_step[])
{
    double change = 0;
    for (int i = 0; i < chain->n; i++) {
        const fa_inertia *inertia = &chain->body[i].inertia;
        const fa_twist   *moved = &motion_step[i].pose; // in the body's axes
        fa_vec3           change_of_moment =
            vec3_add(vec3_scale(inertia->mass, moved->linear), cross(moved->angular, inertia->h));
        change -= dot(chain->gravity, mat3_tmul(motion[i].pose.E, change_of_moment));
        change -= dot(step->gravity, first_moment(inertia, &motion[i]));
        if (step->inertia)
            change -= dot(chain->gravity, first_moment(&step->inertia[i], &motion[i]));
    }
    return change;
}
