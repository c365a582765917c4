// forearm inspect: links, joints and variables.
#include "inspect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inspection.h"
#include "load.h"
#include "plant.h"
#include "table.h"

const char *fa_role_name(fa_role role)
{
    static const char *const name[] = {
#define X(code, text) text,
        FA_ROLE_LIST(X)
#undef X
    };
    return name[role];
}

static void put_heads(fa_table *table, const char *const head[])
{
    for (int i = 0; i < table->columns; i++) fa_table_text(table, head[i]);
}

static fa_status finish(fa_table *table, fa_error *error)
{
    fa_status status = fa_table_print(table, stdout, error);
    fa_table_free(table);
    putchar('\n');
    return status;
}

// -------------------------------------------------------------------------------------- sections

static void print_robot(const fa_robot *robot)
{
    int freedom = fa_robot_independent(robot);
    if (fa_robot_is_snake(robot)) {
        printf("snake '%s': %d links on wheels, %d degrees of freedom\n", robot->name,
               robot->n_links, freedom);
        return;
    }
    if (fa_robot_is_axis(robot)) {
        printf("hydraulic axis '%s'\n", robot->name);
        return;
    }
    printf("robot '%s': %d link%s, %d degree%s of freedom, tip at link '%s'\n", robot->name,
           robot->n_links, robot->n_links == 1 ? "" : "s", freedom, freedom == 1 ? "" : "s",
           robot->link[robot->tip_link].name);
    printf("gravity: %s %s %s m/s2\n", fa_rounded_text(robot->gravity.x).text,
           fa_rounded_text(robot->gravity.y).text, fa_rounded_text(robot->gravity.z).text);
}

static void print_fmu(const fa_fmu *fmu)
{
    printf("FMU: FMI %d.0, identifier %s, token %s, for", fmu->options.fmi, fmu->options.identifier,
           fmu->token);
    for (int i = 0; i < fmu->n_platforms; i++) printf("%s %s", i > 0 ? "," : "", fmu->platform[i]);
    putchar('\n');
}

static fa_status print_segments(const fa_robot *robot, fa_error *error)
{
    static const char *const head[] = {"link",          "length [m]", "wheel",        "mass [kg]",
                                       "com along [m]", "across",     "inertia",      "rolling",
                                       "dry [N]",       "grip",       "joint behind", "viscous",
                                       "spring",        "rest",       "limit [rad]"};
    fa_table                 table = fa_table_new(sizeof head / sizeof *head);
    put_heads(&table, head);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link    *link = &robot->link[i];
        const fa_segment *segment = &link->segment;
        const fa_joint   *joint = &link->joint;
        const double      of_link[] = {segment->length,
                                       segment->wheel,
                                       link->mass,
                                       link->com.x,
                                       link->com.y,
                                       link->inertia.zz,
                                       segment->ground.wheel.viscous,
                                       segment->ground.wheel.coulomb,
                                       segment->ground.grip.coefficient};
        const double      of_joint[] = {joint->friction.viscous, joint->spring.stiffness,
                                        joint->spring.rest,
                                   joint->stop.present ? joint->limit.upper : INFINITY};
        fa_table_text(&table, link->name);
        for (int k = 0; k < 9; k++) fa_table_number(&table, of_link[k]);
        fa_table_text(&table, i > 0 ? joint->name : "-");
        for (int k = 0; k < 4; k++)
            if (i > 0)
                fa_table_bound(&table, of_joint[k]);
            else
                fa_table_text(&table, "-");
    }
    return finish(&table, error);
}

static fa_status print_links(const fa_robot *robot, fa_error *error)
{
    static const char *const head[] = {"link", "parent", "mass [kg]",   "com x [m]",
                                       "y",    "z",      "ixx [kg m2]", "iyy",
                                       "izz",  "ixy",    "ixz",         "iyz"};
    fa_table                 table = fa_table_new(sizeof head / sizeof *head);
    put_heads(&table, head);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        fa_table_text(&table, link->name);
        fa_table_text(&table, link->parent == FA_WORLD ? "-" : robot->link[link->parent].name);
        fa_table_number(&table, link->mass);
        // cppcheck-suppress objectIndex ; its members lie one after the other
        for (int k = 0; k < 3; k++) fa_table_number(&table, (&link->com.x)[k]);
        // cppcheck-suppress objectIndex ; its members lie one after the other
        for (int k = 0; k < 6; k++) fa_table_number(&table, (&link->inertia.xx)[k]);
    }
    return finish(&table, error);
}

// "elbow", "2 elbow + 0.1", "(loops)"
static void put_leader(fa_table *table, const fa_robot *robot, const fa_joint *joint)
{
    const fa_mimic *mimic = &joint->mimic;
    char            text[FA_NAME_SIZE + 64] = "-";
    if (joint->dependent) strcpy(text, "(loops)");
    if (mimic->leader != FA_NOBODY)
        snprintf(text, sizeof text, "%s %s %s %s", fa_rounded_text(mimic->ratio).text,
                 robot->link[mimic->leader].joint.name, mimic->offset < 0 ? "-" : "+",
                 fa_rounded_text(fabs(mimic->offset)).text);
    fa_table_text(table, text);
}

static fa_status print_joints(const fa_robot *robot, fa_error *error)
{
    static const char *const head[] = {"joint", "type",  "child",  "axis x",   "y",      "z",
                                       "lower", "upper", "effort", "velocity", "follows"};
    fa_table                 table = fa_table_new(sizeof head / sizeof *head);
    put_heads(&table, head);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!joint->name[0]) continue; // a floating or fixed base has no joint name
        fa_table_text(&table, joint->name);
        fa_table_text(&table, fa_joint_kinds[joint->type].name);
        fa_table_text(&table, robot->link[i].name);
        // cppcheck-suppress objectIndex ; its members lie one after the other
        for (int k = 0; k < 3; k++) fa_table_number(&table, (&joint->axis.x)[k]);
        fa_table_bound(&table, joint->limit.lower);
        fa_table_bound(&table, joint->limit.upper);
        fa_table_bound(&table, joint->limit.effort);
        fa_table_bound(&table, joint->limit.velocity);
        put_leader(&table, robot, joint);
    }
    return finish(&table, error);
}

static const char *link_name(const fa_robot *robot, int link)
{
    return link == FA_WORLD ? "-" : robot->link[link].name;
}

static fa_status print_loops(const fa_robot *robot, fa_error *error)
{
    static const char *const head[] = {"loop", "type", "predecessor", "successor"};
    fa_table                 table = fa_table_new(sizeof head / sizeof *head);
    put_heads(&table, head);
    for (int i = 0; i < robot->n_loops; i++) {
        const fa_loop *loop = fa_robot_loop(robot, i);
        fa_table_text(&table, loop->name);
        fa_table_text(&table, fa_loop_kinds[loop->type].name);
        fa_table_text(&table, link_name(robot, loop->from));
        fa_table_text(&table, link_name(robot, loop->to));
    }
    return finish(&table, error);
}

// "link.mass", "link.com[4,3]", "link.mass[links]"
static void put_name(fa_table *table, const fa_view *view, int variable)
{
    const fa_extent *extent = &view->extent[variable];
    const char      *name = view->variable[variable].name;
    char             text[512];
    if (extent->sized)
        snprintf(text, sizeof text, "%s[%s]", name, view->variable[0].name);
    else if (extent->columns)
        snprintf(text, sizeof text, "%s[%d,%d]", name, extent->rows, extent->columns);
    else if (extent->rows)
        snprintf(text, sizeof text, "%s[%d]", name, extent->rows);
    else
        snprintf(text, sizeof text, "%s", name);
    fa_table_text(table, text);
}

static fa_status print_variables(const fa_inspection *inspection, fa_error *error)
{
    static const char *const head[] = {"variable", "role", "unit", "start", "description"};
    const fa_view           *view = inspection->view;
    fa_table                 table = fa_table_new(sizeof head / sizeof *head);
    put_heads(&table, head);
    for (int i = 0; i < view->n; i++) {
        const fa_variable *v = &view->variable[i];
        const fa_extent   *extent = &view->extent[i];
        const char        *unit = fa_units[v->unit].name;
        bool               one = true; // all elements have the same start
        for (int k = 0; k < extent->n; k++)
            one &= fa_view_start(view, inspection->variables, i, k) == v->start;
        put_name(&table, view, i);
        fa_table_text(&table, fa_role_name(v->role));
        fa_table_text(&table, unit[0] ? unit : "-");
        if (fa_variable_starts(v) && one)
            fa_table_number(&table, v->start);
        else
            fa_table_text(&table, fa_variable_starts(v) ? "several" : "-");
        fa_table_text(&table, v->description);
    }
    fa_status status = fa_table_print(&table, stdout, error);
    fa_table_free(&table);
    return status;
}

static fa_status print_text(const fa_inspection *inspection, fa_error *error)
{
    print_robot(inspection->robot);
    if (inspection->fmu) print_fmu(inspection->fmu);
    putchar('\n');
    fa_status status = FA_OK;
    if (fa_robot_is_snake(inspection->robot)) {
        status = print_segments(inspection->robot, error);
    } else if (!fa_robot_is_axis(inspection->robot)) {
        status = print_links(inspection->robot, error);
        if (status == FA_OK) status = print_joints(inspection->robot, error);
        if (status == FA_OK && inspection->robot->n_loops > 0)
            status = print_loops(inspection->robot, error);
    }
    if (status == FA_OK) status = print_variables(inspection, error);
    return status;
}

static fa_status print_json(const fa_inspection *inspection, fa_error *error)
{
    fa_json   json;
    fa_status status = fa_json_begin(&json, error);
    if (status != FA_OK) return status;
    fa_inspection_put(&json, inspection);
    return fa_json_write(&json, NULL);
}

// --------------------------------------------------------------------------------------- command

static fa_status inspect(const fa_arguments *arguments, const fa_robot *robot, const fa_fmu *fmu,
                         fa_error *error)
{
    fa_variables    variables;
    void           *block;
    const fa_plant *plant = fa_plant_find(robot->plant);
    if (!plant)
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "it describes a plant '%s', which this version does not know", robot->plant);
    fa_status status = fa_plant_variables(plant, robot, true, &variables, &block, error);
    if (status != FA_OK) return status;
    fa_view view;
    void   *of_view;
    status =
        fa_view_make(plant, robot, &variables, fmu && fmu->options.arrays, &view, &of_view, error);
    if (status != FA_OK) {
        free(block);
        return status;
    }
    fa_inspection inspection = {robot, &variables, &view, fmu};
    status = arguments->json ? print_json(&inspection, error) : print_text(&inspection, error);
    free(of_view);
    free(block);
    return status;
}

fa_exit fa_run_inspect(const fa_arguments *arguments)
{
    fa_error  error = fa_no_error();
    fa_fmu    fmu = {0};
    fa_robot *robot = NULL;
    bool      is_fmu = fa_fmu_looks_like(arguments->operand);
    fa_status status = is_fmu ? fa_load_fmu(arguments, &fmu, &error)
                              : fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK)
        status = inspect(arguments, is_fmu ? fmu.robot : robot, is_fmu ? &fmu : NULL, &error);
    free(robot);
    fa_fmu_free(&fmu);
    return fa_report(status, &error);
}
