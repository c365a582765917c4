// The motor equation and the integration of N. M. Swartz, "Arm Dynamics Simulation", Robotics
// Institute, Carnegie-Mellon University, 23 November 1982.
//
//     paper                       here
//     theta, its derivative       theta, omega
//     V, h                        V, h
//     c_1...c_3, k_1...k_3        c[0]...c[2], k[0]...k[2]
//     F(theta, theta', V)         accelerate
//
// The step's formulas have no numbers in the paper; they stand under "Runge-Kutta Integration".
// Departures from the print: c_3 = theta' + 2 h k_2 - h k_1, where the print ends with c_1 (W4; the
// order falls from three to one with it); the two differential equations are exchanged (W5).
#include "forward_arm.h"

double fa_motor_voltage(fa_dc_motor motor, double tau, double rate)
{
    return motor.R * tau / motor.Kt + motor.Kt * rate; // (11)
}

double fa_motor_torque(fa_dc_motor motor, double V, double rate)
{
    return motor.Kt * (V - motor.Kt * rate) / motor.R; // (12)
}

typedef struct arm {
    const fa_method   *method;
    const fa_chain    *chain;
    const fa_dc_motor *motor;
    const double      *V;
    const fa_load     *load;
    double            *tau;
    void              *work;
} arm;

static fa_status accelerate(const arm *a, const double theta[], const double omega[], double k[])
{
    for (int i = 0; i < a->chain->n; i++)
        a->tau[i] = fa_motor_torque(a->motor[i], a->V[i], omega[i]) - a->motor[i].b * omega[i];
    return a->method->forward(a->chain, theta, omega, a->tau, a->load, k, a->work);
}

size_t fa_forward_arm_work_size(const fa_method *method, const fa_chain *chain)
{
    return 7 * (size_t)chain->n * sizeof(double) + method->work_size(chain);
}

fa_status fa_forward_arm_step(const fa_method *method, const fa_chain *chain,
                              const fa_dc_motor motor[], const double V[], const fa_load *load,
                              double h, double theta[], double omega[], void *work)
{
    const int n = chain->n;
    double   *k[3], *c[3], *at = work;
    for (int i = 0; i < 3; i++) k[i] = at + (1 + i) * n;
    c[0] = omega;
    c[1] = at + 4 * n;
    c[2] = at + 5 * n;
    const arm a = {method, chain, motor, V, load, at + 6 * n, at + 7 * n};

    fa_status status = accelerate(&a, theta, c[0], k[0]);
    if (status != FA_OK) return status;
    for (int i = 0; i < n; i++) {
        c[1][i] = omega[i] + h / 2 * k[0][i];
        at[i] = theta[i] + h / 2 * c[0][i];
    }
    status = accelerate(&a, at, c[1], k[1]);
    if (status != FA_OK) return status;
    for (int i = 0; i < n; i++) {
        c[2][i] = omega[i] + 2 * h * k[1][i] - h * k[0][i];
        at[i] = theta[i] + 2 * h * c[1][i] - h * c[0][i];
    }
    status = accelerate(&a, at, c[2], k[2]);
    if (status != FA_OK) return status;
    for (int i = 0; i < n; i++) {
        theta[i] += h / 6 * (c[0][i] + 4 * c[1][i] + c[2][i]);
        omega[i] += h / 6 * (k[0][i] + 4 * k[1][i] + k[2][i]);
    }
    return FA_OK;
}
