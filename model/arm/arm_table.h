// Common functions of the files that declare an arm's variables: arm_variables.c for the whole and
// its links, arm_joint_variables.c for joints.
#ifndef FA_ARM_TABLE_H
#define FA_ARM_TABLE_H

#include "arm.h"

#define FA_ARM_DESCRIPTION_SIZE 512 // a sentence with two names in it

fa_variable fa_arm_row(fa_role role, fa_unit unit, double start, fa_arm_quantity quantity,
                       int index);
fa_variable fa_arm_calculated(fa_unit unit, fa_arm_quantity quantity, int index, unsigned group);

// A name as variables spell it, and as people wrote it.
typedef struct fa_arm_spelled {
    char segment[FA_NAME_SIZE + 1];
    char said[2 * FA_NAME_SIZE + 16]; // "elbow", or "l_1 (written l 1)"
} fa_arm_spelled;
fa_arm_spelled fa_arm_spell(const char *name);
// Writes a description with the name, both ways, for the %s of the format; nothing where the table
// keeps none.
void fa_arm_describe(const fa_variables *variables, char text[], size_t size, const char *format,
                     const char *name);

// Each adds the rows of one role, for all joints.
void fa_arm_joint_parameters(fa_variables *variables, const fa_robot *robot, bool inverse);
void fa_arm_joint_tunables(fa_variables *variables, const fa_robot *robot, bool inverse);
void fa_arm_drive_inputs(fa_variables *variables, const fa_robot *robot);
void fa_arm_switch_inputs(fa_variables *variables, const fa_robot *robot);
void fa_arm_drive_outputs(fa_variables *variables, const fa_robot *robot); // of an inverse
void fa_arm_motor_outputs(fa_variables *variables, const fa_robot *robot, bool inverse);
void fa_arm_joint_locals(fa_variables *variables, const fa_robot *robot);
void fa_arm_joint_indicators(fa_variables *variables, const fa_robot *robot);

// Positions (order 0), velocities (1) or accelerations (2): of an arm states, with the currents of
// motors behind the velocities, and an output; of its inverse inputs.
void fa_arm_joint_motion(fa_variables *variables, const fa_robot *robot, bool inverse, int order);

// The same for a joint of several freedoms (arm_several_variables.c).
void fa_arm_several_initial(fa_variables *variables, const fa_robot *robot, int link, bool speeds);
void fa_arm_several_friction(fa_variables *variables, const fa_robot *robot, int link);
void fa_arm_several_efforts(fa_variables *variables, const fa_robot *robot, int link, bool inverse);
void fa_arm_several_motion(fa_variables *variables, const fa_robot *robot, bool inverse, int order,
                           int link);
void fa_arm_accepted(fa_variables *variables, const fa_robot *robot, int link);
void fa_arm_quaternion_rates(fa_variables *variables, const fa_robot *robot); // of all joints

// Adds the rows of closed loops (arm_loop_variables.c).
void fa_arm_dependent_motion(fa_variables *variables, const fa_robot *robot, bool inverse);
void fa_arm_loop_outputs(fa_variables *variables, const fa_robot *robot);
void fa_arm_loop_locals(fa_variables *variables, const fa_robot *robot);

// The first row of that meaning; FA_NO_ROW while the table is only being measured.
int fa_arm_row_with(const fa_variables *variables, fa_arm_quantity quantity, int index);

// Returns true if velocities may be discontinuous: some joint can be locked, or stick.
bool fa_arm_jumps(const fa_robot *robot);
bool fa_arm_has_stops(const fa_robot *robot);

#endif
