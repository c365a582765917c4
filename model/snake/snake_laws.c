#include "snake_laws.h"

#include <math.h>

#include "sincos.h"
#include "tanh.h"

double fa_snake_passive_torque(const fa_snake_joint *joint, double phi, double phid)
{
    return -joint->viscous * phid - joint->stiffness * (phi - joint->rest);
}

double fa_snake_rolling_force(const fa_snake *snake, int k, double V)
{
    const fa_snake_link *link = &snake->link[k];
    double               force = -link->rolling_viscous * V;
    if (link->rolling_coulomb > 0)
        force -= link->rolling_coulomb * fa_tanh(V / snake->rolling_width);
    return force;
}

fa_snake_reference fa_snake_gait_reference(const fa_snake_gait *gait, int joint, double time)
{
    const double       angle = gait->frequency * time + joint * gait->shift + gait->phase;
    const double       A = gait->amplitude, om = gait->frequency;
    fa_snake_reference reference;
    double             s, c;
    fa_sincos(angle, &s, &c);
    reference.phi = A * s + gait->bias;
    reference.phid = A * om * c;
    reference.phidd = -A * om * om * s;
    return reference;
}

double fa_snake_gait_torque(const fa_snake_gait *gait, int joint, double time, double phi,
                            double phid)
{
    const fa_snake_reference reference = fa_snake_gait_reference(gait, joint, time);
    return gait->stiffness * (reference.phi - phi) + gait->damping * (reference.phid - phid);
}

double fa_snake_motor_current(const fa_snake_motor *motor, double gear_ratio, double voltage,
                              double phid)
{
    return (voltage - gear_ratio * motor->back_emf * phid) / motor->resistance;
}

double fa_snake_motor_torque(const fa_snake_motor *motor, double gear_ratio, double voltage,
                             double phid)
{
    return gear_ratio * motor->torque_constant *
           fa_snake_motor_current(motor, gear_ratio, voltage, phid);
}

double fa_snake_slip_usage(double lateral, double rolling, double grip)
{
    return sqrt(lateral * lateral + rolling * rolling) / grip;
}
