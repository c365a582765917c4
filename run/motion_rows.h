// Rows of a plant's table in which the free joints of a robot stand: joint after joint, of a joint
// of several freedoms position before quaternion, velocity before angular velocity, force before
// torque.
#ifndef FA_MOTION_ROWS_H
#define FA_MOTION_ROWS_H

#include "robot.h"
#include "variables.h"

typedef struct fa_motion_position {
    int  row, start; // the position; the parameter that it starts from, or FA_NO_ROW
    bool dependent;  // loops determine it, and `start` is where closing begins
} fa_motion_position;

typedef struct fa_motion_speed {
    int  velocity, start, acceleration, effort; // FA_NO_ROW: the plant has none
    int  position; // row of the position that grows with it; of a turning axis the quaternion's w
    int  position_start; // the parameter that it starts from, or FA_NO_ROW
    int  axis;           // 0, 1, 2 of a ball or a free body, in the axes of its parent; FA_NOBODY
    int  link;           // whose joint it is of
    bool dependent;
} fa_motion_speed;

int fa_robot_position_count(const fa_robot *robot);

// Fills as many positions and speeds as the robot has (fa_robot_freedom).
void fa_motion_rows_find(const fa_robot *robot, const fa_variables *table,
                         fa_motion_position position[], fa_motion_speed speed[]);

// Sets the direction of a table in which the speed's position moves by `rate`: of a turning axis
// (0, axis rate / 2) times the quaternion.
void fa_motion_move(const fa_motion_speed *speed, const double value[], double rate,
                    double direction[]);

#endif
