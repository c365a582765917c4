// The force that a link's motion needs is linear in its ten parameters, I a + v x* (I v), and the
// torque of a joint is what this force does on the joint's axis, as it moves the link: F . f with
// F = X S. That is F . I a + (F x v) . I v, of which fa_inertia_adjoint knows the coefficients.
// C. G. Atkeson, C. H. An and J. M. Hollerbach, "Estimation of inertial parameters of manipulator
// loads and links", Int. J. Robotics Research 5(3), 1986, identify robots by it.
#include "regressor.h"

#include <string.h>

#include "derivatives.h"
#include "kinematics.h"

const char *const fa_regressor_names[FA_REGRESSOR_COLUMNS] = {"mass",
                                                              "mass_com.x",
                                                              "mass_com.y",
                                                              "mass_com.z",
                                                              "origin_inertia.xx",
                                                              "origin_inertia.yy",
                                                              "origin_inertia.zz",
                                                              "origin_inertia.xy",
                                                              "origin_inertia.xz",
                                                              "origin_inertia.yz"};

size_t fa_regressor_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * sizeof(fa_motion);
}

void fa_regressor(const fa_chain *chain, const double q[], const double qd[], const double qdd[],
                  int n_links, const int link_body[], const fa_transform link_frame[], double Y[],
                  void *work)
{
    fa_motion *motion = work;
    size_t     width = FA_REGRESSOR_COLUMNS * (size_t)n_links;
    memset(Y, 0, (size_t)chain->n_coordinates * width * sizeof *Y);
    fa_chain_motion(chain, q, qd, qdd, motion);
    for (int i = 0; i < n_links; i++) {
        if (link_body[i] == FA_WORLD) continue;
        fa_motion link = fa_frame_motion(&motion[link_body[i]], link_frame[i]);
        fa_twist  v = link.velocity, a = link.acceleration;
        a.linear = vec3_sub(a.linear, mat3_mul(link.pose.E, chain->gravity));
        for (int j = link_body[i]; j != FA_WORLD; j = chain->body[j].parent) {
            const fa_body *body = &chain->body[j];
            fa_twist       S = twist_to_parent(motion[j].pose, fa_joint_axis(body));
            fa_twist       F = twist_scale(body->ratio, to_child(link.pose, S));
            fa_inertia     by = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
            fa_inertia_adjoint(F, a, &by);
            fa_inertia_adjoint(twist_cross(F, v), v, &by);
            const double column[FA_REGRESSOR_COLUMNS] = {by.mass, by.h.x,  by.h.y,  by.h.z,
                                                         by.I.xx, by.I.yy, by.I.zz, by.I.xy,
                                                         by.I.xz, by.I.yz};
            double *to = Y + (size_t)body->coordinate * width + FA_REGRESSOR_COLUMNS * (size_t)i;
            for (int k = 0; k < FA_REGRESSOR_COLUMNS; k++) to[k] += column[k];
        }
    }
}
