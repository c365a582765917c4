// Efforts that hold an arm against gravity, for servos with gravity compensation. The masses are
// those of the robot's file, without a payload, as in a drive's controller. Positions and gravity
// are the current ones, and the ground counts as fixed.
#include <string.h>

#include "arm.h"
#include "arm_weight_loops.h"
#include "derivatives.h"
#include "methods.h"

// The arm with the masses of its file, its joints where those of the arm are.
static fa_chain as_in_file(const fa_arm *arm)
{
    fa_chain chain = fa_arm_still(arm);
    for (int i = 0; i < chain.n; i++) {
        arm->weight.body[i].home = chain.body[i].home;
        arm->weight.body[i].advance = chain.body[i].advance;
        arm->weight.body[i].advance_tangent = chain.body[i].advance_tangent;
    }
    chain.body = arm->weight.body;
    chain.held = NULL;
    return chain;
}

void fa_arm_weigh(fa_arm *arm, const double value[])
{
    const fa_arm_weight *weight = &arm->weight;
    if (!weight->effort) return;
    const fa_chain chain = as_in_file(arm);
    // Cannot fail for a checked chain.
    (void)fa_newton_euler_inverse(&chain, value + arm->row[FA_ARM_POSITION], weight->rest,
                                  weight->rest, NULL, weight->effort, arm->work);
    if (weight->loops)
        fa_weight_loops_share(weight->loops, &chain, value + arm->row[FA_ARM_POSITION],
                              weight->effort);
}

void fa_arm_weigh_tangent(fa_arm *arm, const double value[], const double direction[])
{
    const fa_arm_weight *weight = &arm->weight;
    if (!weight->effort) return;
    const fa_chain   chain = as_in_file(arm);
    const double    *d = direction + arm->row[FA_ARM_GRAVITY];
    const fa_tangent tangent = {.joint = {.q = direction + arm->row[FA_ARM_POSITION]},
                                .gravity = vec3(d[0], d[1], d[2])};
    fa_chain_motion(&chain, value + arm->row[FA_ARM_POSITION], weight->rest, NULL, arm->motion);
    fa_chain_motion_tangent(&chain, weight->rest, NULL, arm->motion, tangent.joint,
                            arm->motion_tangent);
    fa_inverse_tangent(&chain, weight->rest, NULL, arm->motion, &tangent, arm->motion_tangent,
                       weight->tangent, arm->work);
    if (weight->loops)
        fa_weight_loops_share_tangent(weight->loops, &chain, tangent.joint.q, weight->tangent);
}

void fa_arm_weigh_adjoint(fa_arm *arm, const double value[], double adjoint[])
{
    const fa_arm_weight *weight = &arm->weight;
    if (!weight->effort) return;
    const fa_chain chain = as_in_file(arm);
    double        *gravity = adjoint + arm->row[FA_ARM_GRAVITY];
    // At rest nothing changes with speeds; what is said of them is zero, and goes nowhere.
    fa_adjoint sums = {.joint = {.q = adjoint + arm->row[FA_ARM_POSITION],
                                 .qd = arm->bias,
                                 .advance = chain.screws ? arm->advance_adjoint : NULL}};
    if (weight->loops)
        fa_weight_loops_share_adjoint(weight->loops, &chain, weight->adjoint, sums.joint.q);
    memset(arm->motion_adjoint, 0, (size_t)chain.n * sizeof *arm->motion_adjoint);
    fa_chain_motion(&chain, value + arm->row[FA_ARM_POSITION], weight->rest, NULL, arm->motion);
    fa_inverse_adjoint(&chain, weight->rest, NULL, arm->motion, weight->adjoint, &sums,
                       arm->motion_adjoint, arm->work);
    fa_chain_motion_adjoint(&chain, weight->rest, NULL, arm->motion, arm->motion_adjoint,
                            sums.joint);
    gravity[0] += sums.gravity.x;
    gravity[1] += sums.gravity.y;
    gravity[2] += sums.gravity.z;
}
