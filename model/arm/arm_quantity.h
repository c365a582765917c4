// Quantities of the rows of an arm's table, and the accounts of its energy.
#ifndef FA_ARM_QUANTITY_H
#define FA_ARM_QUANTITY_H

#include <stddef.h>

#include "element_data.h"

// A real or a result of an element at a joint: FA_AT(friction.viscous).
#define FA_AT(which) (FA_ARM_ELEMENTS + (int)(offsetof(fa_joint_rows, which) / sizeof(int)))

// Quantities (fa_variable.quantity); fa_variable.index is the link, or the axis.
typedef enum fa_arm_quantity {
    FA_ARM_OTHER, // rows that are not the arm's own

    // Rows of a joint, until FA_ARM_JOINT_END: the index is the link that the joint holds. One row
    // each, and only where the robot has such a thing; fa_arm_joint.at has them all.
    FA_ARM_ELEMENTS, // FA_AT(…) of what acts there
    FA_ARM_INITIAL_POSITION = FA_ARM_ELEMENTS + sizeof(fa_joint_rows) / sizeof(int),
    FA_ARM_INITIAL_VELOCITY,
    FA_ARM_TORQUE,   // what the drive is given: a torque or force, or a motor's voltage
    FA_ARM_POSITION, // these three follow each other
    FA_ARM_VELOCITY,
    FA_ARM_ACCELERATION,
    FA_ARM_SLIP_INDICATOR,
    FA_ARM_PITCH, // of a screw
    FA_ARM_JOINT_END,

    // Rows of the whole robot.
    FA_ARM_GRAVITY = FA_ARM_JOINT_END,
    FA_ARM_DETERMINISTIC, // not of an inverse
    // Rows of a link: the index is the link.
    FA_ARM_MASS,
    FA_ARM_COM,
    FA_ARM_INERTIA,
    FA_ARM_PAYLOAD_MASS,
    FA_ARM_PAYLOAD_COM,
    FA_ARM_PAYLOAD_INERTIA,
    // Inputs.
    FA_ARM_TIP_WRENCH,
    FA_ARM_LINK_WRENCH,
    FA_ARM_BASE_MOTION, // acceleration, angular velocity, angular acceleration
    // States of the whole, and their derivatives: index is a fa_arm_work.
    FA_ARM_WORK,
    FA_ARM_POWER,
    // Outputs of the whole.
    FA_ARM_TIP_POSITION,
    FA_ARM_TIP_QUATERNION,
    FA_ARM_TIP_VELOCITY,
    FA_ARM_TIP_ANGULAR_VELOCITY,
    FA_ARM_TIP_ACCELERATION,
    FA_ARM_TIP_ANGULAR_ACCELERATION,
    FA_ARM_KINETIC,
    FA_ARM_POTENTIAL,
    FA_ARM_RESIDUAL,
    FA_ARM_INITIAL_ENERGY, // the energy when initialisation ended
    // On request (fa_extra). Of a joint, index is the link that it holds; of the base, 0; of a
    // matrix, it counts the elements row by row.
    FA_ARM_REACTION,
    FA_ARM_BASE_REACTION,
    FA_ARM_JACOBIAN,
    FA_ARM_MASS_MATRIX,
    FA_ARM_LINK_POSITION, // index is the link; its axes follow
    FA_ARM_LINK_AXES,
    // Rows of cylinders. The first three are indexed as in axis_rows.h, a lever by the cylinder
    // plus FA_CYLINDER_MAX times the joint's link, the others by the cylinder.
    FA_ARM_AXIS_GIVEN,
    FA_ARM_AXIS_INITIAL,
    FA_ARM_AXIS_RESULT,
    FA_ARM_CYLINDER_FORCE,
    FA_ARM_CYLINDER_LENGTH,
    FA_ARM_CYLINDER_RATE,
    FA_ARM_CYLINDER_LEVER,
    FA_ARM_PORTS, // of all ports
    // Quaternion rates of a ball joint: the index is the link that the joint holds. Its
    // other rows, and those of other joints of several freedoms, are FA_ARM_POSITION and so on,
    // several with the same index.
    FA_ARM_QUATERNION_RATE,
    // Rows of closed loops: the first three are indexed by the loop, accepted positions by the
    // link.
    FA_ARM_LOOP_ERROR,
    FA_ARM_LOOP_FORCE,
    FA_ARM_LOOP_AXIAL,
    FA_ARM_REGULARITY,
    FA_ARM_ACCEPTED,
    FA_ARM_PLACED,
    // Rows of contacts, line springs and cones: the index is FA_TOUCH_STRIDE times the number of
    // the contact, spring or cone, plus the item of its element (arm_touches.h).
    FA_ARM_CONTACT_ITEM,
    FA_ARM_CONTACT_START, // what a state starts from
    FA_ARM_CONTACT_POINT,
    FA_ARM_SPRING_ITEM,
    FA_ARM_CONE_ITEM,
    FA_ARM_GROUND,
    FA_ARM_QUANTITY_COUNT
} fa_arm_quantity;

// Accounts of energy: integrals of powers over time.
typedef enum fa_arm_work {
    FA_ARM_BY_ACTUATORS, // done on the arm by what drives the joints
    FA_ARM_BY_OTHERS,    // done on it by external forces, and by the motion of the ground
    FA_ARM_FRICTION,     // lost in bearings, dampers, and by locking a joint that moves
    FA_ARM_STOPS,        // lost in stops
    FA_ARM_CONTACTS,     // lost in contacts; an account where there are some
    FA_ARM_WORKS,
    FA_ARM_NO_WORK = FA_ARM_WORKS // of what gives back all that it takes
} fa_arm_work;

#endif
