// What acts at the joints of an arm, as laws (drives/law.h): what drives the joint, friction, a
// spring, stops. Evaluation, steps and slopes read the same laws.
//
// The work of each has its own account: drives deliver, bearings and dampers lose, springs store;
// a stop stores while it is touched and loses the rest.
#include <string.h>

#include "arm.h"
#include "motor.h"

// A joint at this moment, and the rows that its position and its rate stand in.
typedef struct view {
    const fa_arm_joint *joint;
    const double       *value;
    double              position, rate, ratio;
    int                 q_row, qd_row;
    bool                inverse;
} view;

FA_INLINED view view_of(const fa_arm *arm, const double value[], int i)
{
    const fa_body *body = &arm->body[i];
    const double  *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    return (view){&arm->joint[i],
                  value,
                  fa_joint_position(body, q),
                  fa_joint_rate(body, qd),
                  body->ratio,
                  arm->row[FA_ARM_POSITION] + body->coordinate,
                  arm->row[FA_ARM_VELOCITY] + body->coordinate,
                  arm->inverse};
}

FA_INLINED void by_position(fa_law *law, const view *v, double by)
{
    fa_law_by(law, v->q_row, v->ratio * by);
}

FA_INLINED void by_rate(fa_law *law, const view *v, double by)
{
    fa_law_by(law, v->qd_row, v->ratio * by);
}

FA_INLINED void by(fa_law *law, const view *v, fa_arm_quantity quantity, double by)
{
    fa_law_by(law, v->joint->at[quantity], by);
}

FA_INLINED double value_at(const view *v, fa_arm_quantity quantity)
{
    int row = v->joint->at[quantity];
    return row == FA_NO_ROW ? 0 : v->value[row];
}

// ---------------------------------------------------------------------------------- what drives it

FA_INLINED fa_motor_use motor_of(const view *v)
{
    const fa_arm_joint *j = v->joint;
    const int          *at = j->at;
    return (fa_motor_use){
        .motor = &j->motor,
        .gear = j->gear,
        .width = j->friction.width,
        .asked = v->inverse ? 0 : value_at(v, FA_ARM_TORQUE),
        .rate = v->rate,
        .current = value_at(v, FA_ARM_CURRENT),
        .row = {v->inverse ? FA_NO_ROW : at[FA_ARM_TORQUE], v->qd_row, at[FA_ARM_CURRENT],
                at[FA_ARM_GEAR], at[FA_ARM_WIDTH], at[FA_ARM_RESISTANCE],
                at[FA_ARM_TORQUE_CONSTANT], at[FA_ARM_BACK_EMF], at[FA_ARM_INDUCTANCE],
                at[FA_ARM_EFFICIENCY], at[FA_ARM_EFFICIENCY_BACK], at[FA_ARM_VOLTAGE_LIMIT],
                at[FA_ARM_CURRENT_LIMIT]},
    };
}

fa_motor_use fa_arm_motor_use(const fa_arm *arm, const double value[], int body)
{
    const view v = view_of(arm, value, body);
    return motor_of(&v);
}

// Torque of the drive along the joint: the input's, the motor's, or that of the oil that a closed
// valve holds.
FA_INLINED void drive_law(const view *v, fa_law *law)
{
    const fa_arm_joint *j = v->joint;
    if (v->inverse || j->at[FA_ARM_TORQUE] == FA_NO_ROW) return;
    if (j->closure.present && value_at(v, FA_ARM_CLOSED) != 0) {
        double stretch = v->position - value_at(v, FA_ARM_CLOSURE_REST);
        law->value = -j->closure.stiffness * stretch - j->closure.damping * v->rate;
        by_position(law, v, -j->closure.stiffness);
        by_rate(law, v, -j->closure.damping);
        by(law, v, FA_ARM_CLOSURE_STIFFNESS, -stretch);
        by(law, v, FA_ARM_CLOSURE_DAMPING, -v->rate);
    } else if (j->motor.present) {
        fa_motor_use use = motor_of(v);
        fa_dc_motor_torque(&use, law);
    } else {
        law->value = value_at(v, FA_ARM_TORQUE);
        by(law, v, FA_ARM_TORQUE, 1);
    }
}

// ----------------------------------------------------------------------------------------- losses

// Torque against the motion, in the bearing and in the spring's damper. A joint that sticks is
// held, and its speed zero: only the viscous part is left, which is nothing but its derivative.
FA_INLINED void friction_law(const view *v, fa_law *law)
{
    const fa_arm_joint *j = v->joint;
    const fa_friction  *f = &j->friction;
    const double        side = f->on_motor ? j->gear : 1, rate = side * v->rate;
    // The joint's mode, seen at the side where the numbers are: behind a negative gear the other
    // way.
    const double slip = f->sticks && !v->inverse ? value_at(v, FA_ARM_SLIP) : 0;
    const double sense = side < 0 ? -slip : slip;
    // cppcheck-suppress uninitvar ; only its address is taken
    fa_friction_slopes d, *wanted = law->derived ? &d : NULL;
    double             torque;
    if (!f->sticks || v->inverse) {
        torque = fa_friction_torque(f, rate, wanted);
    } else if (sense != 0) {
        torque = fa_slip_torque(f, sense, rate, wanted);
    } else {
        torque = f->viscous * rate;
        d = (fa_friction_slopes){.rate = f->viscous, .viscous = rate};
    }
    law->value = side * torque;
    if (law->derived) {
        by_rate(law, v, side * side * d.rate);
        by(law, v, FA_ARM_VISCOUS, side * d.viscous);
        by(law, v, FA_ARM_COULOMB, side * d.coulomb);
        by(law, v, FA_ARM_COULOMB_NEGATIVE, side * d.coulomb_negative);
        by(law, v, FA_ARM_WIDTH, side * d.width);
        by(law, v, FA_ARM_BREAKAWAY, side * d.breakaway);
        by(law, v, FA_ARM_BREAKAWAY_NEGATIVE, side * d.breakaway_negative);
        by(law, v, FA_ARM_STRIBECK, side * d.stribeck);
        if (f->on_motor) by(law, v, FA_ARM_GEAR, torque + side * d.rate * v->rate);
    }
    if (j->spring.present) {
        law->value += j->spring.damping * v->rate;
        by_rate(law, v, j->spring.damping);
        by(law, v, FA_ARM_SPRING_DAMPING, v->rate);
    }
}

// ---------------------------------------------------------------------------------- what stores it

FA_INLINED void spring_law(const view *v, fa_law *law)
{
    const fa_spring *spring = &v->joint->spring;
    if (!spring->present) return;
    const double stretch = v->position - spring->rest;
    law->value = -spring->stiffness * stretch;
    by_position(law, v, -spring->stiffness);
    by(law, v, FA_ARM_STIFFNESS, -stretch);
    by(law, v, FA_ARM_REST, spring->stiffness);
}

// The stop that is touched: how deep, and how hard it pushes back.
typedef struct contact {
    double          side, depth, speed, push;
    fa_arm_quantity limit;
} contact;

FA_INLINED contact contact_of(const view *v)
{
    const fa_arm_joint *j = v->joint;
    const double        side = j->stop.present && !v->inverse ? value_at(v, FA_ARM_STOP) : 0;
    const double        limit = side > 0 ? j->upper : j->lower;
    contact             c = {.side = side, .limit = side > 0 ? FA_ARM_UPPER : FA_ARM_LOWER};
    if (side == 0) return c;
    c.depth = side * (v->position - limit);
    c.speed = side * v->rate;
    c.push = j->stop.stiffness * c.depth + j->stop.damping * c.speed;
    if (!(c.push > 0)) c.push = 0; // never a pull
    return c;
}

FA_INLINED void stop_law(const view *v, fa_law *law)
{
    const fa_stop *stop = &v->joint->stop;
    const contact  c = contact_of(v);
    law->value = -c.side * c.push;
    if (c.push == 0) return;
    by_position(law, v, -stop->stiffness);
    by_rate(law, v, -stop->damping);
    by(law, v, c.limit, stop->stiffness);
    by(law, v, FA_ARM_STOP_STIFFNESS, -c.side * c.depth);
    by(law, v, FA_ARM_STOP_DAMPING, -v->rate);
}

// Power that a stop takes up, less what it stores.
FA_INLINED void stop_loss_law(const view *v, fa_law *law)
{
    const fa_stop *stop = &v->joint->stop;
    const contact  c = contact_of(v);
    if (c.side == 0) return;
    if (c.push > 0) {
        law->value = stop->damping * c.speed * c.speed;
        by_rate(law, v, 2 * stop->damping * v->rate);
        by(law, v, FA_ARM_STOP_DAMPING, c.speed * c.speed);
        return;
    }
    law->value = -stop->stiffness * c.depth * c.speed;
    by_position(law, v, -stop->stiffness * v->rate);
    by_rate(law, v, -stop->stiffness * c.side * c.depth);
    by(law, v, c.limit, stop->stiffness * v->rate);
    by(law, v, FA_ARM_STOP_STIFFNESS, -c.depth * c.speed);
}

static void energy_law(const view *v, fa_law *law)
{
    const fa_arm_joint *j = v->joint;
    if (j->spring.present) {
        const double k = j->spring.stiffness, stretch = v->position - j->spring.rest;
        law->value += 0.5 * k * stretch * stretch;
        by_position(law, v, k * stretch);
        by(law, v, FA_ARM_STIFFNESS, 0.5 * stretch * stretch);
        by(law, v, FA_ARM_REST, -k * stretch);
    }
    const contact c = contact_of(v);
    if (c.side == 0) return;
    const double k = j->stop.stiffness;
    law->value += 0.5 * k * c.depth * c.depth;
    by_position(law, v, c.side * k * c.depth);
    by(law, v, FA_ARM_STOP_STIFFNESS, 0.5 * c.depth * c.depth);
    by(law, v, c.limit, -c.side * k * c.depth);
}

// ------------------------------------------------------------------------------------- all of them

typedef struct efforts {
    fa_law drive, friction, spring, stop;
    fa_law stop_loss;
} efforts;

FA_INLINED void efforts_of(const view *v, bool derived, efforts *e)
{
    fa_law *const law[] = {&e->drive, &e->friction, &e->spring, &e->stop, &e->stop_loss};
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) fa_law_begin(law[i], derived);
    drive_law(v, &e->drive);
    friction_law(v, &e->friction);
    spring_law(v, &e->spring);
    if (!v->joint->stop.present) return;
    stop_law(v, &e->stop);
    stop_loss_law(v, &e->stop_loss);
}

fa_arm_plain fa_arm_plain_of(const fa_arm *arm, int body)
{
    const fa_arm_joint *j = &arm->joint[body];
    const fa_friction  *f = &j->friction;
    const bool          more = j->motor.present || j->closure.present || j->spring.present ||
                      j->stop.present || f->sticks || f->on_motor || f->coulomb != 0 ||
                      f->coulomb_negative != 0;
    return (fa_arm_plain){f->viscous, arm->body[body].ratio,
                          more || arm->inverse ? FA_NO_ROW : j->at[FA_ARM_TORQUE],
                          arm->body[body].coordinate};
}

void fa_arm_drives(const fa_arm *arm, const double value[], double tau[], double power[])
{
    const double *qd = value + arm->row[FA_ARM_VELOCITY];
    double        driven = 0, lost = 0, lost_in_stops = 0;
    for (int i = 0; i < arm->chain.n_coordinates; i++) tau[i] = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const fa_arm_plain *p = &arm->plain[i];
        if (p->torque != FA_NO_ROW) { // what all laws together come to
            const double rate = p->ratio * qd[p->coordinate], drive = value[p->torque];
            const double friction = p->viscous * rate;
            tau[p->coordinate] += p->ratio * (drive - friction);
            driven += drive * rate;
            lost += friction * rate;
            continue;
        }
        const view v = view_of(arm, value, i);
        efforts    e;
        efforts_of(&v, false, &e);
        tau[p->coordinate] +=
            v.ratio * (e.drive.value - e.friction.value + e.spring.value + e.stop.value);
        driven += e.drive.value * v.rate;
        lost += e.friction.value * v.rate;
        lost_in_stops += e.stop_loss.value;
    }
    if (power) {
        power[FA_ARM_BY_ACTUATORS] = driven;
        power[FA_ARM_BY_OTHERS] = 0;
        power[FA_ARM_FRICTION] = lost;
        power[FA_ARM_STOPS] = lost_in_stops;
    }
    if (arm->cylinders.n > 0) fa_arm_cylinders_push(arm, tau, power);
}

void fa_arm_joint_drives_step(const fa_arm *arm, const double value[], const double direction[],
                              double tau_step[], double power_step[])
{
    const double *dqd = direction + arm->row[FA_ARM_VELOCITY];
    memset(tau_step, 0, (size_t)arm->chain.n_coordinates * sizeof *tau_step);
    memset(power_step, 0, FA_ARM_WORKS * sizeof *power_step);
    for (int i = 0; i < arm->chain.n; i++) {
        const view   v = view_of(arm, value, i);
        const double rate_step = fa_joint_rate(&arm->body[i], dqd);
        efforts      e;
        efforts_of(&v, true, &e);
        double drive = fa_law_step(&e.drive, direction);
        double friction = fa_law_step(&e.friction, direction);
        tau_step[arm->body[i].coordinate] +=
            v.ratio * (drive - friction + fa_law_step(&e.spring, direction) +
                       fa_law_step(&e.stop, direction));
        power_step[FA_ARM_BY_ACTUATORS] += drive * v.rate + e.drive.value * rate_step;
        power_step[FA_ARM_FRICTION] += friction * v.rate + e.friction.value * rate_step;
        power_step[FA_ARM_STOPS] += fa_law_step(&e.stop_loss, direction);
    }
}

void fa_arm_drives_step(const fa_arm *arm, const double value[], const double direction[],
                        double tau_step[], double power_step[])
{
    fa_arm_joint_drives_step(arm, value, direction, tau_step, power_step);
    fa_arm_cylinders_push_step(arm, value, direction, tau_step, power_step);
}

void fa_arm_drives_slope(const fa_arm *arm, const double value[], const double tau_slope[],
                         const double power_slope[], double slope[])
{
    const double drives = power_slope[FA_ARM_BY_ACTUATORS], losses = power_slope[FA_ARM_FRICTION];
    for (int i = 0; i < arm->chain.n; i++) {
        const view   v = view_of(arm, value, i);
        const double wanted = v.ratio * tau_slope[arm->body[i].coordinate];
        efforts      e;
        efforts_of(&v, true, &e);
        fa_law_slope(&e.drive, wanted + drives * v.rate, slope);
        fa_law_slope(&e.friction, losses * v.rate - wanted, slope);
        fa_law_slope(&e.spring, wanted, slope);
        fa_law_slope(&e.stop, wanted, slope);
        fa_law_slope(&e.stop_loss, power_slope[FA_ARM_STOPS], slope);
        slope[v.qd_row] += v.ratio * (drives * e.drive.value + losses * e.friction.value);
    }
    fa_arm_cylinders_push_slope(arm, value, tau_slope, power_slope, slope);
}

double fa_arm_drives_energy(const fa_arm *arm, const double value[])
{
    fa_law law;
    fa_law_begin(&law, false);
    for (int i = 0; i < arm->chain.n; i++) {
        const view v = view_of(arm, value, i);
        energy_law(&v, &law);
    }
    return law.value;
}

double fa_arm_drives_energy_step(const fa_arm *arm, const double value[], const double direction[])
{
    double change = 0;
    for (int i = 0; i < arm->chain.n; i++) {
        const view v = view_of(arm, value, i);
        fa_law     law;
        fa_law_begin(&law, true);
        energy_law(&v, &law);
        change += fa_law_step(&law, direction);
    }
    return change;
}

void fa_arm_drives_energy_slope(const fa_arm *arm, const double value[], double wanted,
                                double slope[])
{
    for (int i = 0; i < arm->chain.n; i++) {
        const view v = view_of(arm, value, i);
        fa_law     law;
        fa_law_begin(&law, true);
        energy_law(&v, &law);
        fa_law_slope(&law, wanted, slope);
    }
}
