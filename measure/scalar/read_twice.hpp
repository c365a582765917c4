// Reads the headers of the methods as they are, into `plain`, and makes them ready to be read
// again.
namespace plain
{
#include "dynamics.h"
#include "snake.h"
} // namespace plain
#undef FA_DYNAMICS_H
#undef FA_ELEMENT_DATA_H
#undef FA_HYDRAULICS_H
#undef FA_JOINT_TYPES_H
#undef FA_LOOP_TYPES_H
#undef FA_LOOPS_H
#undef FA_LOOP_ROWS_H
#undef FA_LOOP_TANGENTS_H
#undef FA_UNITS_H
#undef FA_CHAIN_H
#undef FA_ROBOT_H
#undef FA_SPATIAL_H
#undef FA_STATUS_H
#undef FA_NOWHERE
#undef FA_SNAKE_H
