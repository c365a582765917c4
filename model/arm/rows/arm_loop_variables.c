// Declares the variables of closed loops: dependent joints as outputs, gaps, forces, and the
// positions at the last accepted step.
#include <stdio.h>

#include "arm_outputs.h"
#include "arm_table.h"

void fa_arm_dependent_motion(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    static const char *const name[] = {"position", "velocity", "acceleration"};
    static const char *const what[] = {"Angle of joint %s, from its loops",
                                       "Velocity of joint %s, from its loops",
                                       "Acceleration of joint %s, from its loops"};
    for (int order = 0; order < (inverse ? 3 : 2); order++)
        for (int i = 0; i < robot->n_links; i++) {
            const fa_joint      *joint = &robot->link[i].joint;
            const fa_arm_spelled said = fa_arm_spell(joint->name);
            char                 text[FA_ARM_DESCRIPTION_SIZE];
            if (!fa_joint_is_free(joint) || !joint->dependent) continue;
            if (fa_joint_is_several(joint->type)) {
                fa_arm_several_motion(variables, robot, inverse, order, i);
                continue;
            }
            const bool    linear = fa_joint_is_linear(joint->type);
            const fa_unit unit[] = {linear ? FA_UNIT_METRE : FA_UNIT_RADIAN,
                                    linear ? FA_UNIT_METRE_PER_SECOND : FA_UNIT_RADIAN_PER_SECOND,
                                    linear ? FA_UNIT_METRE_PER_SECOND2
                                           : FA_UNIT_RADIAN_PER_SECOND2};
            fa_variable row = fa_arm_calculated(
                unit[order], (fa_arm_quantity)(FA_ARM_POSITION + order), i, FA_ARM_GROUP_LOOPS);
            row.start = order == 0 ? joint->initial_position : 0;
            (void)snprintf(text, sizeof text,
                           linear && order == 0 ? "Distance of joint %s, from its loops"
                                                : what[order],
                           said.said);
            fa_variable_add(variables, row,
                            fa_key_of_part(FA_OF_JOINT, i, joint->name, name[order]), text);
        }
}

static void reaction(fa_variables *variables, const fa_robot *robot, int k)
{
    static const char *const axis[] = {"x", "y", "z"};
    const fa_loop           *loop = fa_robot_loop(robot, k);
    const fa_arm_spelled     said = fa_arm_spell(loop->name);
    const unsigned           group = FA_ARM_GROUP_REACTIONS;
    char                     text[FA_ARM_DESCRIPTION_SIZE];
    for (int i = 0; i < 6; i++) {
        const fa_unit unit = i < 3 ? FA_UNIT_NEWTON : FA_UNIT_NEWTON_METRE;
        (void)snprintf(text, sizeof text,
                       "%s in loop %s on its successor, %s of the loop's axes there; 0 where the "
                       "motion does not determine it",
                       i < 3 ? "Force" : "Torque", said.said, axis[i % 3]);
        const fa_key key = fa_key_of_part(FA_OF_LOOP, k, loop->name, i < 3 ? "force" : "torque");
        fa_variable_add(variables, fa_arm_calculated(unit, FA_ARM_LOOP_FORCE, k, group),
                        fa_key_along(key, (fa_along)(FA_ALONG_X + i % 3)), text);
    }
    if (loop->type != FA_LOOP_DISTANCE) return;
    (void)snprintf(text, sizeof text, "Force by which the rod of loop %s pushes its ends apart",
                   said.said);
    fa_variable_add(variables, fa_arm_calculated(FA_UNIT_NEWTON, FA_ARM_LOOP_AXIAL, k, group),
                    fa_key_of_part(FA_OF_LOOP, k, loop->name, "axial"), text);
}

void fa_arm_loop_outputs(fa_variables *variables, const fa_robot *robot)
{
    char text[FA_ARM_DESCRIPTION_SIZE];
    for (int k = 0; k < robot->n_loops; k++) {
        const char          *name = fa_robot_loop(robot, k)->name;
        const fa_arm_spelled said = fa_arm_spell(name);
        (void)snprintf(text, sizeof text,
                       "How far loop %s is open, redundant directions included, turns as lengths",
                       said.said);
        fa_variable_add(variables,
                        fa_arm_calculated(FA_UNIT_METRE, FA_ARM_LOOP_ERROR, k, FA_ARM_GROUP_LOOPS),
                        fa_key_of_part(FA_OF_LOOP, k, name, "error"), text);
    }
    if (robot->n_loops > 0)
        fa_variable_add(
            variables, fa_arm_calculated(FA_UNIT_NONE, FA_ARM_REGULARITY, 0, FA_ARM_GROUP_LOOPS),
            fa_key_of(FA_OF_MECHANISM, "regularity"),
            "How well the joints that are states determine the others: 0 at a dead point");
    for (int k = 0; robot->outputs & FA_EXTRA_REACTIONS && k < robot->n_loops; k++)
        if (!fa_loop_is_of_positions(fa_robot_loop(robot, k)->type)) reaction(variables, robot, k);
}

void fa_arm_loop_locals(fa_variables *variables, const fa_robot *robot)
{
    if (robot->n_loops == 0) return;
    for (int i = 0; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint)) fa_arm_accepted(variables, robot, i);
    fa_variable placed = fa_arm_row(FA_LOCAL, FA_UNIT_NONE, 0, FA_ARM_PLACED, 0);
    placed.type = FA_BOOLEAN;
    placed.discrete = true;
    fa_variable_add(variables, placed, fa_key_of(FA_OF_MECHANISM, "placed"),
                    "True from the end of initialisation on: loops are closed from the positions "
                    "that were accepted last");
}
