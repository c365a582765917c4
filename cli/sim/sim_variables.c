// The variables of a session.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "promise.h"
#include "session.h"
#include "table.h"

static double gravity(const fa_session *s)
{
    return fa_sim_arm_gravity(&s->arm);
}

static fa_status set_gravity(fa_session *s, double value, fa_error *error)
{
    return fa_sim_arm_set_gravity(&s->arm, value, error);
}

static double DAC_period(const fa_session *s)
{
    return s->DAC_period;
}

static fa_status set_DAC_period(fa_session *s, double value, fa_error *error)
{
    if (value < 0)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "DACTimePeriod is a time in seconds, 0 or more, and not %s",
                       fa_number_text(value).text);
    s->DAC_period = value;
    return FA_OK;
}

static double timestep(const fa_session *s)
{
    return s->timestep;
}

static fa_status set_timestep(fa_session *s, double value, fa_error *error)
{
    if (!(value > 0))
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "timestep is a time in seconds above 0, and not %s",
                       fa_number_text(value).text);
    s->timestep = value;
    return FA_OK;
}

const fa_session_variable fa_session_variables[] = {
    {"gravity", "m/s2",
     "Acceleration that the base's z axis shows at rest: positive where z points up, negative "
     "where "
     "the arm hangs from the ceiling and z points down. What there is along x and y stays.",
     FA_SIM_VECTORS, gravity, set_gravity},
    {"DACTimePeriod", "s",
     "Time between changes of DACOut. In a simulation the converter reads the schedule at "
     "multiples of it and holds what it has read; with 0 it follows the schedule at once. The "
     "lines "
     "of a schedule that has no column time last as long each.",
     FA_SIM_VECTORS, DAC_period, set_DAC_period},
    {"timestep", "s", "Length of a timestep of simulate. The paper's, 0.001 s, unless it is set.",
     FA_SIM_VECTORS, timestep, set_timestep},
    {"theta", "rad",
     "Angle of each joint, starting from the base; a sliding joint's distance in m. A joint of "
     "several freedoms has a number for each: a ball those of its rotation vector, whose direction "
     "is the axis and whose length the angle. Of joints that loops determine it is where closing "
     "begins; they follow.",
     FA_SIM_THETA, NULL, NULL},
    {"omega", "rad/s",
     "Velocity of each joint, the derivative of theta. Where it is set, voltage and torque follow: "
     "what the converter asks for stays, and the motors' back EMF is another one.",
     FA_SIM_OMEGA, NULL, NULL},
    {"alpha", "rad/s2",
     "Acceleration of each joint: what inverse_arm is to reach, or what forward_arm has found. "
     "Nothing else changes it but simulate.",
     FA_SIM_ALPHA, NULL, NULL},
    {"torque", "N.m",
     "Torque that drives each joint, behind the gear; a sliding joint's force in N. Where it is "
     "set, "
     "voltage and DACOut become what the motors need for it at omega.",
     FA_SIM_TORQUE, NULL, NULL},
    {"voltage", "V",
     "Voltage at the motor of each joint; - for joints without one. Where it is set, DACOut "
     "becomes "
     "the same and torque what the motors make of it at omega.",
     FA_SIM_VOLTAGE, NULL, NULL},
    {"DACOut", "V",
     "What the digital-to-analogue converter asks of each motor's amplifier, which has gain one; - "
     "for joints without a motor. It is the input joint.<name>.voltage of the FMU. voltage is the "
     "same as long as the amplifier's limits, which a robot file can give, do not cut it down. "
     "Where it is set, voltage and torque follow. The paper leaves it undefined.",
     FA_SIM_DAC_OUT, NULL, NULL},
};
const int fa_session_variable_count = sizeof fa_session_variables / sizeof *fa_session_variables;

const fa_session_variable *fa_session_variable_find(const char *name)
{
    for (int i = 0; i < fa_session_variable_count; i++)
        if (strcmp(fa_session_variables[i].name, name) == 0) return &fa_session_variables[i];
    return NULL;
}

// -------------------------------------------------------------------------------------- setting

static fa_status read_number(const fa_word *word, double *value, fa_error *error)
{
    size_t length = strlen(word->text);
    if (length > 0 && fa_number_read(word->text, length, value) == length && isfinite(*value))
        return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, (fa_place){0, word->column},
                   "'%s' is no number; numbers have a decimal point, and blanks between them",
                   word->text);
}

static bool has_none(const fa_session *s, fa_sim_vector which, int joint)
{
    return which >= FA_SIM_VOLTAGE && !fa_sim_arm_has_motor(&s->arm, joint);
}

// Reads one joint's number. - is for a quantity that the joint does not have; one number for all
// joints skips such joints.
static fa_status read_joint(const fa_session *s, const fa_session_variable *v, int joint, bool all,
                            const fa_word *word, double *value, fa_error *error)
{
    bool none = has_none(s, v->vector, joint), dash = strcmp(word->text, "-") == 0;
    *value = NAN;
    if (none && (dash || all)) return FA_OK;
    if (none)
        return fa_fail(error, FA_BAD_INPUT, NULL, (fa_place){0, word->column},
                       "joint '%s' has no motor and so no %s; write - in its place",
                       fa_sim_arm_joint(&s->arm, joint), v->name);
    return read_number(word, value, error);
}

static fa_status assign_vector(fa_session *s, const fa_session_variable *v, const fa_word word[],
                               int n, fa_error *error)
{
    if (v->vector >= FA_SIM_VOLTAGE && !s->arm.has_motors)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "no joint of this arm has a motor, so there is no %s; set torque", v->name);
    if (n != 1 && n != s->arm.n)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "%s takes %d numbers, one for each joint, or one for all; these are %d",
                       v->name, s->arm.n, n);
    double *number = malloc(((size_t)s->arm.n + 1) * sizeof *number);
    if (!number)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE, "there is not enough memory for %s",
                       v->name);
    fa_status status = FA_OK;
    bool      all = n == 1 && s->arm.n != 1;
    for (int i = 0; i < s->arm.n && status == FA_OK; i++)
        status = read_joint(s, v, i, all, &word[all ? 0 : i], &number[i], error);
    if (status == FA_OK) fa_sim_arm_set(&s->arm, v->vector, number);
    free(number);
    return status;
}

fa_status fa_session_assign(fa_session *session, const fa_session_variable *variable,
                            const fa_word word[], int n, fa_error *error)
{
    double value = 0;
    if (variable->vector != FA_SIM_VECTORS) return assign_vector(session, variable, word, n, error);
    if (n != 1)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE, "%s takes one number; these are %d",
                       variable->name, n);
    fa_status status = read_number(word, &value, error);
    return status == FA_OK ? variable->set(session, value, error) : status;
}

// -------------------------------------------------------------------------------------- showing

fa_status fa_session_print(const fa_session *session, const fa_session_variable *variable,
                           FILE *out, fa_error *error)
{
    const fa_sim_arm *arm = &session->arm;
    const bool        one = variable->vector == FA_SIM_VECTORS;
    fa_status         status = FA_OK;
    for (int i = 0; i < arm->n && !one && status == FA_OK; i++)
        if (!has_none(session, variable->vector, i))
            status = fa_promise(variable->name, fa_sim_arm_vector(arm, variable->vector)[i], error);
    if (one) status = fa_promise(variable->name, variable->get(session), error);
    if (status != FA_OK) return status;
    fprintf(out, "%s =", variable->name);
    if (one) fprintf(out, " %s", fa_rounded_text(variable->get(session)).text);
    for (int i = 0; i < arm->n && !one; i++)
        fprintf(out, " %s",
                has_none(session, variable->vector, i)
                    ? "-"
                    : fa_rounded_text(fa_sim_arm_vector(arm, variable->vector)[i]).text);
    fputc('\n', out);
    return FA_OK;
}

fa_status fa_session_print_joints(const fa_session *session, const double number[], FILE *out,
                                  fa_error *error)
{
    const fa_sim_arm *arm = &session->arm;
    fa_table          table = fa_table_new(1 + FA_SIM_VECTORS);
    fa_table_text(&table, "joint");
    for (int i = 0; i < fa_session_variable_count; i++)
        if (fa_session_variables[i].vector != FA_SIM_VECTORS)
            fa_table_text(&table, fa_session_variables[i].name);
    for (int joint = 0; joint < arm->n; joint++) {
        fa_table_text(&table, fa_sim_arm_joint(arm, joint));
        for (int which = 0; which < FA_SIM_VECTORS; which++) {
            double value = number[which * arm->n + joint];
            if (has_none(session, (fa_sim_vector)which, joint))
                fa_table_text(&table, "-");
            else
                fa_table_number(&table, value);
        }
    }
    fa_status status = fa_table_print(&table, out, error);
    fa_table_free(&table);
    return status;
}
