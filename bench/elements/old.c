// The hand-written laws of an earlier commit; compiled with its headers and sources.
#include "old.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cylinder.h"
#include "drive.h"
#include "motor.h"
#include "snake_laws.h"

enum { ROWS = FA_ARM_JOINT_END };

struct old {
    char            element[16];
    fa_arm_joint    joint;
    double          value[ROWS], direction[ROWS], wanted;
    bool            inverse;
    unsigned        parts;
    double          given[FA_AXIS_GIVEN], step[FA_AXIS_GIVEN];
    fa_axis         axis;
    fa_snake_link   link;
    fa_snake        snake;
    fa_snake_gait   gait;
    double          speed, time, k, position, rate;
    const fa_drive *drive[2];
    int             drives;
};

#define AT(field) offsetof(struct old, field)

// The place of each real parameter: offset of the joint's copy, and row of the table.
static const struct {
    const char *element, *real;
    size_t      offset;
    int         row; // -1: no row
} places[] = {
    {"friction", "viscous", AT(joint.friction.viscous), FA_ARM_VISCOUS},
    {"friction", "coulomb", AT(joint.friction.coulomb), FA_ARM_COULOMB},
    {"friction", "coulomb_negative", AT(joint.friction.coulomb_negative), FA_ARM_COULOMB_NEGATIVE},
    {"friction", "width", AT(joint.friction.width), FA_ARM_WIDTH},
    {"friction", "breakaway", AT(joint.friction.breakaway), FA_ARM_BREAKAWAY},
    {"friction", "breakaway_negative", AT(joint.friction.breakaway_negative),
     FA_ARM_BREAKAWAY_NEGATIVE},
    {"friction", "stribeck", AT(joint.friction.stribeck), FA_ARM_STRIBECK},
    {"friction", "gear", AT(joint.gear), FA_ARM_GEAR},
    {"friction", "slip", 0, FA_ARM_SLIP},
    {"friction", "rate", 0, FA_ARM_VELOCITY},
    {"motor", "resistance", AT(joint.motor.resistance), FA_ARM_RESISTANCE},
    {"motor", "torque_constant", AT(joint.motor.torque_constant), FA_ARM_TORQUE_CONSTANT},
    {"motor", "back_emf", AT(joint.motor.back_emf), FA_ARM_BACK_EMF},
    {"motor", "inductance", AT(joint.motor.inductance), FA_ARM_INDUCTANCE},
    {"motor", "efficiency", AT(joint.motor.efficiency), FA_ARM_EFFICIENCY},
    {"motor", "efficiency_back", AT(joint.motor.efficiency_back), FA_ARM_EFFICIENCY_BACK},
    {"motor", "voltage_limit", AT(joint.motor.voltage_limit), FA_ARM_VOLTAGE_LIMIT},
    {"motor", "current_limit", AT(joint.motor.current_limit), FA_ARM_CURRENT_LIMIT},
    {"motor", "gear", AT(joint.gear), FA_ARM_GEAR},
    {"motor", "width", AT(joint.friction.width), FA_ARM_WIDTH},
    {"motor", "asked", 0, FA_ARM_TORQUE},
    {"motor", "current", 0, FA_ARM_CURRENT},
    {"motor", "rate", 0, FA_ARM_VELOCITY},
    {"motor", "wanted", AT(wanted), -1},
    {"spring", "stiffness", AT(joint.spring.stiffness), FA_ARM_STIFFNESS},
    {"spring", "damping", AT(joint.spring.damping), FA_ARM_SPRING_DAMPING},
    {"spring", "rest", AT(joint.spring.rest), FA_ARM_REST},
    {"spring", "position", 0, FA_ARM_POSITION},
    {"spring", "rate", 0, FA_ARM_VELOCITY},
    {"stop", "stiffness", AT(joint.stop.stiffness), FA_ARM_STOP_STIFFNESS},
    {"stop", "damping", AT(joint.stop.damping), FA_ARM_STOP_DAMPING},
    {"stop", "lower", AT(joint.lower), FA_ARM_LOWER},
    {"stop", "upper", AT(joint.upper), FA_ARM_UPPER},
    {"stop", "position", 0, FA_ARM_POSITION},
    {"stop", "rate", 0, FA_ARM_VELOCITY},
    {"stop", "side", 0, FA_ARM_STOP},
    {"closure", "stiffness", AT(joint.closure.stiffness), FA_ARM_CLOSURE_STIFFNESS},
    {"closure", "damping", AT(joint.closure.damping), FA_ARM_CLOSURE_DAMPING},
    {"closure", "time", AT(joint.closure.time), FA_ARM_CLOSURE_TIME},
    {"closure", "asked", 0, FA_ARM_TORQUE},
    {"closure", "position", 0, FA_ARM_POSITION},
    {"closure", "rate", 0, FA_ARM_VELOCITY},
    {"closure", "closed", 0, FA_ARM_CLOSED},
    {"closure", "rest", 0, FA_ARM_CLOSURE_REST},
    {"wheel", "viscous", AT(link.rolling_viscous), -1},
    {"wheel", "coulomb", AT(link.rolling_coulomb), -1},
    {"wheel", "width", AT(snake.rolling_width), -1},
    {"wheel", "rate", AT(speed), -1},
    {"gait", "amplitude", AT(gait.amplitude), -1},
    {"gait", "frequency", AT(gait.frequency), -1},
    {"gait", "shift", AT(gait.shift), -1},
    {"gait", "bias", AT(gait.bias), -1},
    {"gait", "phase", AT(gait.phase), -1},
    {"gait", "stiffness", AT(gait.stiffness), -1},
    {"gait", "damping", AT(gait.damping), -1},
    {"gait", "time", AT(time), -1},
    {"gait", "joint", AT(k), -1},
    {"gait", "position", AT(position), -1},
    {"gait", "rate", AT(rate), -1},
#define AXIS(element, real, which) {element, real, AT(given[which]), -1},
    AXIS("cylinder", "closed_length", FA_CYLINDER_CLOSED_LENGTH) AXIS("cylinder", "stroke",
                                                                      FA_CYLINDER_STROKE)
        AXIS("cylinder", "bore", FA_CYLINDER_BORE) AXIS("cylinder", "rod", FA_CYLINDER_ROD) AXIS(
            "cylinder", "dead_a",
            FA_CYLINDER_DEAD_A) AXIS("cylinder", "dead_b",
                                     FA_CYLINDER_DEAD_B) AXIS("cylinder", "coulomb",
                                                              FA_CYLINDER_COULOMB)
            AXIS("cylinder", "breakaway", FA_CYLINDER_STATIC) AXIS(
                "cylinder",
                "stribeck",
                FA_CYLINDER_STRIBECK) AXIS("cylinder", "width", FA_CYLINDER_WIDTH)
                AXIS("cylinder", "viscous", FA_CYLINDER_VISCOUS) AXIS(
                    "cylinder",
                    "leakage",
                    FA_CYLINDER_LEAKAGE) AXIS("cylinder", "leakage_out", FA_CYLINDER_LEAKAGE_OUT)
                    AXIS("cylinder", "stop_stiffness", FA_CYLINDER_STOP_STIFFNESS) AXIS(
                        "cylinder",
                        "stop_damping",
                        FA_CYLINDER_STOP_DAMPING) AXIS("cylinder", "cushion", FA_CYLINDER_CUSHION)
                        AXIS("", "bulk_modulus", FA_CYLINDER_BULK_MODULUS) AXIS(
                            "",
                            "air", FA_CYLINDER_AIR) AXIS("", "exponent", FA_CYLINDER_AIR_EXPONENT)
                            AXIS("", "atmosphere", FA_CYLINDER_ATMOSPHERE) AXIS(
                                "",
                                "vapour", FA_CYLINDER_VAPOUR) AXIS("cylinder", "hose_diameter",
                                                                   FA_CYLINDER_HOSE_DIAMETER)
                                AXIS("cylinder", "hose_length", FA_CYLINDER_HOSE_LENGTH) AXIS(
                                    "cylinder",
                                    "hose_modulus",
                                    FA_CYLINDER_HOSE_MODULUS) AXIS("cylinder", "wall_modulus",
                                                                   FA_CYLINDER_WALL_MODULUS)
                                    AXIS("cylinder", "flow_a", FA_AXIS_FLOW_A_IN) AXIS(
                                        "cylinder",
                                        "flow_b",
                                        FA_AXIS_FLOW_B_IN) AXIS("", "pressure_a", FA_AXIS_PRESSURE_A)
                                        AXIS("", "pressure_b", FA_AXIS_PRESSURE_B) AXIS(
                                            "cylinder",
                                            "length", FA_AXIS_LENGTH) AXIS("cylinder", "rate",
                                                                           FA_AXIS_VELOCITY)
                                            AXIS("valve", "nominal_flow", FA_CYLINDER_NOMINAL_FLOW) AXIS(
                                                "valve",
                                                "nominal_drop",
                                                FA_CYLINDER_NOMINAL_DROP)
                                                AXIS("valve", "overlap", FA_CYLINDER_OVERLAP) AXIS(
                                                    "valve",
                                                    "transition", FA_CYLINDER_TRANSITION)
                                                    AXIS("valve", "bandwidth", FA_CYLINDER_BANDWIDTH) AXIS(
                                                        "valve",
                                                        "damping",
                                                        FA_CYLINDER_DAMPING) AXIS("valve",
                                                                                  "command",
                                                                                  FA_AXIS_COMMAND)
                                                        AXIS("valve", "spool", FA_AXIS_SPOOL) AXIS(
                                                            "valve",
                                                            "spool_rate", FA_AXIS_SPOOL_RATE)
                                                            AXIS("valve", "supply",
                                                                 FA_AXIS_SUPPLY) AXIS("valve",
                                                                                      "tank",
                                                                                      FA_AXIS_TANK)
                                                                AXIS("pump", "volume",
                                                                     FA_CYLINDER_PUMP_VOLUME)
                                                                    AXIS(
                                                                        "pump",
                                                                        "relief_pressure",
                                                                        FA_CYLINDER_RELIEF_PRESSURE)
                                                                        AXIS(
                                                                            "pump", "relief_gain",
                                                                            FA_CYLINDER_RELIEF_GAIN)
                                                                            AXIS("pump", "flow",
                                                                                 FA_AXIS_PUMP_FLOW)
                                                                                AXIS("pump",
                                                                                     "pressure",
                                                                                     FA_AXIS_SUPPLY)
                                                                                    AXIS(
                                                                                        "pump",
                                                                                        "drawn",
                                                                                        FA_AXIS_OTHERS_FLOW)
#undef AXIS
};

static void add_drive(old *o, const char *name)
{
    for (int i = 0; i < fa_joint_drive_count; i++)
        if (strcmp(fa_joint_drives[i].name, name) == 0) o->drive[o->drives++] = &fa_joint_drives[i];
}

old *old_of(const char *element)
{
    static const char *const known[] = {"friction", "motor",    "spring", "stop", "closure",
                                        "wheel",    "cylinder", "valve",  "pump", "gait"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i], element) != 0) continue;
        old *o = calloc(1, sizeof *o);
        strcpy(o->element, element);
        for (int row = 0; row < ROWS; row++) {
            o->joint.at[row] = row;
            o->direction[row] = 0.25 + row;
        }
        for (int k = 0; k < FA_AXIS_GIVEN; k++) o->step[k] = 0.25 + k;
        o->joint.motor.present = strcmp(element, "motor") == 0;
        o->joint.spring.present = strcmp(element, "spring") == 0;
        o->joint.stop.present = strcmp(element, "stop") == 0;
        o->joint.closure.present = strcmp(element, "closure") == 0;
        if (o->joint.spring.present) add_drive(o, "damper");
        add_drive(o, element);
        if (o->joint.closure.present) add_drive(o, "torque");
        o->snake.link = &o->link;
        o->parts = strcmp(element, "cylinder") == 0 ? FA_PART_CHAMBERS
                   : strcmp(element, "valve") == 0  ? FA_PART_VALVE
                   : strcmp(element, "pump") == 0   ? FA_PART_PUMP
                                                    : 0;
        return o;
    }
    return NULL;
}

void old_free(old *o)
{
    free(o);
}

void old_set(old *o, const char *real, double x)
{
    const bool hydraulic = o->parts;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strcmp(places[i].real, real) != 0 ||
            (strcmp(places[i].element, o->element) != 0 && !(!*places[i].element && hydraulic)))
            continue;
        if (places[i].offset) memcpy((char *)o + places[i].offset, &x, sizeof x);
        if (places[i].row >= 0) o->value[places[i].row] = x;
    }
    if (strcmp(o->element, "valve") == 0 && strcmp(real, "bandwidth") == 0)
        o->parts = x > 0 ? FA_PART_VALVE | FA_PART_SPOOL : FA_PART_VALVE;
}

void old_flag(old *o, const char *flag, bool set)
{
    if (strcmp(flag, "sticks") == 0) o->joint.friction.sticks = set;
    if (strcmp(flag, "on_motor") == 0) o->joint.friction.on_motor = set;
    if (strcmp(flag, "inverse") == 0) o->inverse = set;
}

static fa_joint_now now_of(old *o)
{
    return (fa_joint_now){
        &o->joint, o->value,        o->value[FA_ARM_POSITION], o->value[FA_ARM_VELOCITY],
        1,         FA_ARM_POSITION, FA_ARM_VELOCITY,           o->inverse};
}

typedef void law_fn(const fa_joint_now *now, fa_law *law);
typedef void motor_fn(const fa_motor_use *use, fa_law *law);

static double value_of(old *o, law_fn *fill, const fa_drive *drive)
{
    const fa_joint_now now = now_of(o);
    fa_law             law;
    fa_law_begin(&law, false);
    if (fill && (!drive || drive->acts(&now))) fill(&now, &law);
    return law.value;
}

static double motor_value(old *o, motor_fn *fill)
{
    const fa_joint_now now = now_of(o);
    const fa_motor_use use = fa_motor_at(&now);
    fa_law             law;
    fa_law_begin(&law, false);
    fill(&use, &law);
    return law.value;
}

static bool motor_result(old *o, const char *result, double *value)
{
    const fa_joint_now now = now_of(o);
    const fa_motor_use use = fa_motor_at(&now);
    fa_law             torque = {.value = o->wanted}, current, voltage;
    fa_law_begin(&current, false);
    fa_law_begin(&voltage, false);
    if (o->inverse) {
        fa_dc_motor_needed_current(&use, &torque, &current);
        fa_dc_motor_needed_voltage(&use, &torque, &voltage);
        if (strcmp(result, "amperes") == 0) return *value = current.value, true;
        if (strcmp(result, "voltage") == 0) return *value = voltage.value, true;
        const double power = voltage.value * current.value;
        if (strcmp(result, "power") == 0) return *value = power, true;
        if (strcmp(result, "losses") == 0) return *value = power - use.rate * torque.value, true;
        return false;
    }
    static const struct {
        const char *name;
        motor_fn   *of;
    } list[] = {{"torque", fa_dc_motor_torque},   {"current_rate", fa_dc_motor_current_rate},
                {"amperes", fa_dc_motor_current}, {"emf", fa_dc_motor_emf},
                {"power", fa_dc_motor_power},     {"losses", fa_dc_motor_losses}};
    if (strcmp(result, "current_rate") == 0 && !(o->joint.motor.inductance > 0)) return false;
    // With inductance, losses agree to 1e-10 only, not to the bit.
    if (strcmp(result, "losses") == 0 && o->joint.motor.inductance > 0) return false;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].name, result) == 0) return *value = motor_value(o, list[i].of), true;
    return false;
}

static bool axis_result(old *o, const char *result, double *value)
{
    static const struct {
        const char    *name;
        fa_axis_result of;
    } list[] = {{"force", FA_AXIS_FORCE},
                {"oil_force", FA_AXIS_OIL_FORCE},
                {"friction", FA_AXIS_FRICTION},
                {"end", FA_AXIS_STOP},
                {"pressure_a_rate", FA_AXIS_PRESSURE_A_RATE},
                {"pressure_b_rate", FA_AXIS_PRESSURE_B_RATE},
                {"flow_a", FA_AXIS_FLOW_A},
                {"flow_b", FA_AXIS_FLOW_B},
                {"supply_flow", FA_AXIS_SUPPLY_FLOW},
                {"tank_flow", FA_AXIS_TANK_FLOW},
                {"spool_acceleration", FA_AXIS_SPOOL_ACCELERATION},
                {"pressure_rate", FA_AXIS_SUPPLY_RATE},
                {"relief", FA_AXIS_RELIEF_FLOW}};
    fa_axis_evaluate(&o->axis, o->parts, o->given);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].name, result) == 0 && fa_axis_has(o->parts, list[i].of))
            return *value = o->axis.result[list[i].of], true;
    return false;
}

bool old_result(old *o, const char *result, double *value)
{
    if (o->joint.motor.present) return motor_result(o, result, value);
    if (o->parts) return axis_result(o, result, value);
    if (strcmp(o->element, "wheel") == 0 && strcmp(result, "force") == 0)
        return *value = fa_snake_rolling_force(&o->snake, 0, o->speed), true;
    if (strcmp(o->element, "gait") == 0)
        return *value =
                   strcmp(result, "torque") == 0
                       ? fa_snake_gait_torque(&o->gait, (int)o->k, o->time, o->position, o->rate)
                       : fa_snake_gait_reference(&o->gait, (int)o->k, o->time).phi,
               true;
    for (int i = 0; i < o->drives; i++) {
        const fa_drive *d = o->drive[i];
        const bool      same = strcmp(result, d->name) == 0;
        if (same || (strcmp(result, "torque") == 0 && i == o->drives - 1)) {
            double sum = value_of(o, d->torque, d);
            if (strcmp(o->element, "closure") == 0)
                sum = value_of(o, o->drive[0]->torque, o->drive[0]) +
                      value_of(o, o->drive[1]->torque, o->drive[1]);
            return *value = sum, true;
        }
        if (strcmp(result, "energy") == 0 && d->energy)
            return *value = value_of(o, d->energy, d), true;
        if (strcmp(result, "loss") == 0 && d->work != FA_ARM_NO_WORK)
            return *value = d->loss ? value_of(o, d->loss, d)
                                    : -1 * value_of(o, d->torque, d) * o->value[FA_ARM_VELOCITY],
                   true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------- times

double old_value(old *o)
{
    if (o->parts) {
        fa_axis_evaluate(&o->axis, o->parts, o->given);
        return o->axis.result[0] + o->axis.result[4];
    }
    if (!o->drives) return fa_snake_rolling_force(&o->snake, 0, o->speed);
    const fa_joint_now now = now_of(o);
    double             sum = 0;
    for (int i = 0; i < o->drives; i++) {
        fa_law law;
        if (!o->drive[i]->acts(&now)) continue;
        fa_law_begin(&law, false);
        o->drive[i]->torque(&now, &law);
        sum += law.value;
        if (o->drive[i]->loss) {
            fa_law_begin(&law, false);
            o->drive[i]->loss(&now, &law);
            sum += law.value;
        }
    }
    if (o->joint.motor.present && o->joint.motor.inductance > 0)
        sum += motor_value(o, fa_dc_motor_current_rate);
    return sum;
}

double old_tangent(old *o)
{
    if (o->parts) {
        double step[FA_AXIS_RESULTS];
        fa_axis_evaluate(&o->axis, o->parts, o->given);
        fa_axis_step(&o->axis, o->step, step);
        return step[0] + step[4];
    }
    const fa_joint_now now = now_of(o);
    double             sum = 0;
    for (int i = 0; i < o->drives; i++) {
        fa_law law;
        if (!o->drive[i]->acts(&now)) continue;
        fa_law_begin(&law, true);
        o->drive[i]->torque(&now, &law);
        sum += fa_law_step(&law, o->direction);
        if (o->drive[i]->loss) {
            fa_law_begin(&law, true);
            o->drive[i]->loss(&now, &law);
            sum += fa_law_step(&law, o->direction);
        }
    }
    if (o->joint.motor.present && o->joint.motor.inductance > 0) {
        const fa_motor_use use = fa_motor_at(&now);
        fa_law             law;
        fa_law_begin(&law, true);
        fa_dc_motor_current_rate(&use, &law);
        sum += fa_law_step(&law, o->direction);
    }
    return sum;
}

double old_adjoint(old *o)
{
    if (o->parts) {
        double wanted[FA_AXIS_RESULTS], by[FA_AXIS_GIVEN] = {0};
        for (int i = 0; i < FA_AXIS_RESULTS; i++) wanted[i] = 1;
        fa_axis_evaluate(&o->axis, o->parts, o->given);
        fa_axis_slope(&o->axis, wanted, by);
        return by[0];
    }
    const fa_joint_now now = now_of(o);
    double             slope[ROWS] = {0};
    for (int i = 0; i < o->drives; i++) {
        fa_law law;
        if (!o->drive[i]->acts(&now)) continue;
        fa_law_begin(&law, true);
        o->drive[i]->torque(&now, &law);
        fa_law_slope(&law, 1.5, slope);
        if (o->drive[i]->loss) {
            fa_law_begin(&law, true);
            o->drive[i]->loss(&now, &law);
            fa_law_slope(&law, 0.5, slope);
        }
    }
    if (o->joint.motor.present && o->joint.motor.inductance > 0) {
        const fa_motor_use use = fa_motor_at(&now);
        fa_law             law;
        fa_law_begin(&law, true);
        fa_dc_motor_current_rate(&use, &law);
        fa_law_slope(&law, 1.5, slope);
    }
    return slope[FA_ARM_VELOCITY];
}
