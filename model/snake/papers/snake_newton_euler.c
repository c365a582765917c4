// Newton's and Euler's equations for the wheeled snake, O(n^3): inverse dynamics, called once for
// the bias and once for each column of the mass matrix, and constraint forces as unknowns.
//
// M. W. Walker, D. E. Orin, "Efficient dynamic computer simulation of robotic mechanisms", Journal
// of Dynamic Systems, Measurement, and Control 104 (1982), method 1; H. Tavakoli Nia, H. N.
// Pishkenari, A. Meghdari, Robotica (2005), section V.
//
// The snake without its constraints is a manipulator of two arms on a free base, the base link.
// Generalised accelerations y, and the generalised forces that belong to them:
//
//     y[0], y[1]    acceleration of the base's wheel along e, n       force on the base
//     y[2 + k]      angular acceleration of link k                    moment on it alone
//
// M y + B = Q + J^T lambda, and each wheel's acceleration along n must be what no side slip asks
// for: V omega.
//
// Departures from the paper:
//   - Both of its "Jacobian matrix" steps come out of the inverse dynamics, because the
//     accelerations that it computes for each wheel are the columns of J (at rest, y a unit vector)
//     and J' q' (moving, y zero).
//   - y turns links and not joints. With joints, 50 links cost two more digits (4e-11 of the
//   largest
//     entry instead of 5e-13).
#include "snake_kkt.h"
#include "snake_methods.h"

#include <math.h>

#include "sincos.h"

// Accelerations and forces of a link, in the link's own axes.
typedef struct pass {
    double C, S;         // of the angle from the inner neighbour's axes to this link's
    double inner, outer; // from the joint's two wheels: inner wheel to joint, joint to this wheel,
                         // along e of the link concerned; negative behind the base [m]
    double v, w;         // speed of the wheel, rate
    double a_e, a_n, wd; // acceleration of the wheel, angular acceleration
    double f_e, f_n, moment; // force and moment that the inner neighbour applies, about the wheel
} pass;

typedef struct layout {
    pass   *link;  // n
    double *y;     // n + 2
    double *force; // n + 2
    double *kkt;   // (2 n + 2) squared
    double *right; // 2 n + 2
} layout;

size_t fa_snake_newton_euler_work_size(int n_links)
{
    const size_t n = (size_t)n_links, rows = 2 * n + 2;
    return n * sizeof(pass) + (2 * (n + 2) + rows * rows + rows) * sizeof(double);
}

static layout lay_out(int n, void *work)
{
    layout at;
    at.link = (pass *)work;
    at.y = (double *)(void *)(at.link + n);
    at.force = at.y + n + 2;
    at.right = at.force + n + 2;
    at.kkt = at.right + 2 * n + 2;
    return at;
}

// Outwards from the base: geometry, and the rates without side slip.
static void velocities(const fa_snake *snake, const double theta[], const double u[2], pass link[])
{
    const int base = snake->base;
    link[base].v = u[0];
    link[base].w = u[1];
    for (int side = 0; side < 2; side++) {
        const int way = side == 0 ? 1 : -1, end = side == 0 ? snake->n : -1;
        for (int k = base + way; k != end; k += way) {
            const fa_snake_link *from = &snake->link[k - way], *to = &snake->link[k];
            pass                *at = &link[k];
            fa_sincos(theta[k] - theta[k - way], &at->S, &at->C);
            at->inner = side == 0 ? from->b : -from->a;
            at->outer = side == 0 ? to->a : -to->b;

            const double along = link[k - way].v, across = at->inner * link[k - way].w;
            at->v = at->C * along + at->S * across;
            at->w = (at->S * along - at->C * across) / at->outer;
        }
    }
}

// Inverse dynamics: forces for the accelerations y; `moving` is 0 for a snake at rest without load,
// else 1.
static void inverse(const fa_snake *snake, const fa_snake_forces *forces, const double y[],
                    double moving, pass link[], double force[])
{
    const int base = snake->base;

    // Outwards: accelerations.
    link[base].a_e = y[0];
    link[base].a_n = y[1];
    link[base].wd = y[2 + base];
    for (int side = 0; side < 2; side++) {
        const int way = side == 0 ? 1 : -1, end = side == 0 ? snake->n : -1;
        for (int k = base + way; k != end; k += way) {
            const pass  *from = &link[k - way];
            pass        *at = &link[k];
            const double joint_e = from->a_e - moving * at->inner * from->w * from->w;
            const double joint_n = from->a_n + at->inner * from->wd;
            at->wd = y[2 + k];
            at->a_e = at->C * joint_e + at->S * joint_n - moving * at->outer * at->w * at->w;
            at->a_n = -at->S * joint_e + at->C * joint_n + at->outer * at->wd;
        }
    }

    // Inertial force and moment of each link.
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link *body = &snake->link[k];
        pass                *at = &link[k];
        const double         ww = moving * at->w * at->w;
        at->f_e = body->m * (at->a_e - body->d * at->wd - body->c * ww);
        at->f_n = body->m * (at->a_n + body->c * at->wd - body->d * ww);
        at->moment = body->I * at->wd + body->c * at->f_n - body->d * at->f_e;
        if (forces->rolling) at->f_e -= moving * forces->rolling[k];
    }

    // Inwards: sums over the outer links; each link's generalised force is the moment about its
    // inner joint.
    for (int side = 0; side < 2; side++) {
        const int way = side == 0 ? 1 : -1, end = side == 0 ? snake->n - 1 : 0;
        for (int k = end; k != base; k -= way) {
            const pass  *at = &link[k];
            pass        *to = &link[k - way];
            const double f_e = at->C * at->f_e - at->S * at->f_n;
            const double f_n = at->S * at->f_e + at->C * at->f_n;
            force[2 + k] = at->moment + at->outer * at->f_n;
            to->f_e += f_e;
            to->f_n += f_n;
            to->moment += at->inner * f_n;
        }
    }
    force[0] = link[base].f_e;
    force[1] = link[base].f_n;
    force[2 + base] = link[base].moment;

    for (int k = 0; k < snake->n - 1; k++) {
        const double rotor = snake->joint[k].rotor * (link[k + 1].wd - link[k].wd);
        force[2 + k] -= rotor;
        force[3 + k] += rotor;
    }
}

fa_status fa_snake_newton_euler(const fa_snake *snake, const double theta[], const double u[2],
                                const fa_snake_forces *forces, double ud[2], double lambda[],
                                void *work)
{
    const int    n = snake->n, unknowns = n + 2, rows = 2 * n + 2;
    const layout at = lay_out(n, work);

    velocities(snake, theta, u, at.link);

    for (int i = 0; i < rows * rows; i++) at.kkt[i] = 0;
    for (int i = 0; i < unknowns; i++) at.y[i] = 0;

    inverse(snake, forces, at.y, 1, at.link, at.force);
    for (int i = 0; i < unknowns; i++) at.right[i] = -at.force[i];
    for (int k = 0; k < n - 1; k++) {
        at.right[2 + k] -= forces->torque[k];
        at.right[3 + k] += forces->torque[k];
    }
    for (int k = 0; k < n; k++)
        at.right[unknowns + k] = at.link[k].v * at.link[k].w - at.link[k].a_n;

    for (int j = 0; j < unknowns; j++) {
        at.y[j] = 1;
        inverse(snake, forces, at.y, 0, at.link, at.force);
        at.y[j] = 0;
        for (int i = j; i < unknowns; i++) at.kkt[(size_t)i * rows + j] = at.force[i];
        for (int k = 0; k < n; k++) at.kkt[(size_t)(unknowns + k) * rows + j] = at.link[k].a_n;
    }

    const fa_status status = fa_snake_kkt_solve(unknowns, n, at.kkt, at.right);
    if (status != FA_OK) return status;
    ud[0] = at.right[0]; // the wheel's velocity is V e, so V' is its whole acceleration along e
    ud[1] = at.right[2 + snake->base];
    if (lambda)
        for (int k = 0; k < n; k++) lambda[k] = -at.right[unknowns + k];
    return isfinite(ud[0]) && isfinite(ud[1]) ? FA_OK : FA_NOT_FINITE;
}
