// forearm check: validates a robot file and prints a summary of it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "check_loops.h"
#include "check_snake.h"
#include "condition.h"
#include "formats.h"
#include "inspect.h"
#include "inspection.h"
#include "load.h"
#include "number.h"
#include "plant.h"
#include "progress.h"
#include "promise.h"
#include "robot_link.h"
#include "short_names.h"
#include "table.h"

static fa_status print_links(const fa_robot *robot, fa_error *error)
{
    static const char *const head[] = {"link", "joint", "type",       "mass [kg]", "com x [m]",
                                       "y",    "z",     "I1 [kg m2]", "I2",        "I3"};
    enum { COLUMNS = sizeof head / sizeof *head };
    fa_table table = fa_table_new(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) fa_table_text(&table, head[i]);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        fa_vec3        moments = fa_sym3_eigenvalues(link->inertia);
        bool           root = link->parent == FA_WORLD && !link->joint.name[0];
        fa_table_text(&table, link->name);
        fa_table_text(&table, root ? "-" : link->joint.name);
        fa_table_text(&table, root ? "-" : fa_joint_kinds[link->joint.type].name);
        fa_table_number(&table, link->mass);
        fa_table_number(&table, link->com.x);
        fa_table_number(&table, link->com.y);
        fa_table_number(&table, link->com.z);
        fa_table_number(&table, moments.x);
        fa_table_number(&table, moments.y);
        fa_table_number(&table, moments.z);
    }
    fa_status status = fa_table_print(&table, stdout, error);
    fa_table_free(&table);
    return status;
}

// Prints the warnings about inertias that the file itself publishes as doubtful.
static void print_published(const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        if (!link->as_published || fa_link_is_of_a_body(link)) continue;
        printf("the inertia of link '%s' is as published, though no body has it (I1 + I2 < I3)\n",
               link->name);
    }
}

static fa_status print_mass(const fa_robot *robot, fa_error *error)
{
    double total = 0, ground = 0;
    // A checked robot has links; gcc warns without this comparison.
    bool *moves = robot->n_links > 0 ? calloc((size_t)robot->n_links, sizeof *moves) : NULL;
    if (!moves)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the links");
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        bool           carried = link->parent != FA_WORLD && moves[link->parent];
        moves[i] = carried || link->joint.type != FA_FIXED;
        total += link->mass;
        if (!moves[i]) ground += link->mass;
    }
    free(moves);
    const fa_status status = fa_promise("the robot's total mass", total, error);
    if (status != FA_OK) return status;
    printf("total mass: %s kg", fa_rounded_text(total).text);
    if (ground > 0) printf(", of which %s kg stand on the ground", fa_rounded_text(ground).text);
    putchar('\n');
    return FA_OK;
}

// Formats the condition number; "none" where it is not finite.
static fa_text condition_text(double number)
{
    fa_text none = {"none"};
    return isfinite(number) ? fa_rounded_text(number) : none;
}

static fa_status print_condition(const fa_robot *robot, fa_error *error)
{
    int freedom = fa_robot_freedom(robot);
    if (robot->n_loops > 0) return FA_OK; // random poses do not satisfy the loops' constraints
    if (freedom == 0) {
        puts("condition number of the mass matrix: none, since nothing moves");
        return FA_OK;
    }
    if (freedom > FA_CONDITION_COORDINATES) {
        printf("condition number of the mass matrix: left out, since the robot has more than %d "
               "degrees of freedom\n",
               FA_CONDITION_COORDINATES);
        return FA_OK;
    }
    fa_condition condition;
    fa_progress_begin("sampling the mass matrix");
    fa_progress_unit("poses");
    fa_status status = fa_condition_sample(robot, &condition, error);
    fa_progress_end();
    if (status != FA_OK) return status;
    printf("condition number of the mass matrix: %s to %s, median %s, in SI units,\n"
           "    over %d poses drawn at random (seed %d) within the joint limits\n",
           condition_text(condition.lowest).text, condition_text(condition.highest).text,
           condition_text(condition.median).text, FA_CONDITION_POSES, FA_CONDITION_SEED);
    if (condition.singular > 0)
        printf("    in %d of them it is singular to rounding: forces there have no unique effect\n",
               condition.singular);
    return FA_OK;
}

// Prints the names of variables that MATLAB truncates.
static fa_status print_long_names(const fa_robot *robot, fa_error *error)
{
    fa_variables    table;
    void           *block;
    const fa_plant *plant = fa_plant_find(robot->plant);
    const fa_status status = fa_plant_variables(plant, robot, false, &table, &block, error);
    if (status != FA_OK) return status;
    int       longest = 0;
    const int n = fa_long_names(&table, &longest);
    if (n > 0)
        printf("names of more than %d characters, which MATLAB cuts: %d of %d variables, the "
               "longest\n    %s (%zu); export takes --short-names\n",
               FA_MATLAB_NAME, n, table.n, table.row[longest].name,
               strlen(table.row[longest].name));
    free(block);
    return FA_OK;
}

// Prints reductions of transmissions. The robot does not store them; users need them for rotors.
static fa_status print_reductions(const fa_arguments *arguments, fa_error *error)
{
    fa_form                 form;
    const fa_import_options options = {.lenient = true,
                                       .xacro = fa_load_xacro(arguments),
                                       .model = arguments->model,
                                       .base = arguments->base};
    if (fa_fmu_looks_like(arguments->operand)) return FA_OK;
    const fa_status status = fa_import_form(arguments->operand, &options, &form, error);
    for (int i = 0; i < form.n_joints && status == FA_OK; i++) {
        const fa_form_joint *joint = &form.joint[i];
        if (joint->reduction == 1 || joint->rotor.inertia != 0) continue;
        const fa_text gear = fa_number_text(joint->reduction);
        printf("joint '%s' has a transmission of %s; where its rotor's inertia is known, a side "
               "file says\n    <joint name=\"%s\"><rotor inertia=\"…\" gear=\"%s\"/></joint>\n",
               joint->name, gear.text, joint->name, gear.text);
    }
    fa_form_free(&form);
    return status;
}

static fa_status print_report(const fa_arguments *arguments, const fa_robot *robot, int warnings,
                              fa_error *error)
{
    if (fa_robot_is_snake(robot)) return fa_print_snake(robot, warnings, error);
    if (fa_robot_is_axis(robot)) {
        printf("hydraulic axis '%s'\nwarnings: %d\n", robot->name, warnings);
        return FA_OK;
    }
    printf("robot '%s': %d link%s, %d degree%s of freedom, tip at link '%s'\n\n", robot->name,
           robot->n_links, robot->n_links == 1 ? "" : "s", fa_robot_independent(robot),
           fa_robot_independent(robot) == 1 ? "" : "s", robot->link[robot->tip_link].name);
    fa_status status = print_links(robot, error);
    if (status != FA_OK) return status;
    putchar('\n');
    print_published(robot);
    status = print_mass(robot, error);
    if (status == FA_OK) status = fa_print_loops(robot, error);
    if (status == FA_OK) status = print_condition(robot, error);
    if (status == FA_OK) status = print_long_names(robot, error);
    if (status == FA_OK) status = print_reductions(arguments, error);
    if (status == FA_OK) printf("warnings: %d\n", warnings);
    return status;
}

fa_exit fa_run_check(const fa_arguments *arguments)
{
    fa_error  error = fa_no_error();
    fa_robot *robot;
    int       warnings = 0;
    // Reading begins with the schema, where the file's format has one.
    fa_status status = fa_load_robot(arguments, &warnings, &robot, &error);
    if (status == FA_OK)
        status = arguments->json ? fa_print_check_json(robot, warnings, &error)
                                 : print_report(arguments, robot, warnings, &error);
    free(robot);
    return fa_report(status, &error);
}
