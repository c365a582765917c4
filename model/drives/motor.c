#include "motor.h"

#include <math.h>

#include "drive.h"
#include "tanh.h"

void fa_dc_motor_emf(const fa_motor_use *use, fa_law *law)
{
    const double constant = use->motor->back_emf;
    law->value = constant * use->gear * use->rate;
    fa_law_by(law, use->row.rate, constant * use->gear);
    fa_law_by(law, use->row.gear, constant * use->rate);
    fa_law_by(law, use->row.back_emf, use->gear * use->rate);
}

// What the amplifier applies: the one clamp there is.
static void applied(const fa_motor_use *use, const fa_law *emf, fa_law *law)
{
    const fa_motor *m = use->motor;
    const double    most = m->resistance * m->current_limit;
    const double    away = use->asked - emf->value;
    const double    near = fabs(away) > most ? emf->value + copysign(most, away) : use->asked;
    if (fabs(near) > m->voltage_limit) {
        law->value = copysign(m->voltage_limit, near);
        fa_law_by(law, use->row.voltage_limit, copysign(1, near));
    } else if (fabs(away) > most) {
        fa_law_add(law, 1, emf);
        law->value = near;
        fa_law_by(law, use->row.resistance, copysign(m->current_limit, away));
        fa_law_by(law, use->row.current_limit, copysign(m->resistance, away));
    } else {
        law->value = use->asked;
        fa_law_by(law, use->row.asked, 1);
    }
}

static void current_under(const fa_motor_use *use, const fa_law *emf, const fa_law *voltage,
                          fa_law *law)
{
    const double R = use->motor->resistance;
    if (use->motor->inductance > 0) {
        law->value = use->current;
        fa_law_by(law, use->row.current, 1);
        return;
    }
    fa_law_add(law, 1 / R, voltage);
    fa_law_add(law, -1 / R, emf);
    law->value = (voltage->value - emf->value) / R;
    fa_law_by(law, use->row.resistance, -law->value / R);
}

typedef struct circuit {
    fa_law emf, voltage, current;
} circuit;

static void circuit_of(const fa_motor_use *use, bool derived, circuit *c)
{
    fa_law_begin(&c->emf, derived);
    fa_law_begin(&c->voltage, derived);
    fa_law_begin(&c->current, derived);
    fa_dc_motor_emf(use, &c->emf);
    applied(use, &c->emf, &c->voltage);
    current_under(use, &c->emf, &c->voltage, &c->current);
}

void fa_dc_motor_current(const fa_motor_use *use, fa_law *law)
{
    circuit c;
    circuit_of(use, law->derived, &c);
    fa_law_add(law, 1, &c.current);
}

void fa_dc_motor_current_rate(const fa_motor_use *use, fa_law *law)
{
    circuit      c;
    const double R = use->motor->resistance, L = use->motor->inductance;
    circuit_of(use, law->derived, &c);
    fa_law_add(law, 1 / L, &c.voltage);
    fa_law_add(law, -1 / L, &c.emf);
    law->value = (c.voltage.value - c.emf.value - R * use->current) / L;
    fa_law_by(law, use->row.current, -R / L);
    fa_law_by(law, use->row.resistance, -use->current / L);
    fa_law_by(law, use->row.inductance, -law->value / L);
}

// The share of a torque that passes the gear, 1 - k t for a positive one: `driving`, before or
// behind the gear, only says which way power goes. And its derivatives.
typedef struct passage {
    double share;
    double by_rate, by_width, by_efficiency, by_efficiency_back;
} passage;

static passage passage_of(const fa_motor_use *use, double driving, bool derived)
{
    const fa_motor *m = use->motor;
    if (!derived && m->efficiency == 1 && m->efficiency_back == 1) return (passage){.share = 1};
    const double t = fa_tanh(use->rate / use->width), sign = driving < 0 ? -1 : 1;
    const double slope = sign * (1 - t) * (1 + t) / use->width;
    const bool   forwards = sign * t > 0;
    const double k = forwards ? 1 - m->efficiency : 1 / m->efficiency_back - 1;
    return (passage){
        .share = 1 - k * sign * t,
        .by_rate = -k * slope,
        .by_width = k * slope * use->rate / use->width,
        .by_efficiency = forwards ? sign * t : 0,
        .by_efficiency_back = forwards ? 0 : sign * t / (m->efficiency_back * m->efficiency_back),
    };
}

// law += factor share, where factor is a number.
static void add_share(const fa_motor_use *use, const passage *p, double factor, fa_law *law)
{
    fa_law_by(law, use->row.rate, factor * p->by_rate);
    fa_law_by(law, use->row.width, factor * p->by_width);
    fa_law_by(law, use->row.efficiency, factor * p->by_efficiency);
    fa_law_by(law, use->row.efficiency_back, factor * p->by_efficiency_back);
}

static void torque_from(const fa_motor_use *use, const fa_law *current, fa_law *law)
{
    const double  N = use->gear, constant = use->motor->torque_constant, i = current->value;
    const double  before = N * constant * i;
    const passage p = passage_of(use, before, law->derived);
    fa_law_add(law, p.share * N * constant, current);
    law->value = p.share * before;
    fa_law_by(law, use->row.gear, p.share * constant * i);
    fa_law_by(law, use->row.torque_constant, p.share * N * i);
    add_share(use, &p, before, law);
}

void fa_dc_motor_torque(const fa_motor_use *use, fa_law *law)
{
    circuit c;
    circuit_of(use, law->derived, &c);
    torque_from(use, &c.current, law);
}

static void power_of(const circuit *c, fa_law *law)
{
    fa_law_add(law, c->voltage.value, &c->current);
    fa_law_add(law, c->current.value, &c->voltage);
    law->value = c->voltage.value * c->current.value;
}

void fa_dc_motor_power(const fa_motor_use *use, fa_law *law)
{
    circuit c;
    circuit_of(use, law->derived, &c);
    power_of(&c, law);
}

void fa_dc_motor_losses(const fa_motor_use *use, fa_law *law)
{
    const double L = use->motor->inductance;
    circuit      c;
    fa_law       torque;
    circuit_of(use, law->derived, &c);
    fa_law_begin(&torque, law->derived);
    torque_from(use, &c.current, &torque);
    power_of(&c, law);
    double value = law->value - torque.value * use->rate;
    fa_law_add(law, -use->rate, &torque);
    fa_law_by(law, use->row.rate, -torque.value);
    if (L > 0) {
        fa_law speed;
        fa_law_begin(&speed, law->derived);
        fa_dc_motor_current_rate(use, &speed);
        value -= L * c.current.value * speed.value;
        fa_law_add(law, -L * c.current.value, &speed);
        fa_law_by(law, use->row.current, -L * speed.value);
        fa_law_by(law, use->row.inductance, -c.current.value * speed.value);
    }
    law->value = value;
}

void fa_dc_motor_needed_current(const fa_motor_use *use, const fa_law *torque, fa_law *law)
{
    const double  constant = use->motor->torque_constant;
    const passage p = passage_of(use, torque->value, law->derived);
    const double  N = use->gear, factor = 1 / (p.share * N * constant);
    fa_law_add(law, factor, torque);
    law->value = factor * torque->value;
    fa_law_by(law, use->row.gear, -law->value / N);
    fa_law_by(law, use->row.torque_constant, -law->value / constant);
    add_share(use, &p, -law->value / p.share, law);
}

void fa_dc_motor_needed_voltage(const fa_motor_use *use, const fa_law *torque, fa_law *law)
{
    const double R = use->motor->resistance;
    fa_law       current, emf;
    fa_law_begin(&current, law->derived);
    fa_law_begin(&emf, law->derived);
    fa_dc_motor_needed_current(use, torque, &current);
    fa_dc_motor_emf(use, &emf);
    fa_law_add(law, R, &current);
    fa_law_add(law, 1, &emf);
    law->value = R * current.value + emf.value;
    fa_law_by(law, use->row.resistance, current.value);
}

// --------------------------------------------------------------------------------------- at a
// joint

fa_motor_use fa_motor_at(const fa_joint_now *now)
{
    const fa_arm_joint *j = now->joint;
    const int          *at = j->at;
    return (fa_motor_use){
        .motor = &j->motor,
        .gear = j->gear,
        .width = j->friction.width,
        .asked = now->inverse ? 0 : fa_joint_value(now, FA_ARM_TORQUE),
        .rate = now->rate,
        .current = fa_joint_value(now, FA_ARM_CURRENT),
        .row = {now->inverse ? FA_NO_ROW : at[FA_ARM_TORQUE], now->qd_row, at[FA_ARM_CURRENT],
                at[FA_ARM_GEAR], at[FA_ARM_WIDTH], at[FA_ARM_RESISTANCE],
                at[FA_ARM_TORQUE_CONSTANT], at[FA_ARM_BACK_EMF], at[FA_ARM_INDUCTANCE],
                at[FA_ARM_EFFICIENCY], at[FA_ARM_EFFICIENCY_BACK], at[FA_ARM_VOLTAGE_LIMIT],
                at[FA_ARM_CURRENT_LIMIT]},
    };
}

bool fa_joint_motor_acts(const fa_joint_now *now)
{
    return !now->inverse && now->joint->motor.present && !fa_closure_acts(now);
}

void fa_joint_motor_torque(const fa_joint_now *now, fa_law *law)
{
    const fa_motor_use use = fa_motor_at(now);
    fa_dc_motor_torque(&use, law);
}
