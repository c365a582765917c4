// forearm inspect --json. docs/cli.md describes the format. Changing an existing member increments
// FORMAT; adding one does not.
#include "arm_quantity.h"
#include "inspection.h"
#include "json.h"

#include <math.h>
#include <string.h>

#define FORMAT 1

static void put_fmu(fa_json *json, const fa_fmu *fmu)
{
    if (!fmu) {
        fa_json_text(json, "fmu", NULL);
        return;
    }
    char version[16];
    snprintf(version, sizeof version, "%d.0", fmu->options.fmi);
    fa_json_open(json, "fmu", '{');
    fa_json_text(json, "fmi_version", version);
    fa_json_text(json, "identifier", fmu->options.identifier);
    fa_json_text(json, "token", fmu->token);
    fa_json_open(json, "platforms", '[');
    for (int i = 0; i < fmu->n_platforms; i++) fa_json_text(json, NULL, fmu->platform[i]);
    fa_json_close(json, ']');
    fa_json_close(json, '}');
}

static void put_vec3(fa_json *json, const char *key, fa_vec3 v)
{
    fa_json_numbers(json, key, &v.x, 3);
}

static void put_transform(fa_json *json, const char *key, fa_transform X)
{
    fa_quaternion turn = fa_quaternion_of(X.E);
    fa_json_open(json, key, '{');
    put_vec3(json, "xyz", X.r);
    fa_json_numbers(json, "quaternion", &turn.w, 4);
    fa_json_close(json, '}');
}

static void put_robot(fa_json *json, const fa_robot *robot)
{
    double mass = 0;
    for (int i = 0; i < robot->n_links; i++) mass += robot->link[i].mass;
    fa_json_open(json, "robot", '{');
    fa_json_text(json, "name", robot->name);
    fa_json_text(json, "plant", robot->plant);
    fa_json_number(json, "degrees_of_freedom", fa_robot_independent(robot));
    fa_json_number(json, "total_mass", mass);
    put_vec3(json, "gravity", robot->gravity);
    fa_json_text(json, "tip_link", robot->link[robot->tip_link].name);
    put_transform(json, "tip", robot->tip);
    fa_json_close(json, '}');
}

static void put_link(fa_json *json, const fa_robot *robot, const fa_link *link)
{
    fa_vec3 moments = fa_sym3_eigenvalues(link->inertia);
    fa_json_open(json, NULL, '{');
    fa_json_text(json, "name", link->name);
    fa_json_text(json, "parent", link->parent == FA_WORLD ? NULL : robot->link[link->parent].name);
    fa_json_text(json, "joint", link->joint.name[0] ? link->joint.name : NULL);
    fa_json_number(json, "mass", link->mass);
    put_transform(json, "frame", link->frame);
    put_vec3(json, "com", link->com);
    fa_json_numbers(json, "inertia", &link->inertia.xx, 6);
    put_vec3(json, "principal_moments", moments);
    fa_json_close(json, '}');
}

static void put_drive(fa_json *json, const fa_joint *joint)
{
    fa_json_open(json, "limit", '{');
    fa_json_known(json, "lower", joint->limit.lower);
    fa_json_known(json, "upper", joint->limit.upper);
    fa_json_known(json, "effort", joint->limit.effort);
    fa_json_known(json, "velocity", joint->limit.velocity);
    fa_json_close(json, '}');
    fa_json_open(json, "friction", '{');
    fa_json_number(json, "viscous", joint->friction.viscous);
    fa_json_number(json, "coulomb", joint->friction.coulomb);
    fa_json_number(json, "coulomb_negative", joint->friction.coulomb_negative);
    fa_json_number(json, "width", joint->friction.width);
    fa_json_close(json, '}');
    fa_json_open(json, "rotor", '{');
    fa_json_number(json, "inertia", joint->rotor.inertia);
    fa_json_number(json, "gear", joint->rotor.gear);
    fa_json_close(json, '}');
    if (joint->spring.present) {
        fa_json_open(json, "spring", '{');
        fa_json_number(json, "stiffness", joint->spring.stiffness);
        fa_json_number(json, "damping", joint->spring.damping);
        fa_json_number(json, "rest", joint->spring.rest);
        fa_json_close(json, '}');
    } else {
        fa_json_text(json, "spring", NULL);
    }
}

// Writes the names of a joint's coordinates, or of their rates. Joints of snakes and fixed joints
// have none.
static void put_names(fa_json *json, const fa_inspection *inspection, const fa_link *link,
                      const char *key, fa_arm_quantity quantity)
{
    const fa_variables *table = inspection->variables;
    const int           index = (int)(link - inspection->robot->link);
    const bool          arm = !fa_robot_is_snake(inspection->robot);
    fa_json_open(json, key, '[');
    for (int row = 0; row < table->n && arm && link->joint.type != FA_FIXED; row++)
        if (table->row[row].quantity == (int)quantity && table->row[row].index == index)
            fa_json_text(json, NULL, table->row[row].name);
    fa_json_close(json, ']');
}

static void put_joint(fa_json *json, const fa_inspection *inspection, const fa_link *link)
{
    const fa_robot *robot = inspection->robot;
    const fa_joint *joint = &link->joint;
    fa_json_open(json, NULL, '{');
    fa_json_text(json, "name", joint->name);
    fa_json_text(json, "type", fa_joint_kinds[joint->type].name);
    fa_json_text(json, "parent", link->parent == FA_WORLD ? NULL : robot->link[link->parent].name);
    fa_json_text(json, "child", link->name);
    put_transform(json, "origin", joint->origin);
    put_vec3(json, "axis", joint->axis);
    if (joint->type == FA_SCREW) fa_json_number(json, "pitch", joint->pitch);
    if (robot->n_loops > 0 && joint->type != FA_FIXED)
        fa_json_bool(json, "independent", !joint->dependent);
    put_names(json, inspection, link, "positions", FA_ARM_POSITION);
    put_names(json, inspection, link, "speeds", FA_ARM_VELOCITY);
    put_drive(json, joint);
    if (joint->mimic.leader != FA_NOBODY) {
        fa_json_open(json, "mimic", '{');
        fa_json_text(json, "joint", robot->link[joint->mimic.leader].joint.name);
        fa_json_number(json, "multiplier", joint->mimic.ratio);
        fa_json_number(json, "offset", joint->mimic.offset);
        fa_json_close(json, '}');
    } else {
        fa_json_text(json, "mimic", NULL);
    }
    fa_json_close(json, '}');
}

// Writes the start value: a number, or the list of numbers of an array.
static void put_start(fa_json *json, const fa_inspection *inspection, int variable)
{
    const fa_view   *view = inspection->view;
    const fa_extent *extent = &view->extent[variable];
    const bool       starts = fa_variable_starts(&view->variable[variable]);
    if (extent->rows == 0 || !starts) {
        fa_json_known(json, "start", starts ? view->variable[variable].start : NAN);
        return;
    }
    fa_json_open(json, "start", '[');
    for (int k = 0; k < extent->n; k++)
        fa_json_number(json, NULL, fa_view_start(view, inspection->variables, variable, k));
    fa_json_close(json, ']');
}

static void put_variable(fa_json *json, const fa_inspection *inspection, int variable)
{
    static const char *const type[] = {[FA_REAL] = "real",
                                       [FA_INT32] = "integer",
                                       [FA_BOOLEAN] = "boolean",
                                       [FA_UINT64] = "count"};
    const fa_view           *view = inspection->view;
    const fa_variable       *v = &view->variable[variable];
    const fa_extent         *extent = &view->extent[variable];
    fa_json_open(json, NULL, '{');
    fa_json_text(json, "name", v->name);
    fa_json_number(json, "reference", variable + 1);
    fa_json_text(json, "role", fa_role_name(v->role));
    fa_json_text(json, "type", type[v->type]);
    fa_json_open(json, "dimensions", '[');
    if (extent->rows) fa_json_number(json, NULL, extent->rows);
    if (extent->columns) fa_json_number(json, NULL, extent->columns);
    fa_json_close(json, ']');
    fa_json_text(json, "unit", fa_units[v->unit].name);
    put_start(json, inspection, variable);
    fa_json_known(json, "min", v->minimum);
    fa_json_known(json, "max", v->maximum);
    fa_json_text(json, "derivative",
                 v->derivative == FA_NO_ROW ? NULL : view->variable[v->derivative].name);
    fa_json_text(json, "initial", v->initial == FA_NO_ROW ? NULL : view->variable[v->initial].name);
    fa_json_text(json, "description", v->description);
    fa_json_close(json, '}');
}

static const char *name_of(const fa_robot *robot, int link)
{
    return link == FA_WORLD ? NULL : robot->link[link].name;
}

static void put_loops(fa_json *json, const fa_robot *robot)
{
    fa_json_open(json, "loops", '[');
    for (int i = 0; i < robot->n_loops; i++) {
        const fa_loop *loop = fa_robot_loop(robot, i);
        fa_json_open(json, NULL, '{');
        fa_json_text(json, "name", loop->name);
        fa_json_text(json, "type", fa_loop_kinds[loop->type].name);
        fa_json_text(json, "predecessor", name_of(robot, loop->from));
        fa_json_text(json, "successor", name_of(robot, loop->to));
        put_transform(json, "predecessor_frame", loop->from_frame);
        put_transform(json, "successor_frame", loop->to_frame);
        put_vec3(json, "axis", loop->axis);
        fa_json_close(json, '}');
    }
    fa_json_close(json, ']');
}

void fa_inspection_put(fa_json *to, const fa_inspection *inspection)
{
    const fa_robot *robot = inspection->robot;
    fa_json_open(to, NULL, '{');
    fa_json_number(to, "format", FORMAT);
    fa_json_text(to, "generator", "forearm " FOREARM_VERSION);
    fa_json_text(to, "file", robot->source);
    put_fmu(to, inspection->fmu);
    put_robot(to, robot);
    fa_json_open(to, "links", '[');
    for (int i = 0; i < robot->n_links; i++) put_link(to, robot, &robot->link[i]);
    fa_json_close(to, ']');
    fa_json_open(to, "joints", '[');
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.name[0]) put_joint(to, inspection, &robot->link[i]);
    fa_json_close(to, ']');
    put_loops(to, robot);
    fa_json_open(to, "variables", '[');
    for (int v = 0; v < inspection->view->n; v++) put_variable(to, inspection, v);
    fa_json_close(to, ']');
    fa_json_close(to, '}');
}
