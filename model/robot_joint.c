#include "robot_joint.h"

#include <math.h>

#include "methods.h"
#include "number.h"

typedef struct check {
    const fa_joint *joint;
    const char     *source;
    fa_error       *error;
} check;

#define FAIL(c, ...) fa_fail((c)->error, FA_BAD_INPUT, (c)->source, (c)->joint->place, __VA_ARGS__)

static fa_status above_zero(const check *c, const char *what, double value, bool endless)
{
    if (value > 0 && (endless || !isinf(value))) return FA_OK;
    return FAIL(c, "the %s of joint '%s' is %s; it must be a %snumber above zero", what,
                c->joint->name, fa_number_text(value).text, endless ? "" : "finite ");
}

static fa_status not_negative(const check *c, const char *what, double value)
{
    if (value >= 0 && !isinf(value)) return FA_OK;
    return FAIL(c, "the %s of joint '%s' is %s; it must be a finite number and not negative", what,
                c->joint->name, fa_number_text(value).text);
}

static fa_status check_limit(const check *c)
{
    const fa_joint      *joint = c->joint;
    const fa_limit_data *limit = &joint->limit;
    if (!(limit->lower <= limit->upper))
        return FAIL(c, "joint '%s' has the lower limit %s above its upper limit %s; exchange them",
                    joint->name, fa_number_text(limit->lower).text,
                    fa_number_text(limit->upper).text);
    if (limit->lower == INFINITY || limit->upper == -INFINITY)
        return FAIL(c,
                    "joint '%s' has limits that leave it no position, %s and %s; give it finite "
                    "ones, or none",
                    joint->name, fa_number_text(limit->lower).text,
                    fa_number_text(limit->upper).text);
    if (!(limit->effort >= 0))
        return FAIL(c, "joint '%s' has the effort limit %s; a limit cannot be negative",
                    joint->name, fa_number_text(limit->effort).text);
    if (!(limit->velocity >= 0))
        return FAIL(c, "joint '%s' has the velocity limit %s; a limit cannot be negative",
                    joint->name, fa_number_text(limit->velocity).text);
    return FA_OK;
}

static fa_status check_losses(const check *c)
{
    const fa_joint *joint = c->joint;
    const struct {
        double      value;
        const char *what;
    } loss[] = {
        {joint->friction.viscous, "viscous friction (damping)"},
        {joint->friction.coulomb, "Coulomb friction"},
        {joint->friction.coulomb_negative, "Coulomb friction of the negative direction"},
        {joint->spring.damping, "damping of the spring"},
        {joint->rotor.inertia, "rotor inertia"},
    };
    for (size_t i = 0; i < sizeof loss / sizeof *loss; i++)
        if (!(loss[i].value >= 0) || isinf(loss[i].value))
            return FAIL(c,
                        "the %s of joint '%s' is %s; it must be a finite number and not negative",
                        loss[i].what, joint->name, fa_number_text(loss[i].value).text);
    if (!(joint->friction.width > 0) || isinf(joint->friction.width))
        return FAIL(c,
                    "the width of the friction of joint '%s' is %s; it is the speed over which the "
                    "Coulomb part turns round and must be positive",
                    joint->name, fa_number_text(joint->friction.width).text);
    const double other[] = {joint->spring.stiffness, joint->spring.rest,      joint->rotor.gear,
                            joint->initial_position, joint->initial_velocity, joint->mimic.ratio,
                            joint->mimic.offset};
    const double sticking[] = {joint->friction.breakaway, joint->friction.breakaway_negative,
                               joint->friction.stribeck};
    if (!fa_all_finite(other, (int)(sizeof other / sizeof *other)) ||
        !fa_all_finite(sticking, (int)(sizeof sticking / sizeof *sticking)))
        return FAIL(c, "a number of joint '%s' is not finite", joint->name);
    if (isinf(joint->rotor.inertia * joint->rotor.gear * joint->rotor.gear))
        return FAIL(c,
                    "the rotor inertia of joint '%s' times the square of its gear ratio is too "
                    "large to be calculated with",
                    joint->name);
    return FA_OK;
}

static fa_status check_motor(const check *c)
{
    const fa_motor_data *m = &c->joint->motor;
    const char          *name = c->joint->name;
    fa_status            status = above_zero(c, "resistance of the motor", m->resistance, false);
    if (status == FA_OK) status = not_negative(c, "inductance of the motor", m->inductance);
    if (status == FA_OK)
        status = above_zero(c, "voltage limit of the motor", m->voltage_limit, true);
    if (status == FA_OK)
        status = above_zero(c, "current limit of the motor", m->current_limit, true);
    if (status != FA_OK) return status;
    if (!isfinite(m->torque_constant) || m->torque_constant == 0 || !isfinite(m->back_emf))
        return FAIL(c,
                    "the motor of joint '%s' has the torque constant %s and the back-EMF constant "
                    "%s; give it finite ones, and a torque constant that is not zero",
                    name, fa_number_text(m->torque_constant).text,
                    fa_number_text(m->back_emf).text);
    const double efficiency[] = {m->efficiency, m->efficiency_back};
    for (int i = 0; i < 2; i++)
        if (!(efficiency[i] > 0 && efficiency[i] <= 1))
            return FAIL(c,
                        "the gear of joint '%s' has the efficiency %s; it is a share, above 0 and "
                        "at most 1",
                        name, fa_number_text(efficiency[i]).text);
    if (c->joint->rotor.gear == 0)
        return FAIL(c,
                    "the motor of joint '%s' has the gear ratio 0, through which it moves nothing; "
                    "write the turns of the rotor per turn of the joint",
                    name);
    return FA_OK;
}

static fa_status check_sticking(const check *c)
{
    const fa_friction_data *f = &c->joint->friction;
    fa_status               status = above_zero(c, "Stribeck speed", f->stribeck, false);
    if (status == FA_OK) status = not_negative(c, "static friction", f->breakaway);
    if (status == FA_OK)
        status =
            not_negative(c, "static friction of the negative direction", f->breakaway_negative);
    if (status != FA_OK) return status;
    if (f->breakaway < f->coulomb || f->breakaway_negative < f->coulomb_negative)
        return FAIL(c,
                    "joint '%s' has a static friction below its Coulomb friction; what sticks "
                    "holds at least as well as what slips",
                    c->joint->name);
    return FA_OK;
}

static fa_status check_stop(const check *c)
{
    const fa_joint *joint = c->joint;
    fa_status       status = above_zero(c, "stiffness of the stops", joint->stop.stiffness, false);
    if (status == FA_OK) status = not_negative(c, "damping of the stops", joint->stop.damping);
    if (status != FA_OK) return status;
    if (isinf(joint->limit.lower) && isinf(joint->limit.upper))
        return FAIL(c,
                    "joint '%s' has stops but no limit of its position where they could stand; "
                    "give it a lower or an upper one",
                    joint->name);
    return FA_OK;
}

static fa_status check_closure(const check *c)
{
    const fa_closure_data *closure = &c->joint->closure;
    fa_status status = above_zero(c, "stiffness of the closed valve", closure->stiffness, false);
    if (status == FA_OK) status = not_negative(c, "damping of the closed valve", closure->damping);
    if (status != FA_OK) return status;
    if (!(closure->time > -INFINITY))
        return FAIL(c,
                    "the valve of joint '%s' closes at the time %s; give a number of seconds, or "
                    "none where the input decides",
                    c->joint->name, fa_number_text(closure->time).text);
    if (c->joint->motor.present)
        return FAIL(c,
                    "joint '%s' has a motor and a valve that closes; an electric and a hydraulic "
                    "drive exclude each other, so remove one",
                    c->joint->name);
    return FA_OK;
}

fa_status fa_joint_check(const fa_joint *joint, const char *source, fa_error *error)
{
    const check c = {joint, source, error};
    fa_status   status = check_limit(&c);
    if (status == FA_OK) status = check_losses(&c);
    if (status != FA_OK) return status;

    const bool more = joint->motor.present || joint->friction.sticks || joint->stop.present ||
                      joint->closure.present || joint->lock.present || joint->friction.on_motor;
    if (more && !fa_joint_is_free(joint))
        return FAIL(&c,
                    "joint '%s' follows another one, and so can have neither motor, stick-slip, "
                    "stop nor lock of its own; give them to the joint that it follows",
                    joint->name);
    if (status == FA_OK && joint->motor.present) status = check_motor(&c);
    if (status == FA_OK && joint->friction.on_motor && joint->rotor.gear == 0)
        status = FAIL(&c,
                      "joint '%s' has its friction on the motor's side of the gear ratio 0; write "
                      "the turns of the rotor per turn of the joint",
                      joint->name);
    if (status == FA_OK && joint->friction.sticks) status = check_sticking(&c);
    if (status == FA_OK && joint->stop.present) status = check_stop(&c);
    if (status == FA_OK && joint->closure.present) status = check_closure(&c);
    return status;
}
