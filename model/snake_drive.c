// What acts at a snake's joints and wheels, as functions of the motion with their derivatives, so
// that evaluation, steps and slopes read the same formulas (snake/snake_laws.h has the values).
#include <math.h>

#include "sincos.h"
#include "snake_laws.h"
#include "snake_plant.h"
#include "tanh.h"

static void part(fa_crawl_law *law, int row, double by)
{
    law->part[law->n].row = row;
    law->part[law->n++].by = by;
}

double fa_crawl_law_step(const fa_crawl_law *law, const double direction[])
{
    double step = 0;
    for (int i = 0; i < law->n; i++) step += law->part[i].by * direction[law->part[i].row];
    return step;
}

void fa_crawl_law_slope(const fa_crawl_law *law, double wanted, double slope[])
{
    for (int i = 0; i < law->n; i++) slope[law->part[i].row] += wanted * law->part[i].by;
}

// ----------------------------------------------------------------------------------------- joints

static bool has_angle(const fa_crawler *self)
{
    return self->row[FA_CRAWL_GAIT_ANGLE] != FA_NO_ROW;
}

static fa_snake_gait gait_at(const fa_crawler *self, const double value[])
{
    const int    *row = self->gait_row;
    fa_snake_gait gait = {value[row[0]], value[row[1]], value[row[2]], value[row[3]],
                          value[row[4]], value[row[5]], value[row[6]]};
    if (has_angle(self))
        gait.phase = value[self->row[FA_CRAWL_GAIT_ANGLE]];
    else
        gait.phase += value[self->row[FA_CRAWL_GAIT_OFFSET]];
    return gait;
}

// By which the angle is frequency t + phase: where it is a state, it is the phase alone.
static double gait_time(const fa_crawler *self, const double value[])
{
    return has_angle(self) ? 0 : value[self->time_row];
}

// Derivatives of angle and rate of a reference by amplitude, frequency, shift, bias, phase, time.
typedef struct gait_slopes {
    double phi[6], phid[6];
} gait_slopes;

static gait_slopes slopes_of(const fa_snake_gait *gait, int joint, double t)
{
    const double A = gait->amplitude, om = gait->frequency;
    const double angle = om * t + joint * gait->shift + gait->phase;
    double       s, c;
    fa_sincos(angle, &s, &c);
    return (gait_slopes){
        {s, A * c * t, A * c * joint, 1, A * c, A * c * om},
        {om * c, A * c - A * om * s * t, -A * om * s * joint, 0, -A * om * s, -A * om * s * om},
    };
}

// Of what stands in gait_slopes, in its order. A gait whose angle is a state does not know the
// time.
static int gait_row(const fa_crawler *self, int i)
{
    if (i == FA_CRAWL_GAIT_PHASE && has_angle(self)) return self->row[FA_CRAWL_GAIT_ANGLE];
    return i < 5 ? self->gait_row[i] : self->time_row;
}

static int gait_rows(const fa_crawler *self)
{
    return has_angle(self) ? 5 : 6;
}

fa_crawl_law fa_crawl_reference_law(const fa_crawler *self, const double value[], int joint)
{
    const fa_snake_gait gait = gait_at(self, value);
    const double        t = gait_time(self, value);
    const gait_slopes   by = slopes_of(&gait, joint, t);
    fa_crawl_law        law = {.value = fa_snake_gait_reference(&gait, joint, t).phi};
    for (int i = 0; i < gait_rows(self); i++) part(&law, gait_row(self, i), by.phi[i]);
    return law;
}

static void add_servo(const fa_crawler *self, const double value[], int joint, double phi,
                      double phid, fa_crawl_law *law)
{
    const fa_snake_gait      gait = gait_at(self, value);
    const double             t = gait_time(self, value);
    const fa_snake_reference reference = fa_snake_gait_reference(&gait, joint, t);
    const gait_slopes        by = slopes_of(&gait, joint, t);
    law->value += fa_snake_gait_torque(&gait, joint, t, phi, phid);
    law->by_angle -= gait.stiffness;
    law->by_rate -= gait.damping;
    for (int i = 0; i < gait_rows(self); i++)
        part(law, gait_row(self, i), gait.stiffness * by.phi[i] + gait.damping * by.phid[i]);
    part(law, self->gait_row[5], reference.phi - phi);
    part(law, self->gait_row[6], reference.phid - phid);
}

static fa_snake_motor motor_at(const fa_crawler *self, const double value[])
{
    const double *v = value + self->row[FA_CRAWL_MOTOR];
    return (fa_snake_motor){v[0], v[1], v[2]};
}

fa_crawl_law fa_crawl_current_law(const fa_crawler *self, const double value[], int joint,
                                  double phid)
{
    const fa_snake_motor motor = motor_at(self, value);
    const int            first = self->row[FA_CRAWL_MOTOR];
    const int            gear_row = fa_crawl_joint_row(self, FA_CRAWL_GEAR, joint);
    const double         gear = value[gear_row], R = motor.resistance;
    fa_crawl_law         law = {.by_rate = -gear * motor.back_emf / R};
    law.value = fa_snake_motor_current(&motor, gear, value[self->input_row[joint]], phid);
    part(&law, self->input_row[joint], 1 / R);
    part(&law, gear_row, -motor.back_emf * phid / R);
    part(&law, first, -law.value / R);
    part(&law, first + 2, -gear * phid / R);
    return law;
}

static void add_motor(const fa_crawler *self, const double value[], int joint, double phid,
                      fa_crawl_law *law)
{
    const fa_crawl_law current = fa_crawl_current_law(self, value, joint, phid);
    const double       constant = motor_at(self, value).torque_constant;
    const int          gear_row = fa_crawl_joint_row(self, FA_CRAWL_GEAR, joint);
    const double       gear = value[gear_row];
    law->value += gear * constant * current.value;
    law->by_rate += gear * constant * current.by_rate;
    for (int i = 0; i < current.n; i++)
        part(law, current.part[i].row, gear * constant * current.part[i].by);
    part(law, gear_row, constant * current.value);
    part(law, self->row[FA_CRAWL_MOTOR] + 1, gear * current.value);
}

// The stop that the joint touches, by the discrete row, pushes back like a spring with a damper.
static void add_stop(const fa_crawler *self, const double value[], int joint, double phi,
                     double phid, fa_crawl_law *law)
{
    const double side = value[self->row[FA_CRAWL_STOP] + joint];
    if (side == 0) return;
    const int    row = fa_crawl_joint_row(self, FA_CRAWL_LIMIT, joint);
    const double depth = side * phi - value[row], k = value[row + 1], d = value[row + 2];
    law->value -= side * k * depth + d * phid;
    law->by_angle -= k;
    law->by_rate -= d;
    part(law, row, side * k);
    part(law, row + 1, -side * depth);
    part(law, row + 2, -phid);
}

fa_crawl_law fa_crawl_joint_law(const fa_crawler *self, const double value[], int joint, double phi,
                                double phid)
{
    const fa_snake_joint *of = &self->joint[joint];
    const int             row = fa_crawl_joint_row(self, FA_CRAWL_VISCOUS, joint);
    fa_crawl_law          law = {.value = fa_snake_passive_torque(of, phi, phid),
                                 .by_angle = -of->stiffness,
                                 .by_rate = -of->viscous};
    part(&law, row, -phid);
    part(&law, row + 1, of->rest - phi);
    part(&law, row + 2, of->stiffness);
    if (self->input == FA_SNAKE_VOLTAGE) {
        add_motor(self, value, joint, phid, &law);
    } else if (self->input_row[joint] != FA_NO_ROW) {
        law.value += value[self->input_row[joint]];
        part(&law, self->input_row[joint], 1);
    }
    if (self->input == FA_SNAKE_GAIT) add_servo(self, value, joint, phi, phid, &law);
    if (self->stops) add_stop(self, value, joint, phi, phid, &law);
    return law;
}

int fa_crawl_stop_side(double phi)
{
    return phi < 0 ? -1 : 1;
}

fa_crawl_law fa_crawl_stop_law(const fa_crawler *self, const double value[], int joint, int side,
                               double phi, double phid)
{
    const int    row = fa_crawl_joint_row(self, FA_CRAWL_LIMIT, joint);
    const double lag = value[row + 2] / value[row + 1]; // of the stop that swings back [s]
    const double speed = side * phid;
    fa_crawl_law law = {.value = side * phi - value[row], .by_angle = side};
    part(&law, row, -1);
    if (speed >= 0) return law;
    law.value += lag * speed;
    law.by_rate = lag * side;
    part(&law, row + 1, -lag * speed / value[row + 1]);
    part(&law, row + 2, speed / value[row + 1]);
    return law;
}

// --------------------------------------------------------------------------------------- commands

// A deviation from the reference dies out as that of a critically damped spring, so that it is
// enough to connect the angle, and a start off the reference is legal.
fa_crawl_law fa_crawl_prescribed_law(const fa_crawler *self, const double value[], int i,
                                     double phi, double phid)
{
    const int     row = self->row[FA_CRAWL_REFERENCE] + 3 * i;
    const double *reference = value + row;
    const double  om = value[self->row[FA_CRAWL_BANDWIDTH]];
    const double  off = reference[0] - phi, offd = reference[1] - phid;
    fa_crawl_law  law = {.value = reference[2] + 2 * om * offd + om * om * off,
                         .by_angle = -om * om,
                         .by_rate = -2 * om};
    part(&law, row, om * om);
    part(&law, row + 1, 2 * om);
    part(&law, row + 2, 1);
    part(&law, self->row[FA_CRAWL_BANDWIDTH], 2 * offd + 2 * om * off);
    return law;
}

void fa_crawl_commanded(const fa_crawler *self, const double value[], double ud[2])
{
    const double  om = value[self->row[FA_CRAWL_BANDWIDTH]];
    const double *command = value + self->row[FA_CRAWL_COMMAND];
    const double *u = value + self->row[FA_CRAWL_SPEED]; // and rate
    for (int i = 0; i < 2; i++) ud[i] = om * (command[i] - u[i]);
}

// ----------------------------------------------------------------------------------------- wheels

fa_crawl_law fa_crawl_rolling_law(const fa_crawler *self, const double value[], int link, double V)
{
    const fa_snake_link *of = &self->link[link];
    const double         width = value[self->row[FA_CRAWL_ROLLING_WIDTH]];
    const double         t = fa_tanh(V / width), bend = of->rolling_coulomb * (1 - t * t) / width;
    fa_crawl_law         law = {.value = fa_snake_rolling_force(&self->snake, link, V),
                                .by_rate = -of->rolling_viscous - bend};
    part(&law, fa_crawl_link_row(self, FA_CRAWL_ROLLING_VISCOUS, link), -V);
    part(&law, fa_crawl_link_row(self, FA_CRAWL_ROLLING_COULOMB, link), -t);
    part(&law, self->row[FA_CRAWL_ROLLING_WIDTH], bend * V / width);
    return law;
}
