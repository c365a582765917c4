// Dependencies between results of elements at a joint and rows of that joint, from the graphs of
// the laws (elements_reach.c). No element or number is named here.
#ifndef FA_ARM_JOINT_DEPENDS_H
#define FA_ARM_JOINT_DEPENDS_H

#include "arm_quantity.h"
#include "robot.h"

// Kinds of results, over all elements at the joint.
typedef enum fa_arm_results {
    FA_ARM_EFFORT,        // what acts along the coordinate, rotors included
    FA_ARM_DRIVE,         // of that what drives
    FA_ARM_ROTOR,         // rotor inertia
    FA_ARM_FRICTION_LOSS, // power
    FA_ARM_STOP_LOSS,     // power
    FA_ARM_STORED         // energy
} fa_arm_results;

// Returns true if such a result depends on the row of `quantity` of this joint. `inverse`: the
// motion is prescribed, without drives, sticking and stops.
bool fa_arm_results_depend(const fa_joint *joint, bool inverse, fa_arm_results results,
                           int quantity);

// The same of one result, whose row has the quantity `of`. Of an inverse, *wanted becomes whether
// it depends on the torque at the joint; *gravity, whether on what holds the arm where it is.
bool fa_arm_result_depends(const fa_joint *joint, bool inverse, int of, int quantity, bool *wanted,
                           bool *gravity);

#endif
