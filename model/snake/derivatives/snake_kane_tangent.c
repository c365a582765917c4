// Tangents of the stages of snake_kane.c and snake_forces.c. Each function follows the original
// term by term; names and letters are the same, with a d in front of a tangent.
#include "snake_kane_tangent.h"

// Tangents of the geometry at a joint, as cross_joint of snake_kane.c meets it.
typedef struct joint_tangent {
    double C, S, near, far;     // values
    double dC, dS, dnear, dfar; // tangents
    double way;
} joint_tangent;

static void cross_joint_tangent(const joint_tangent *j, const fa_snake_motion *from,
                                const fa_snake_motion *to, const fa_snake_motion *dfrom,
                                fa_snake_motion *dto)
{
    const double C = j->C, S = j->S, far = j->far, per_far = 1 / j->far;
    const double Cn = C * j->near, Sn = S * j->near;
    const double dCn = j->dC * j->near + C * j->dnear, dSn = j->dS * j->near + S * j->dnear;

    dto->V = j->dC * from->V + C * dfrom->V + dSn * from->w + Sn * dfrom->w;
    dto->w = (j->dS * from->V + S * dfrom->V - dCn * from->w - Cn * dfrom->w - j->dfar * to->w) *
             per_far;
    for (int i = 0; i < 2; i++) {
        dto->V_u[i] =
            j->dC * from->V_u[i] + C * dfrom->V_u[i] + dSn * from->w_u[i] + Sn * dfrom->w_u[i];
        dto->w_u[i] = (j->dS * from->V_u[i] + S * dfrom->V_u[i] - dCn * from->w_u[i] -
                       Cn * dfrom->w_u[i] - j->dfar * to->w_u[i]) *
                      per_far;
    }

    const double phid = j->way * (to->w - from->w), dphid = j->way * (dto->w - dfrom->w);
    const double across = far * to->w, dacross = j->dfar * to->w + far * dto->w;
    dto->sigma = j->dC * from->sigma + C * dfrom->sigma + dSn * from->tau + Sn * dfrom->tau -
                 dphid * across - phid * dacross;
    dto->tau = (j->dS * from->sigma + S * dfrom->sigma - dCn * from->tau - Cn * dfrom->tau +
                dphid * to->V + phid * dto->V - j->dfar * to->tau) *
               per_far;
}

void fa_snake_kinematics_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                 const fa_snake *snake_step, const double theta_tangent[],
                                 const double u_tangent[2], fa_snake_motion tangent[])
{
    const fa_snake_link *link = snake->link, *dlink = snake_step->link;
    const int            n = snake->n, base = snake->base;

    for (int k = 0; k < n - 1; k++) {
        const double dphi = theta_tangent[k + 1] - theta_tangent[k];
        tangent[k].C = -motion[k].S * dphi;
        tangent[k].S = motion[k].C * dphi;
    }
    tangent[n - 1].C = tangent[n - 1].S = 0;

    fa_snake_motion *start = &tangent[base];
    start->V = u_tangent[0];
    start->w = u_tangent[1];
    start->V_u[0] = start->V_u[1] = start->w_u[0] = start->w_u[1] = 0;
    start->sigma = start->tau = 0;

    for (int k = base; k < n - 1; k++) {
        const joint_tangent j = {motion[k].C,   motion[k].S,    link[k].b,
                                 link[k + 1].a, tangent[k].C,   tangent[k].S,
                                 dlink[k].b,    dlink[k + 1].a, 1};
        cross_joint_tangent(&j, &motion[k], &motion[k + 1], &tangent[k], &tangent[k + 1]);
    }
    for (int k = base - 1; k >= 0; k--) {
        const joint_tangent j = {motion[k].C,    motion[k].S,  link[k + 1].a,
                                 link[k].b,      tangent[k].C, tangent[k].S,
                                 dlink[k + 1].a, dlink[k].b,   -1};
        cross_joint_tangent(&j, &motion[k + 1], &motion[k], &tangent[k + 1], &tangent[k]);
    }
}

fa_snake_equations fa_snake_project_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                            const fa_snake_forces *forces,
                                            const fa_snake        *snake_step,
                                            const fa_snake_motion  tangent[],
                                            const fa_snake_forces *forces_tangent)
{
    fa_snake_equations sum = {{{0, 0}, {0, 0}}, {0, 0}, {0, 0}};

    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link   *link = &snake->link[k], *dlink = &snake_step->link[k];
        const fa_snake_motion *at = &motion[k], *d = &tangent[k];
        const double           m = link->m, c = link->c, e = link->d;
        const double           dm = dlink->m, dc = dlink->c, de = dlink->d;

        // About the wheel, and the two static moments.
        const double inertia = link->I + m * (c * c + e * e);
        const double dinertia = dlink->I + dm * (c * c + e * e) + 2 * m * (c * dc + e * de);
        const double me = m * e, dme = dm * e + m * de;
        const double mc = m * c, dmc = dm * c + m * dc;
        for (int i = 0; i < 2; i++) {
            const double Vi = at->V_u[i], wi = at->w_u[i], dVi = d->V_u[i], dwi = d->w_u[i];
            for (int j = 0; j < 2; j++) {
                const double Vj = at->V_u[j], wj = at->w_u[j], dVj = d->V_u[j], dwj = d->w_u[j];
                sum.M[i][j] += dm * Vi * Vj + m * (dVi * Vj + Vi * dVj) + dinertia * wi * wj +
                               inertia * (dwi * wj + wi * dwj) - dme * (Vi * wj + Vj * wi) -
                               me * (dVi * wj + Vi * dwj + dVj * wi + Vj * dwi);
            }
            const double turn = at->V * wi - at->w * Vi;
            const double dturn = d->V * wi + at->V * dwi - d->w * Vi - at->w * dVi;
            sum.bias[i] += dm * Vi * at->sigma + m * (dVi * at->sigma + Vi * d->sigma) +
                           dinertia * wi * at->tau + inertia * (dwi * at->tau + wi * d->tau) -
                           dme * (at->sigma * wi + at->tau * Vi) -
                           me * (d->sigma * wi + at->sigma * dwi + d->tau * Vi + at->tau * dVi) +
                           dmc * at->w * turn + mc * (d->w * turn + at->w * dturn);
            sum.F[i] += forces_tangent->rolling[k] * Vi + forces->rolling[k] * dVi;
            if (forces->moment)
                sum.F[i] += forces_tangent->moment[k] * wi + forces->moment[k] * dwi;
        }
    }

    for (int k = 0; k < snake->n - 1; k++) {
        const fa_snake_motion *rear = &motion[k], *front = &motion[k + 1];
        const double           J = snake->joint[k].rotor, dJ = snake_step->joint[k].rotor;
        const double           zeta = front->tau - rear->tau;
        const double           dzeta = tangent[k + 1].tau - tangent[k].tau;
        double                 G[2], dG[2];
        for (int i = 0; i < 2; i++) {
            G[i] = front->w_u[i] - rear->w_u[i];
            dG[i] = tangent[k + 1].w_u[i] - tangent[k].w_u[i];
        }
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++)
                sum.M[i][j] += dJ * G[i] * G[j] + J * (dG[i] * G[j] + G[i] * dG[j]);
            sum.bias[i] += dJ * zeta * G[i] + J * (dzeta * G[i] + zeta * dG[i]);
            sum.F[i] += forces_tangent->torque[k] * G[i] + forces->torque[k] * dG[i];
        }
    }
    return sum;
}

void fa_snake_residual_tangent(const fa_snake_equations *equations_tangent, const double ud[2],
                               double residual[2])
{
    for (int i = 0; i < 2; i++)
        residual[i] = equations_tangent->F[i] - equations_tangent->bias[i] -
                      equations_tangent->M[i][0] * ud[0] - equations_tangent->M[i][1] * ud[1];
}

void fa_snake_accelerate_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                 const double ud[2], const double ud_tangent[2],
                                 fa_snake_motion tangent[])
{
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_motion *at = &motion[k];
        fa_snake_motion       *d = &tangent[k];
        d->Vd = d->sigma + d->V_u[0] * ud[0] + at->V_u[0] * ud_tangent[0] + d->V_u[1] * ud[1] +
                at->V_u[1] * ud_tangent[1];
        d->wd = d->tau + d->w_u[0] * ud[0] + at->w_u[0] * ud_tangent[0] + d->w_u[1] * ud[1] +
                at->w_u[1] * ud_tangent[1];
    }
}

// Inertial force and moment of a link, as in snake_forces.c: values and tangents.
typedef struct inertial {
    double A_e, A_n, moment;
    double dA_e, dA_n, dmoment;
} inertial;

typedef struct snake_and_tangent {
    const fa_snake        *snake, *snake_step;
    const fa_snake_motion *motion, *tangent;
    const fa_snake_forces *forces, *forces_tangent;
} snake_and_tangent;

static double passed_torque(const snake_and_tangent *s, int k, double *tangent)
{
    *tangent = 0;
    if (k < 0 || k >= s->snake->n - 1) return 0;
    const double J = s->snake->joint[k].rotor, dJ = s->snake_step->joint[k].rotor;
    const double phidd = s->motion[k + 1].wd - s->motion[k].wd;
    *tangent =
        s->forces_tangent->torque[k] - dJ * phidd - J * (s->tangent[k + 1].wd - s->tangent[k].wd);
    return s->forces->torque[k] - J * phidd;
}

static inertial inertial_of(const snake_and_tangent *s, int k)
{
    const fa_snake_link   *link = &s->snake->link[k], *dlink = &s->snake_step->link[k];
    const fa_snake_motion *at = &s->motion[k], *d = &s->tangent[k];
    const double           a_e = at->Vd - link->d * at->wd - link->c * at->w * at->w;
    const double           a_n = at->V * at->w - link->d * at->w * at->w + link->c * at->wd;
    const double da_e = d->Vd - dlink->d * at->wd - link->d * d->wd - dlink->c * at->w * at->w -
                        2 * link->c * at->w * d->w;
    const double da_n = d->V * at->w + at->V * d->w - dlink->d * at->w * at->w -
                        2 * link->d * at->w * d->w + dlink->c * at->wd + link->c * d->wd;
    double       behind, ahead; // tangents
    const double torque = passed_torque(s, k, &ahead) - passed_torque(s, k - 1, &behind);

    inertial of;
    of.A_e = link->m * a_e;
    of.A_n = link->m * a_n;
    of.dA_e = dlink->m * a_e + link->m * da_e;
    of.dA_n = dlink->m * a_n + link->m * da_n;
    of.moment = link->I * at->wd + link->c * of.A_n - link->d * of.A_e + torque;
    of.dmoment = dlink->I * at->wd + link->I * d->wd + dlink->c * of.A_n + link->c * of.dA_n -
                 dlink->d * of.A_e - link->d * of.dA_e + ahead - behind;
    if (s->forces->across) {
        of.A_n -= s->forces->across[k];
        of.dA_n -= s->forces_tangent->across[k];
        of.moment -= s->forces->moment[k];
        of.dmoment -= s->forces_tangent->moment[k];
    }
    return of;
}

void fa_snake_reactions_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_forces *forces, const fa_snake *snake_step,
                                const fa_snake_motion  tangent[],
                                const fa_snake_forces *forces_tangent, double lambda_tangent[])
{
    const snake_and_tangent s = {snake, snake_step, motion, tangent, forces, forces_tangent};
    const int               base = snake->base;

    double g_e = 0, g_n = 0, dg_e = 0, dg_n = 0;
    for (int k = snake->n - 1; k > base; k--) {
        const double   a = snake->link[k].a, b = snake->link[k].b;
        const double   da = snake_step->link[k].a, db = snake_step->link[k].b;
        const inertial of = inertial_of(&s, k);
        const double   lambda = (of.moment + a * of.A_n - (a + b) * g_n) / a;
        lambda_tangent[k] = (of.dmoment + da * of.A_n + a * of.dA_n - (da + db) * g_n -
                             (a + b) * dg_n - lambda * da) /
                            a;
        const double f_e = of.A_e - g_e - forces->rolling[k];
        const double f_n = of.A_n - g_n - lambda;
        const double df_e = of.dA_e - dg_e - forces_tangent->rolling[k];
        const double df_n = of.dA_n - dg_n - lambda_tangent[k];
        const double C = motion[k - 1].C, S = motion[k - 1].S;
        const double dC = tangent[k - 1].C, dS = tangent[k - 1].S;
        g_e = -(C * f_e - S * f_n);
        g_n = -(S * f_e + C * f_n);
        dg_e = -(dC * f_e + C * df_e - dS * f_n - S * df_n);
        dg_n = -(dS * f_e + S * df_e + dC * f_n + C * df_n);
    }

    double f_e = 0, f_n = 0, df_e = 0, df_n = 0;
    for (int k = 0; k < base; k++) {
        const double   a = snake->link[k].a, b = snake->link[k].b;
        const double   da = snake_step->link[k].a, db = snake_step->link[k].b;
        const inertial of = inertial_of(&s, k);
        const double   lambda = -(of.moment - b * of.A_n + (a + b) * f_n) / b;
        lambda_tangent[k] = -(of.dmoment - db * of.A_n - b * of.dA_n + (da + db) * f_n +
                              (a + b) * df_n + lambda * db) /
                            b;
        const double ahead_e = of.A_e - f_e - forces->rolling[k];
        const double ahead_n = of.A_n - f_n - lambda;
        const double dahead_e = of.dA_e - df_e - forces_tangent->rolling[k];
        const double dahead_n = of.dA_n - df_n - lambda_tangent[k];
        const double C = motion[k].C, S = motion[k].S;
        const double dC = tangent[k].C, dS = tangent[k].S;
        f_e = -(C * ahead_e + S * ahead_n);
        f_n = S * ahead_e - C * ahead_n;
        df_e = -(dC * ahead_e + C * dahead_e + dS * ahead_n + S * dahead_n);
        df_n = dS * ahead_e + S * dahead_e - dC * ahead_n - C * dahead_n;
    }
    lambda_tangent[base] = inertial_of(&s, base).dA_n - dg_n - df_n;
}

double fa_snake_kinetic_energy_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                       const fa_snake *snake_step, const fa_snake_motion tangent[])
{
    double sum = 0;
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link *link = &snake->link[k], *dlink = &snake_step->link[k];
        const double         w = motion[k].w, dw = tangent[k].w;
        const double         along = motion[k].V - link->d * w, across = link->c * w;
        const double         dalong = tangent[k].V - dlink->d * w - link->d * dw;
        const double         dacross = dlink->c * w + link->c * dw;
        sum += dlink->m * (along * along + across * across) / 2 +
               link->m * (along * dalong + across * dacross) + dlink->I * w * w / 2 +
               link->I * w * dw;
    }
    for (int k = 0; k < snake->n - 1; k++) {
        const double phid = motion[k + 1].w - motion[k].w;
        sum += snake_step->joint[k].rotor * phid * phid / 2 +
               snake->joint[k].rotor * phid * (tangent[k + 1].w - tangent[k].w);
    }
    return sum;
}
