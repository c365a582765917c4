// Fixed steps in SIMD lanes: semi-implicit Euler with implicit damping, like MuJoCo's implicitfast,
// and the classical Runge–Kutta method of order 4; with constant torques, or position servos.
#ifndef FA_LANE_STEPS_H
#define FA_LANE_STEPS_H

#include "lane_block.h"

// Computes the efforts at q and qd, which are in B->x, into B->tau: elements at the joints, and
// constant inputs. B->damping: derivative of the effort by speed, with opposite sign, if requested.
FA_INLINED void efforts(lane_block *B, const fa_lane_steps *call, const real held[],
                        const bool damping)
{
    const lane_arm *A = &B->arm;
    const real      h = num(call->step);
    for (int i = 0; i < A->n; i++)
        joint_meet(&B->joint[i],
                   B->joint[i].ratio * B->x[B->q + B->joint[i].coordinate] + B->joint[i].offset);
    push(B, B->x, B->stage[0]);
    for (int i = 0; i < A->n_coordinates; i++) {
        real f = held[i];
        B->damping[i] = num(0);
        if (call->servos) {
            const lane_float kp = (lane_float)call->servos->kp[i],
                             kd = (lane_float)call->servos->kd[i];
            const lane_float most = (lane_float)call->servos->limit[i];
            const real       asked = kp * (held[i] - B->x[B->q + i]) - kd * B->x[B->qd + i];
            B->damping[i] = where(real_abs(asked) < most, num(kd), num(0));
            f = where(asked > most, num(most), where(asked < -most, num(-most), asked));
        }
        B->tau[i] += f;
    }
    for (int i = 0; i < A->n && damping; i++) {
        const lane_joint *of = &B->joint[i];
        const int         c = of->coordinate;
        real              less;
        const real        more = joint_yield(of, of->ratio * B->x[B->q + c] + of->offset,
                                             of->ratio * B->x[B->qd + c], h, &less);
        B->damping[c] += of->ratio * of->ratio * (of->brake + more);
        B->tau[c] -= of->ratio * less;
    }
}

FA_INLINED void euler(lane_block *B, const fa_lane_steps *call, const real held[], mask *good)
{
    const int        n = B->arm.n_coordinates;
    const lane_float h = (lane_float)call->step;
    real            *q = B->x + B->q, *qd = B->x + B->qd, *qdd = B->at;
    efforts(B, call, held, true);
    for (int i = 0; i < n; i++) B->damping[i] *= h;
    accelerate(B, q, qd, B->damping, qdd, good);
    for (int i = 0; i < n; i++) {
        qd[i] += h * qdd[i];
        q[i] += h * qd[i];
    }
}

FA_INLINED void kutta(lane_block *B, const fa_lane_steps *call, const real held[], mask *good)
{
    static const lane_float share[4] = {0, 0.5, 0.5, 1}, part[4] = {1, 2, 2, 1};
    const int               n = B->arm.n_coordinates;
    const lane_float        h = (lane_float)call->step;
    real *q = B->x + B->q, *qd = B->x + B->qd, *v = B->last, *a = B->bend, *dq = B->stage[1],
         *dqd = B->stage[2];
    for (int i = 0; i < n; i++) {
        B->q0[i] = q[i];
        B->qd0[i] = qd[i];
        v[i] = a[i] = dq[i] = dqd[i] = num(0);
    }
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) {
            q[i] = B->q0[i] + share[k] * h * v[i];
            qd[i] = B->qd0[i] + share[k] * h * a[i];
        }
        efforts(B, call, held, false);
        accelerate(B, q, qd, NULL, a, good);
        for (int i = 0; i < n; i++) {
            v[i] = qd[i];
            dq[i] += part[k] * v[i];
            dqd[i] += part[k] * a[i];
        }
    }
    const lane_float sixth = (lane_float)(call->step / 6);
    for (int i = 0; i < n; i++) {
        q[i] = B->q0[i] + sixth * dq[i];
        qd[i] = B->qd0[i] + sixth * dqd[i];
    }
}

void KERNEL(step)(fa_lanes *lanes, const fa_lane_steps *call, int n, const double held[],
                  double q[], double qd[], bool good[])
{
    lane_block *B = (lane_block *)lanes;
    const int   nc = B->arm.n_coordinates;
    real       *target = B->stage[3];
    mask        fine = lane_all();
    for (int i = 0; i < nc; i++)
        for (int l = 0; l < FA_LANES; l++) {
            const int from = (l < n ? l : 0) * nc + i; // unused lanes repeat the first motion
            target[i][l] = (lane_float)held[from];
            B->x[B->q + i][l] = (lane_float)q[from];
            B->x[B->qd + i][l] = (lane_float)qd[from];
        }
    for (int k = 0; k < call->steps; k++) {
        if (call->runge_kutta)
            kutta(B, call, target, &fine);
        else
            euler(B, call, target, &fine);
    }
    for (int l = 0; l < n; l++) good[l] = fine[l] != 0;
    for (int i = 0; i < nc; i++)
        for (int l = 0; l < n; l++) {
            q[l * nc + i] = (double)B->x[B->q + i][l];
            qd[l * nc + i] = (double)B->x[B->qd + i][l];
            good[l] = good[l] && isfinite(q[l * nc + i]) && isfinite(qd[l * nc + i]);
        }
}

#endif
