// Power of external forces and of the ground's motion on an arm, with tangents and adjoints.
//
// All motion is relative to the ground. A moving ground causes inertial forces. Their power is
// minus the product of the joints' speeds and the bias torques that the ground's motion adds.
#include <string.h>

#include "arm.h"
#include "derivatives.h"
#include "methods.h"

fa_chain fa_arm_still(const fa_arm *arm)
{
    fa_chain still = arm->chain;
    still.base_moves = false;
    return still;
}

// Bias torques with the ground moving less those on still ground, into arm->bias.
static fa_status ground_bias(fa_arm *arm, const double value[])
{
    const double  *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const fa_chain still = fa_arm_still(arm);
    int            n = arm->chain.n_coordinates;
    memset(arm->zero, 0, (size_t)n * sizeof *arm->zero);
    fa_status status =
        fa_newton_euler_inverse(&arm->chain, q, qd, arm->zero, NULL, arm->bias, arm->work);
    if (status == FA_OK)
        status =
            fa_newton_euler_inverse(&still, q, qd, arm->zero, NULL, arm->bias_still, arm->work);
    for (int i = 0; i < n; i++) arm->bias[i] -= arm->bias_still[i];
    return status;
}

fa_status fa_arm_external_power(fa_arm *arm, const double value[], const fa_load *load,
                                double *power_in)
{
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    *power_in = 0;
    if (load->wrench) {
        const fa_chain still = fa_arm_still(arm);
        fa_chain_motion(&still, q, qd, NULL, arm->motion);
        for (int i = 0; i < arm->chain.n; i++)
            *power_in += power(arm->motion[i].velocity, load->wrench[i]);
        *power_in -= fa_arm_touches_work(arm); // which has accounts of its own
    }
    if (!arm->chain.base_moves) return FA_OK;
    fa_status status = ground_bias(arm, value);
    for (int i = 0; i < arm->chain.n_coordinates; i++) *power_in -= arm->bias[i] * qd[i];
    return status;
}

// arm->motion and arm->motion_tangent are those on still ground.
double fa_arm_load_power_tangent(const fa_arm *arm, const fa_load *load)
{
    double change = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        change += power(arm->motion[i].velocity, arm->wrench_tangent[i]);
        if (load->wrench) change += power(arm->motion_tangent[i].velocity, load->wrench[i]);
    }
    return change - fa_arm_touches_work_tangent(arm);
}

static double bias_power_tangent(fa_arm *arm, const fa_chain *chain, const double value[],
                                 const fa_tangent *tangent)
{
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    fa_tangent    own = *tangent;
    double        change = 0;
    own.joint.qdd = NULL;
    own.wrench = NULL;
    own.tau = NULL;
    fa_chain_motion(chain, q, qd, NULL, arm->motion);
    fa_chain_motion_tangent(chain, qd, NULL, arm->motion, own.joint, arm->motion_tangent);
    fa_inverse_tangent(chain, arm->zero, NULL, arm->motion, &own, arm->motion_tangent,
                       arm->bias_still, arm->work);
    for (int i = 0; i < chain->n_coordinates; i++) change += arm->bias_still[i] * qd[i];
    return change;
}

fa_status fa_arm_ground_power_tangent(fa_arm *arm, const double value[], const fa_tangent *tangent,
                                      double *change)
{
    *change = 0;
    if (!arm->chain.base_moves) return FA_OK;
    fa_status      status = ground_bias(arm, value);
    const fa_chain still = fa_arm_still(arm);
    fa_tangent     on_still = *tangent;
    on_still.joint.base_velocity = on_still.joint.base_acceleration = NULL;
    for (int i = 0; i < still.n_coordinates; i++)
        if (tangent->joint.qd) *change -= arm->bias[i] * tangent->joint.qd[i];
    *change -= bias_power_tangent(arm, &arm->chain, value, tangent);
    *change += bias_power_tangent(arm, &still, value, &on_still);
    return status;
}

void fa_arm_load_power_adjoint(fa_arm *arm, const fa_load *load, double wanted)
{
    for (int i = 0; i < arm->chain.n; i++) {
        arm->wrench_adjoint[i] =
            twist_add(arm->wrench_adjoint[i], twist_scale(wanted, arm->motion[i].velocity));
        if (load->wrench)
            arm->motion_adjoint[i].velocity =
                wrench_add(arm->motion_adjoint[i].velocity, wrench_scale(wanted, load->wrench[i]));
    }
    fa_arm_touches_work_adjoint(arm, -wanted);
}

static void bias_power_adjoint(fa_arm *arm, const fa_chain *chain, const double value[],
                               double wanted, fa_adjoint *sums)
{
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    fa_adjoint    own = *sums;
    own.joint.qdd = NULL;
    own.wrench = NULL;
    own.tau = NULL;
    for (int i = 0; i < chain->n_coordinates; i++) arm->bias_still[i] = wanted * qd[i];
    memset(arm->motion_adjoint, 0, (size_t)chain->n * sizeof *arm->motion_adjoint);
    fa_chain_motion(chain, q, qd, NULL, arm->motion);
    fa_inverse_adjoint(chain, arm->zero, NULL, arm->motion, arm->bias_still, &own,
                       arm->motion_adjoint, arm->work);
    fa_chain_motion_adjoint(chain, qd, NULL, arm->motion, arm->motion_adjoint, own.joint);
    sums->gravity = own.gravity;
}

fa_status fa_arm_ground_power_adjoint(fa_arm *arm, const double value[], double wanted,
                                      fa_adjoint *sums)
{
    if (!arm->chain.base_moves) return FA_OK;
    fa_status        status = ground_bias(arm, value);
    const fa_chain   still = fa_arm_still(arm);
    fa_joint_adjoint joint = sums->joint;
    for (int i = 0; i < still.n_coordinates; i++) sums->joint.qd[i] -= wanted * arm->bias[i];
    bias_power_adjoint(arm, &arm->chain, value, -wanted, sums);
    sums->joint.base_velocity = sums->joint.base_acceleration = NULL;
    bias_power_adjoint(arm, &still, value, wanted, sums);
    sums->joint = joint;
    return status;
}
