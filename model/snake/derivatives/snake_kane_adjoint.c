// Each function is the transpose of the one of like name in snake_kane_tangent.c: where that one
// adds factor times the tangent of x to the tangent of y, this one adds factor times the adjoint by
// y to the adjoint by x, in the opposite order. A bar in the comments is a letter s in front in the
// code: sV is the adjoint with respect to V.
#include "snake_kane_adjoint.h"

// --------------------------------------------------------------------------------- kinematics

typedef struct joint_adjoint {
    double C, S, near, far;     // values
    double sC, sS, snear, sfar; // adjoints, accumulated
    double way;
} joint_adjoint;

static void cross_joint_adjoint(joint_adjoint *j, const fa_snake_motion *from,
                                const fa_snake_motion *to, fa_snake_motion *sfrom,
                                fa_snake_motion *sto)
{
    const double C = j->C, S = j->S, far = j->far, per_far = 1 / j->far;
    const double Cn = C * j->near, Sn = S * j->near;
    const double phid = j->way * (to->w - from->w);
    double       sCn = 0, sSn = 0, sphid = 0;

    const double g = sto->tau * per_far;
    j->sS += g * from->sigma;
    sfrom->sigma += g * S;
    sCn -= g * from->tau;
    sfrom->tau -= g * Cn;
    sphid += g * to->V;
    sto->V += g * phid;
    j->sfar -= g * to->tau;

    const double h = sto->sigma;
    j->sC += h * from->sigma;
    sfrom->sigma += h * C;
    sSn += h * from->tau;
    sfrom->tau += h * Sn;
    sphid -= h * far * to->w;
    j->sfar -= h * phid * to->w;
    sto->w -= h * phid * far;

    sto->w += j->way * sphid;
    sfrom->w -= j->way * sphid;

    const struct {
        double  V, w, to_w, by_V, by_w;
        double *sV, *sw;
    } channel[3] = {
        {from->V, from->w, to->w, sto->V, sto->w, &sfrom->V, &sfrom->w},
        {from->V_u[0], from->w_u[0], to->w_u[0], sto->V_u[0], sto->w_u[0], &sfrom->V_u[0],
         &sfrom->w_u[0]},
        {from->V_u[1], from->w_u[1], to->w_u[1], sto->V_u[1], sto->w_u[1], &sfrom->V_u[1],
         &sfrom->w_u[1]},
    };
    for (int i = 0; i < 3; i++) {
        const double v = channel[i].by_V, w = channel[i].by_w * per_far;
        j->sC += v * channel[i].V;
        j->sS += w * channel[i].V;
        sSn += v * channel[i].w;
        sCn -= w * channel[i].w;
        j->sfar -= w * channel[i].to_w;
        *channel[i].sV += v * C + w * S;
        *channel[i].sw += v * Sn - w * Cn;
    }
    j->sC += j->near * sCn;
    j->sS += j->near * sSn;
    j->snear += C * sCn + S * sSn;
}

void fa_snake_kinematics_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                 fa_snake_motion adjoint[], fa_snake_adjoints *sums,
                                 double theta_adjoint[], double u_adjoint[2])
{
    const fa_snake_link *link = snake->link;
    const int            n = snake->n, base = snake->base;

    for (int k = 0; k < base; k++) {
        joint_adjoint j = {
            .C = motion[k].C, .S = motion[k].S, .near = link[k + 1].a, .far = link[k].b, .way = -1};
        cross_joint_adjoint(&j, &motion[k + 1], &motion[k], &adjoint[k + 1], &adjoint[k]);
        sums->link[k + 1].a += j.snear;
        sums->link[k].b += j.sfar;
        adjoint[k].C += j.sC;
        adjoint[k].S += j.sS;
    }
    for (int k = n - 2; k >= base; k--) {
        joint_adjoint j = {
            .C = motion[k].C, .S = motion[k].S, .near = link[k].b, .far = link[k + 1].a, .way = 1};
        cross_joint_adjoint(&j, &motion[k], &motion[k + 1], &adjoint[k], &adjoint[k + 1]);
        sums->link[k].b += j.snear;
        sums->link[k + 1].a += j.sfar;
        adjoint[k].C += j.sC;
        adjoint[k].S += j.sS;
    }
    u_adjoint[0] += adjoint[base].V;
    u_adjoint[1] += adjoint[base].w;
    for (int k = 0; k < n - 1; k++) {
        const double by_phi = motion[k].C * adjoint[k].S - motion[k].S * adjoint[k].C;
        theta_adjoint[k + 1] += by_phi;
        theta_adjoint[k] -= by_phi;
    }
}

// ---------------------------------------------------------------------------------- equations

void fa_snake_residual_adjoint(const double by_residual[2], const double ud[2],
                               fa_snake_equations *equations_adjoint)
{
    for (int i = 0; i < 2; i++) {
        equations_adjoint->F[i] += by_residual[i];
        equations_adjoint->bias[i] -= by_residual[i];
        for (int j = 0; j < 2; j++)
            equations_adjoint->M[i][j] -= (by_residual[i] * ud[j] + by_residual[j] * ud[i]) / 2;
    }
}

void fa_snake_project_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_forces    *forces,
                              const fa_snake_equations *equations_adjoint,
                              fa_snake_motion adjoint[], fa_snake_adjoints *sums)
{
    const double(*W)[2] = equations_adjoint->M;
    const double *y = equations_adjoint->bias, *f = equations_adjoint->F;

    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link   *link = &snake->link[k];
        const fa_snake_motion *at = &motion[k];
        fa_snake_link         *slink = &sums->link[k];
        fa_snake_motion       *s = &adjoint[k];
        const double           m = link->m, c = link->c, e = link->d;
        const double           inertia = link->I + m * (c * c + e * e), me = m * e, mc = m * c;

        // Adjoints with respect to mass, inertia about the wheel and the static moments.
        double sm = 0, sinertia = 0, sme = 0, smc = 0;
        double Vy = 0, wy = 0;
        for (int i = 0; i < 2; i++) {
            const double Vi = at->V_u[i], wi = at->w_u[i];
            for (int j = 0; j < 2; j++) {
                const double Vj = at->V_u[j], wj = at->w_u[j];
                const double twice = W[i][j] + W[j][i];
                s->V_u[i] += twice * (m * Vj - me * wj);
                s->w_u[i] += twice * (inertia * wj - me * Vj);
                sm += W[i][j] * Vi * Vj;
                sinertia += W[i][j] * wi * wj;
                sme -= W[i][j] * (Vi * wj + Vj * wi);
            }
            s->V_u[i] += y[i] * (m * at->sigma - me * at->tau - mc * at->w * at->w);
            s->w_u[i] += y[i] * (inertia * at->tau - me * at->sigma + mc * at->w * at->V);
            s->V_u[i] += f[i] * forces->rolling[k];
            sums->rolling[k] += f[i] * Vi;
            if (forces->moment) {
                s->w_u[i] += f[i] * forces->moment[k];
                sums->moment[k] += f[i] * wi;
            }
            Vy += y[i] * Vi;
            wy += y[i] * wi;
        }
        s->sigma += m * Vy - me * wy;
        s->tau += inertia * wy - me * Vy;
        s->V += mc * at->w * wy;
        s->w += mc * (at->V * wy - 2 * at->w * Vy);
        sm += at->sigma * Vy;
        sinertia += at->tau * wy;
        sme -= at->sigma * wy + at->tau * Vy;
        smc += at->w * (at->V * wy - at->w * Vy);

        slink->m += sm + sinertia * (c * c + e * e) + sme * e + smc * c;
        slink->I += sinertia;
        slink->c += sinertia * 2 * m * c + smc * m;
        slink->d += sinertia * 2 * m * e + sme * m;
    }

    for (int k = 0; k < snake->n - 1; k++) {
        const fa_snake_motion *rear = &motion[k], *front = &motion[k + 1];
        const double           J = snake->joint[k].rotor;
        const double           zeta = front->tau - rear->tau;
        double                 G[2], Gy = 0, GWG = 0;
        for (int i = 0; i < 2; i++) G[i] = front->w_u[i] - rear->w_u[i];
        for (int i = 0; i < 2; i++) {
            double WG = 0;
            for (int j = 0; j < 2; j++) WG += (W[i][j] + W[j][i]) * G[j];
            const double by_G = f[i] * forces->torque[k] + J * (WG + y[i] * zeta);
            adjoint[k + 1].w_u[i] += by_G;
            adjoint[k].w_u[i] -= by_G;
            sums->torque[k] += f[i] * G[i];
            Gy += y[i] * G[i];
            GWG += WG * G[i] / 2;
        }
        sums->joint[k].rotor += GWG + Gy * zeta;
        adjoint[k + 1].tau += J * Gy;
        adjoint[k].tau -= J * Gy;
    }
}

void fa_snake_accelerate_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                 const double ud[2], fa_snake_motion adjoint[],
                                 double ud_adjoint[2])
{
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_motion *at = &motion[k];
        fa_snake_motion       *s = &adjoint[k];
        s->sigma += s->Vd;
        s->tau += s->wd;
        for (int i = 0; i < 2; i++) {
            s->V_u[i] += s->Vd * ud[i];
            s->w_u[i] += s->wd * ud[i];
            ud_adjoint[i] += s->Vd * at->V_u[i] + s->wd * at->w_u[i];
        }
    }
}

// --------------------------------------------------------------------------------------- forces

// Newton's and Euler's equations of a link, as in snake_forces.c, from one end to the base; g is
// the known force in front of the base, f the one behind it.
typedef struct link_forces {
    double A_e, A_n, moment;
    double held_e, held_n;
} link_forces;

size_t fa_snake_slope_work_size(int n_links)
{
    return (size_t)n_links * sizeof(link_forces);
}

typedef struct sweep {
    const fa_snake        *snake;
    const fa_snake_motion *motion;
    const fa_snake_forces *forces;
    fa_snake_motion       *adjoint;
    fa_snake_adjoints     *sums;
    link_forces           *at;
} sweep;

static double passed_torque(const sweep *s, int k)
{
    if (k < 0 || k >= s->snake->n - 1) return 0;
    return s->forces->torque[k] -
           s->snake->joint[k].rotor * (s->motion[k + 1].wd - s->motion[k].wd);
}

static void passed_torque_adjoint(const sweep *s, int k, double by)
{
    if (k < 0 || k >= s->snake->n - 1) return;
    const double J = s->snake->joint[k].rotor;
    s->sums->torque[k] += by;
    s->sums->joint[k].rotor -= by * (s->motion[k + 1].wd - s->motion[k].wd);
    s->adjoint[k + 1].wd -= by * J;
    s->adjoint[k].wd += by * J;
}

static void feel(const sweep *s, int k)
{
    const fa_snake_link   *link = &s->snake->link[k];
    const fa_snake_motion *m = &s->motion[k];
    link_forces           *of = &s->at[k];
    of->A_e = link->m * (m->Vd - link->d * m->wd - link->c * m->w * m->w);
    of->A_n = link->m * (m->V * m->w - link->d * m->w * m->w + link->c * m->wd);
    of->moment = link->I * m->wd + link->c * of->A_n - link->d * of->A_e - passed_torque(s, k - 1) +
                 passed_torque(s, k);
    if (!s->forces->across) return;
    of->A_n -= s->forces->across[k];
    of->moment -= s->forces->moment[k];
}

static void feel_adjoint(const sweep *s, int k, double by_e, double by_n, double by_moment)
{
    const fa_snake_link   *link = &s->snake->link[k];
    const fa_snake_motion *at = &s->motion[k];
    fa_snake_link         *sl = &s->sums->link[k];
    fa_snake_motion       *sm = &s->adjoint[k];
    const double           m = link->m, c = link->c, d = link->d, V = at->V, w = at->w;

    double A_n = s->at[k].A_n;
    if (s->forces->across) {
        A_n += s->forces->across[k];
        s->sums->across[k] -= by_n;
        s->sums->moment[k] -= by_moment;
    }
    sl->I += by_moment * at->wd;
    sm->wd += by_moment * link->I;
    sl->c += by_moment * A_n;
    sl->d -= by_moment * s->at[k].A_e;
    by_n += by_moment * c;
    by_e -= by_moment * d;
    passed_torque_adjoint(s, k - 1, -by_moment);
    passed_torque_adjoint(s, k, by_moment);

    sl->m += by_e * (at->Vd - d * at->wd - c * w * w) + by_n * (V * w - d * w * w + c * at->wd);
    sm->Vd += by_e * m;
    sm->wd += m * (by_n * c - by_e * d);
    sl->d -= m * (by_e * at->wd + by_n * w * w);
    sl->c += m * (by_n * at->wd - by_e * w * w);
    sm->V += by_n * m * w;
    sm->w += m * (by_n * (V - 2 * d * w) - 2 * by_e * c * w);
}

// Repeats the forward sweep, and stores the values that the reverse sweep reads.
static void hold(const sweep *s)
{
    const int n = s->snake->n, base = s->snake->base;
    double    g_e = 0, g_n = 0, f_e = 0, f_n = 0;
    for (int k = n - 1; k >= base; k--) {
        feel(s, k);
        if (k == base) break;
        link_forces *of = &s->at[k];
        const double a = s->snake->link[k].a, b = s->snake->link[k].b;
        of->held_e = g_e;
        of->held_n = g_n;
        const double lambda = (of->moment + a * of->A_n - (a + b) * g_n) / a;
        const double rear_e = of->A_e - g_e - s->forces->rolling[k];
        const double rear_n = of->A_n - g_n - lambda;
        const double C = s->motion[k - 1].C, S = s->motion[k - 1].S;
        g_e = -(C * rear_e - S * rear_n);
        g_n = -(S * rear_e + C * rear_n);
    }
    for (int k = 0; k < base; k++) {
        feel(s, k);
        link_forces *of = &s->at[k];
        const double a = s->snake->link[k].a, b = s->snake->link[k].b;
        of->held_e = f_e;
        of->held_n = f_n;
        const double lambda = -(of->moment - b * of->A_n + (a + b) * f_n) / b;
        const double ahead_e = of->A_e - f_e - s->forces->rolling[k];
        const double ahead_n = of->A_n - f_n - lambda;
        const double C = s->motion[k].C, S = s->motion[k].S;
        f_e = -(C * ahead_e + S * ahead_n);
        f_n = S * ahead_e - C * ahead_n;
    }
}

void fa_snake_reactions_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_forces *forces, const double lambda_adjoint[],
                                fa_snake_motion adjoint[], fa_snake_adjoints *sums, void *work)
{
    const sweep s = {snake, motion, forces, adjoint, sums, (link_forces *)work};
    const int   n = snake->n, base = snake->base;
    hold(&s);

    feel_adjoint(&s, base, 0, lambda_adjoint[base], 0);
    double by_g_e = 0, by_g_n = -lambda_adjoint[base]; // of the link behind k
    for (int k = base + 1; k < n; k++) {
        const link_forces *of = &s.at[k];
        const double       a = snake->link[k].a, b = snake->link[k].b;
        const double       C = motion[k - 1].C, S = motion[k - 1].S;
        const double       lambda = (of->moment + a * of->A_n - (a + b) * of->held_n) / a;
        const double       f_e = of->A_e - of->held_e - forces->rolling[k];
        const double       f_n = of->A_n - of->held_n - lambda;
        adjoint[k - 1].C -= f_e * by_g_e + f_n * by_g_n;
        adjoint[k - 1].S += f_n * by_g_e - f_e * by_g_n;
        const double by_f_e = -(C * by_g_e + S * by_g_n), by_f_n = S * by_g_e - C * by_g_n;

        const double l = (lambda_adjoint[k] - by_f_n) / a;
        sums->rolling[k] -= by_f_e;
        sums->link[k].a += l * (of->A_n - of->held_n - lambda);
        sums->link[k].b -= l * of->held_n;
        feel_adjoint(&s, k, by_f_e, by_f_n + l * a, l);
        by_g_e = -by_f_e;
        by_g_n = -by_f_n - l * (a + b);
    }

    double by_f_e = 0, by_f_n = -lambda_adjoint[base]; // of the link before k
    for (int k = base - 1; k >= 0; k--) {
        const link_forces *of = &s.at[k];
        const double       a = snake->link[k].a, b = snake->link[k].b;
        const double       C = motion[k].C, S = motion[k].S;
        const double       lambda = -(of->moment - b * of->A_n + (a + b) * of->held_n) / b;
        const double       ahead_e = of->A_e - of->held_e - forces->rolling[k];
        const double       ahead_n = of->A_n - of->held_n - lambda;
        adjoint[k].C -= ahead_e * by_f_e + ahead_n * by_f_n;
        adjoint[k].S += ahead_e * by_f_n - ahead_n * by_f_e;
        const double by_ahead_e = S * by_f_n - C * by_f_e;
        const double by_ahead_n = -(S * by_f_e + C * by_f_n);

        const double l = -(lambda_adjoint[k] - by_ahead_n) / b;
        sums->rolling[k] -= by_ahead_e;
        sums->link[k].a += l * of->held_n;
        sums->link[k].b += l * (of->held_n - of->A_n + lambda);
        feel_adjoint(&s, k, by_ahead_e, by_ahead_n - l * b, l);
        by_f_e = -by_ahead_e;
        by_f_n = -by_ahead_n + l * (a + b);
    }
}

// --------------------------------------------------------------------------------------- energy

void fa_snake_kinetic_energy_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                                     double energy_adjoint, fa_snake_motion adjoint[],
                                     fa_snake_adjoints *sums)
{
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link *link = &snake->link[k];
        fa_snake_link       *s = &sums->link[k];
        const double w = motion[k].w, along = motion[k].V - link->d * w, across = link->c * w;
        s->m += energy_adjoint * (along * along + across * across) / 2;
        s->I += energy_adjoint * w * w / 2;
        s->c += energy_adjoint * link->m * across * w;
        s->d -= energy_adjoint * link->m * along * w;
        adjoint[k].V += energy_adjoint * link->m * along;
        adjoint[k].w +=
            energy_adjoint * (link->m * (across * link->c - along * link->d) + link->I * w);
    }
    for (int k = 0; k < snake->n - 1; k++) {
        const double phid = motion[k + 1].w - motion[k].w;
        const double by_phid = energy_adjoint * snake->joint[k].rotor * phid;
        sums->joint[k].rotor += energy_adjoint * phid * phid / 2;
        adjoint[k + 1].w += by_phid;
        adjoint[k].w -= by_phid;
    }
}
