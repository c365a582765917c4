// Common parts of the variable tables of snakes on ideal wheels and of sliding snakes.
#ifndef FA_SNAKE_ROWS_H
#define FA_SNAKE_ROWS_H

#include <stdio.h>

#include "snake_plant.h"

fa_variable fa_snake_row_of(fa_role role, fa_unit unit, double start, fa_snake_quantity quantity,
                            int index);
fa_variable fa_snake_positive(fa_unit unit, double start, fa_snake_quantity quantity, int index);
fa_variable fa_snake_output(fa_unit unit, fa_snake_quantity quantity, int index, unsigned group);
fa_variable fa_snake_state(fa_unit unit, double start, fa_snake_quantity quantity, int index,
                           int derivative, int initial);
fa_variable fa_snake_flag(fa_snake_quantity quantity, int index);

// Returns the row of one of the gait's numbers; FA_NO_ROW while rows are only counted.
int fa_snake_gait_row(const fa_variables *variables, int number);

// Returns true if the angle of the gait is a state.
static inline bool fa_snake_states_angle(const fa_robot *robot)
{
    return robot->snake.gait_inputs || robot->snake.gait_told;
}

bool fa_snake_is_prescribed(const fa_robot *robot, int joint);

// Declare the numbers that each joint, wheel or link has, and those shared by all.
void fa_snake_part_numbers(fa_variables *variables, const fa_robot *robot, fa_snake_scope scope,
                           int part);
void fa_snake_shared_numbers(fa_variables *variables, const fa_robot *robot, fa_snake_scope scope,
                             fa_role role);

void fa_snake_link_parameters(fa_variables *variables, const fa_robot *robot, int k);
void fa_snake_inputs(fa_variables *variables, const fa_robot *robot);
void fa_snake_torques(fa_variables *variables, const fa_robot *robot, fa_role role);
void fa_snake_joint_outputs(fa_variables *variables, const fa_robot *robot);
void fa_snake_axes(fa_variables *variables, const fa_robot *robot);
void fa_snake_stop_flags(fa_variables *variables, const fa_robot *robot);
void fa_snake_locals(fa_variables *variables, const fa_robot *robot);

// Declare what snakes on ideal wheels have: the initial motion (returns its first row), states,
// their derivatives, the measure of control with the wheels' forces, flags, and a limit for these.
int  fa_snake_initial_states(fa_variables *variables, const fa_robot *robot);
void fa_snake_wheel_states(fa_variables *variables, const fa_robot *robot, int initial, int apart);
void fa_snake_wheel_derivatives(fa_variables *variables, const fa_robot *robot);
void fa_snake_wheel_outputs(fa_variables *variables, const fa_robot *robot);
void fa_snake_wheel_flags(fa_variables *variables, const fa_robot *robot);
void fa_snake_control_limit(fa_variables *variables);

// Adds a row for link, joint or wheel number i (from 1), which the description mentions.
#define ADD(variables, variable, i, owner, quantity, what)                                         \
    do {                                                                                           \
        char said_[160];                                                                           \
        fa_variable_describe(variables, said_, sizeof said_, what, i);                             \
        fa_variable_add(variables, variable, fa_key_of_part(owner, (i)-1, NULL, quantity), said_); \
    } while (0)

#endif
