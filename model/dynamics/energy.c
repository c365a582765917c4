// Kinetic and potential energy by a sum over bodies, with tangents and adjoints.
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

double fa_kinetic_energy_tangent(const fa_chain *chain, const double qd[], const fa_motion motion[],
                                 const fa_tangent       *tangent,
                                 const fa_motion_tangent motion_tangent[])
{
    double change = 0;
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        double         rate = fa_joint_rate(body, qd);
        double   rate_tangent = tangent->joint.qd ? fa_joint_rate(body, tangent->joint.qd) : 0;
        fa_twist v = motion[i].velocity;
        change += power(motion_tangent[i].velocity, inertia_mul(body->inertia, v)) +
                  body->rotor * rate * rate_tangent;
        if (tangent->inertia) change += 0.5 * power(v, inertia_mul(tangent->inertia[i], v));
        if (tangent->rotor) change += 0.5 * tangent->rotor[i] * rate * rate;
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

double fa_potential_energy_tangent(const fa_chain *chain, const fa_motion motion[],
                                   const fa_tangent       *tangent,
                                   const fa_motion_tangent motion_tangent[])
{
    double change = 0;
    for (int i = 0; i < chain->n; i++) {
        const fa_inertia *inertia = &chain->body[i].inertia;
        const fa_twist   *moved = &motion_tangent[i].pose; // in the body's axes
        fa_vec3           change_of_moment =
            vec3_add(vec3_scale(inertia->mass, moved->linear), cross(moved->angular, inertia->h));
        change -= dot(chain->gravity, mat3_tmul(motion[i].pose.E, change_of_moment));
        change -= dot(tangent->gravity, first_moment(inertia, &motion[i]));
        if (tangent->inertia)
            change -= dot(chain->gravity, first_moment(&tangent->inertia[i], &motion[i]));
    }
    return change;
}

void fa_kinetic_energy_adjoint(const fa_chain *chain, const double qd[], const fa_motion motion[],
                               double wanted, fa_adjoint *adjoint,
                               fa_motion_adjoint motion_adjoint[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        double         rate = fa_joint_rate(body, qd);
        fa_twist       v = motion[i].velocity;
        motion_adjoint[i].velocity = wrench_add(
            motion_adjoint[i].velocity, wrench_scale(wanted, inertia_mul(body->inertia, v)));
        adjoint->joint.qd[body->coordinate] += wanted * body->ratio * body->rotor * rate;
        if (adjoint->inertia)
            fa_inertia_adjoint(twist_scale(0.5 * wanted, v), v, &adjoint->inertia[i]);
        if (adjoint->rotor) adjoint->rotor[i] += 0.5 * wanted * rate * rate;
    }
}

void fa_potential_energy_adjoint(const fa_chain *chain, const fa_motion motion[], double wanted,
                                 fa_adjoint *adjoint, fa_motion_adjoint motion_adjoint[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_inertia *inertia = &chain->body[i].inertia;
        fa_vec3 g = vec3_scale(-wanted, mat3_mul(motion[i].pose.E, chain->gravity)); // body's axes
        fa_wrench *pose = &motion_adjoint[i].pose;
        pose->force = vec3_add(pose->force, vec3_scale(inertia->mass, g));
        pose->moment = vec3_add(pose->moment, cross(inertia->h, g));
        adjoint->gravity =
            vec3_sub(adjoint->gravity, vec3_scale(wanted, first_moment(inertia, &motion[i])));
        if (!adjoint->inertia) continue;
        adjoint->inertia[i].mass -= wanted * dot(chain->gravity, motion[i].pose.r);
        adjoint->inertia[i].h = vec3_add(adjoint->inertia[i].h, g);
    }
}
