// The name of a robot's type alone, for headers that only pass robots on.
#ifndef FA_ROBOT_TYPE_H
#define FA_ROBOT_TYPE_H

typedef struct fa_robot fa_robot; // robot.h says what is inside

#endif
