// Outputs on request: their rows, their memory, and who computes which.
#include "arm_outputs.h"

#include <stdio.h>
#include <string.h>

#include "arm_table.h"

// ------------------------------------------------------------------------------------ declarations

static const char *const AXIS[] = {"x", "y", "z"};

enum { TEXT_SIZE = 512, COORDINATES_MAX = 10000 }; // of a mass matrix: a hundred million rows

static fa_variable output(fa_unit unit, fa_arm_quantity quantity, int index, unsigned group)
{
    fa_variable variable = fa_variable_of(FA_OUTPUT, unit, 0);
    variable.quantity = quantity;
    variable.index = index;
    variable.group = group;
    return variable;
}

static void declare_reaction(fa_variables *variables, fa_variable row, fa_key key, const char *what)
{
    char about[TEXT_SIZE];
    for (int i = 0; i < 6; i++) {
        row.unit = i < 3 ? FA_UNIT_NEWTON : FA_UNIT_NEWTON_METRE;
        snprintf(about, sizeof about, what, i < 3 ? "Force" : "Torque", AXIS[i % 3]);
        key.quantity = i < 3 ? "reaction.force" : "reaction.torque";
        fa_variable_add(variables, row, fa_key_along(key, FA_ALONG_X + i % 3), about);
    }
}

static void declare_reactions(fa_variables *variables, const fa_robot *robot, unsigned group)
{
    for (int i = 0; i < robot->n_links; i++) {
        const char *name = robot->link[i].joint.name;
        char        segment[FA_NAME_SIZE + 1], what[TEXT_SIZE];
        if (!name[0]) continue; // what holds the base is no joint
        fa_variable_segment(name, segment, sizeof segment);
        snprintf(what, sizeof what,
                 "%%s on the child by its parent through joint %s, at its origin, %%s of the "
                 "joint's frame",
                 segment);
        declare_reaction(variables, output(FA_UNIT_NONE, FA_ARM_REACTION, i, group),
                         fa_key_of_part(FA_OF_JOINT, i, name, NULL), what);
    }
    declare_reaction(variables, output(FA_UNIT_NONE, FA_ARM_BASE_REACTION, 0, group),
                     fa_key_of(FA_OF_BASE, NULL),
                     "%s on the robot by the ground, at the base's origin, world %s");
}

// A speed of a joint that is no other one's: what variables call it, and whether it is of a length.
typedef struct speed {
    char name[FA_NAME_SIZE + 40];
    bool slides;
} speed;

static int speeds_of(const fa_joint *joint)
{
    return fa_joint_is_free(joint) && !joint->dependent ? fa_joint_speeds(joint) : 0;
}

static speed speed_of(const fa_joint *joint, int k)
{
    char      segment[FA_NAME_SIZE + 1];
    const int sliding = joint->type == FA_PLANAR ? 2 : joint->type == FA_FLOATING ? 3 : 0;
    speed     of = {.slides = fa_joint_is_linear(joint->type)};
    fa_variable_segment(joint->name, segment, sizeof segment);
    if (!fa_joint_is_several(joint->type)) {
        snprintf(of.name, sizeof of.name, "%s", segment);
        return of;
    }
    of.slides = k < sliding;
    if (joint->type == FA_PLANAR && k == 2)
        snprintf(of.name, sizeof of.name, "%s.angular_velocity", segment);
    else
        snprintf(of.name, sizeof of.name, "%s.%s.%s", segment,
                 of.slides ? "velocity" : "angular_velocity", AXIS[of.slides ? k : k - sliding]);
    return of;
}

// A velocity of the tip per velocity of a joint.
static fa_unit jacobian_unit(bool slides, int component)
{
    bool turns = component >= 3;
    if (slides == !turns) return FA_UNIT_NONE;
    return slides ? FA_UNIT_RADIAN_PER_METRE : FA_UNIT_METRE_PER_RADIAN;
}

static void declare_jacobian(fa_variables *variables, const fa_robot *robot)
{
    char about[TEXT_SIZE], quantity[FA_NAME_SIZE + 80];
    for (int component = 0, index = 0; component < 6; component++) {
        const char *what = component < 3 ? "velocity" : "angular_velocity";
        for (int i = 0; i < robot->n_links; i++) {
            const fa_joint *joint = &robot->link[i].joint;
            for (int k = 0; k < speeds_of(joint); k++) {
                const speed of = speed_of(joint, k);
                snprintf(about, sizeof about, "Change of tip.%s.%s with joint.%s%s", what,
                         AXIS[component % 3], of.name,
                         fa_joint_is_several(joint->type) ? "" : ".velocity");
                snprintf(quantity, sizeof quantity, "jacobian.%s.%s.%s", what, AXIS[component % 3],
                         of.name);
                fa_variable_add(variables,
                                output(jacobian_unit(of.slides, component), FA_ARM_JACOBIAN,
                                       index++, FA_ARM_GROUP_JACOBIAN),
                                fa_key_of(FA_OF_TIP, quantity), about);
            }
        }
    }
}

static fa_unit mass_unit(bool a_slides, bool b_slides)
{
    int sliding = a_slides + b_slides;
    return sliding == 2   ? FA_UNIT_KILOGRAM
           : sliding == 1 ? FA_UNIT_KILOGRAM_METRE
                          : FA_UNIT_KILOGRAM_METRE2;
}

// Returns the kind of joint speed that is coordinate k.
static speed speed_at(const fa_robot *robot, int k)
{
    int link = 0;
    while (k >= speeds_of(&robot->link[link].joint)) k -= speeds_of(&robot->link[link++].joint);
    return speed_of(&robot->link[link].joint, k);
}

static void declare_mass_matrix(fa_variables *variables, const fa_robot *robot)
{
    char about[TEXT_SIZE];
    char quantity[2 * FA_NAME_SIZE + 96];
    int  n = 0;
    for (int i = 0; i < robot->n_links; i++) n += speeds_of(&robot->link[i].joint);
    for (int i = 0; i < n; i++) {
        const speed a = speed_at(robot, i);
        for (int k = 0; k < n; k++) {
            const speed b = speed_at(robot, k);
            snprintf(about, sizeof about,
                     "Effort at joint %s that a unit acceleration of joint %s takes", a.name,
                     b.name);
            snprintf(quantity, sizeof quantity, "mass_matrix.%s.%s", a.name, b.name);
            fa_variable_add(variables,
                            output(mass_unit(a.slides, b.slides), FA_ARM_MASS_MATRIX, i * n + k,
                                   FA_ARM_GROUP_MASS_MATRIX),
                            fa_key_of(FA_OF_ROBOT, quantity), about);
        }
    }
}

static void declare_poses(fa_variables *variables, const fa_robot *robot)
{
    char about[TEXT_SIZE];
    for (int i = 0; i < robot->n_links; i++) {
        if (!fa_robot_link_moves(robot, i)) continue;
        const fa_arm_spelled name = fa_arm_spell(robot->link[i].name);
        for (int row = 0; row < FA_ARM_POSE_ROWS; row++) {
            static const char *const quantity[] = {"position", "x_axis", "y_axis", "z_axis"};
            const char              *world = AXIS[row % 3];
            const fa_key             key =
                fa_key_of_part(FA_OF_LINK, i, robot->link[i].name, quantity[row / 3]);
            if (row < 3) {
                snprintf(about, sizeof about, "Origin of the frame of link %s, world %s", name.said,
                         world);
                fa_variable_add(variables,
                                output(FA_UNIT_METRE, FA_ARM_LINK_POSITION, i, FA_ARM_GROUP_POSES),
                                fa_key_along(key, FA_ALONG_X + row % 3), about);
            } else {
                const char *axis = AXIS[row / 3 - 1];
                snprintf(about, sizeof about, "The %s-axis of link %s, world %s", axis, name.said,
                         world);
                fa_variable_add(variables,
                                output(FA_UNIT_NONE, FA_ARM_LINK_AXES, i, FA_ARM_GROUP_POSES),
                                fa_key_along(key, FA_ALONG_X + row % 3), about);
            }
        }
    }
}

fa_status fa_arm_outputs_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    if (robot->outputs & FA_EXTRA_REACTIONS && robot->n_loops == 0) // else those of loops
        declare_reactions(variables, robot, FA_ARM_GROUP_REACTIONS);
    if (robot->outputs & FA_EXTRA_JACOBIAN) declare_jacobian(variables, robot);
    if (robot->outputs & FA_EXTRA_POSES) declare_poses(variables, robot);
    if (!(robot->outputs & FA_EXTRA_MASS_MATRIX)) return FA_OK;
    int freedom = fa_robot_freedom(robot);
    if (freedom > COORDINATES_MAX)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "the mass matrix of %d joints has too many elements to be outputs; leave "
                       "mass-matrix out of --outputs",
                       freedom);
    declare_mass_matrix(variables, robot);
    return FA_OK;
}

// ------------------------------------------------------------------------------------------- calls

void fa_arm_outputs_lay_out(fa_arm *to, fa_arena *arena, int wanted, const fa_chain *chain,
                            int n_links)
{
    to->outputs = NULL;
    if (!wanted) return;
    fa_arm_outputs scratch; // while measuring
    to->outputs = fa_arena_take(arena, 1, sizeof *to->outputs);
    // cppcheck-suppress uninitvar ; only its address is taken
    fa_arm_outputs *out = to->outputs ? to->outputs : &scratch;
    out->wanted = wanted;
    if (wanted & FA_EXTRA_REACTIONS) fa_arm_reactions_lay_out(out, arena, (size_t)n_links);
    if (wanted & (FA_EXTRA_JACOBIAN | FA_EXTRA_MASS_MATRIX))
        fa_arm_matrices_lay_out(out, arena, chain);
    if (wanted & FA_EXTRA_POSES) fa_arm_poses_lay_out(out, arena, (size_t)n_links);
}

void fa_arm_outputs_prepare(fa_arm *arm, const fa_robot *robot, const fa_variables *variables,
                            const int entry[])
{
    if (arm->outputs && arm->outputs->wanted & FA_EXTRA_REACTIONS)
        fa_arm_reactions_prepare(arm, robot, variables, entry);
}

void fa_arm_outputs_configure(fa_arm *arm, const double value[])
{
    if (arm->outputs && arm->outputs->wanted & FA_EXTRA_REACTIONS)
        fa_arm_reactions_configure(arm, value);
}

static bool wants(const fa_arm *arm, unsigned groups, unsigned group, int extra)
{
    return arm->outputs && groups & group && arm->outputs->wanted & extra;
}

bool fa_arm_outputs_evaluate(fa_arm *arm, const double value[], const double qdd[], unsigned groups)
{
    const double *q = value + arm->row[FA_ARM_POSITION];
    bool          finite = true;
    if (wants(arm, groups, FA_ARM_GROUP_REACTIONS, FA_EXTRA_REACTIONS))
        finite &= fa_arm_reactions(arm, value, qdd);
    if (wants(arm, groups, FA_ARM_GROUP_JACOBIAN, FA_EXTRA_JACOBIAN))
        finite &= fa_arm_jacobian(arm, q);
    if (wants(arm, groups, FA_ARM_GROUP_MASS_MATRIX, FA_EXTRA_MASS_MATRIX))
        finite &= fa_arm_mass_matrix(arm, q);
    if (wants(arm, groups, FA_ARM_GROUP_POSES, FA_EXTRA_POSES)) finite &= fa_arm_poses(arm, q);
    return finite;
}

void fa_arm_outputs_put(const fa_arm *arm, double value[], unsigned groups)
{
    const fa_arm_outputs *out = arm->outputs;
    size_t                c = (size_t)arm->chain.n_coordinates;
    if (wants(arm, groups, FA_ARM_GROUP_REACTIONS, FA_EXTRA_REACTIONS))
        fa_arm_put_reactions(arm, value);
    if (wants(arm, groups, FA_ARM_GROUP_POSES, FA_EXTRA_POSES)) fa_arm_put_poses(arm, value);
    if (c == 0) return;
    if (wants(arm, groups, FA_ARM_GROUP_JACOBIAN, FA_EXTRA_JACOBIAN))
        memcpy(value + arm->row[FA_ARM_JACOBIAN], out->jacobian, 6 * c * sizeof *value);
    if (wants(arm, groups, FA_ARM_GROUP_MASS_MATRIX, FA_EXTRA_MASS_MATRIX))
        memcpy(value + arm->row[FA_ARM_MASS_MATRIX], out->mass_matrix, c * c * sizeof *value);
}

void fa_arm_outputs_tangent(fa_arm *arm, const double value[], const fa_tangent *tangent,
                            double direction[], unsigned groups)
{
    const double *q = value + arm->row[FA_ARM_POSITION];
    if (wants(arm, groups, FA_ARM_GROUP_REACTIONS, FA_EXTRA_REACTIONS))
        fa_arm_reactions_tangent(arm, value, tangent, direction);
    if (wants(arm, groups, FA_ARM_GROUP_JACOBIAN, FA_EXTRA_JACOBIAN))
        fa_arm_jacobian_tangent(arm, q, tangent, direction);
    if (wants(arm, groups, FA_ARM_GROUP_MASS_MATRIX, FA_EXTRA_MASS_MATRIX))
        fa_arm_mass_matrix_tangent(arm, q, tangent, direction);
    if (wants(arm, groups, FA_ARM_GROUP_POSES, FA_EXTRA_POSES))
        fa_arm_poses_tangent(arm, direction);
}

void fa_arm_outputs_adjoint(fa_arm *arm, const double value[], fa_joint_adjoint joint,
                            double adjoint[], unsigned groups)
{
    const double *q = value + arm->row[FA_ARM_POSITION];
    if (wants(arm, groups, FA_ARM_GROUP_REACTIONS, FA_EXTRA_REACTIONS))
        fa_arm_reactions_adjoint(arm, value, joint, adjoint);
    if (wants(arm, groups, FA_ARM_GROUP_JACOBIAN, FA_EXTRA_JACOBIAN))
        fa_arm_jacobian_adjoint(arm, q, joint, adjoint);
    if (wants(arm, groups, FA_ARM_GROUP_MASS_MATRIX, FA_EXTRA_MASS_MATRIX))
        fa_arm_mass_matrix_adjoint(arm, q, joint, adjoint);
    if (wants(arm, groups, FA_ARM_GROUP_POSES, FA_EXTRA_POSES)) fa_arm_poses_adjoint(arm, adjoint);
}
