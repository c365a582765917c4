// A cylinder that turns a link through a four-bar linkage, as tilt and bucket cylinders of cranes
// and excavators do: the piston moves the end of a rocker, and a coupler ties this end to the link.
//
//        joint O ------ (link) ------ D          everything in one plane across the joint's axis;
//           |                         |          O, P and B stand still, D turns with the link;
//        (holder)                 coupler        C, where the cylinder's rod ends, is at the
//           |                         |          distances `rocker` from P and `coupler` from D
//        pivot P ----- rocker ------- C ==== cylinder ==== B
//
// Closed form: C is where two circles meet. They meet twice; the branch says on which side of the
// line from P to D, and a linkage that is assembled stays on its branch.
#ifndef FA_FOUR_BAR_H
#define FA_FOUR_BAR_H

#include <stdbool.h>

#include "status.h"

typedef struct fa_vec2 {
    double x, y;
} fa_vec2;

// Lengths and points in the plane, from O; x, y and the joint's axis make a right-handed system.
typedef struct fa_four_bar {
    fa_vec2 pivot;   // P [m]
    fa_vec2 anchor;  // B [m]
    fa_vec2 pin;     // D at q = 0 [m]
    double  rocker;  // P to C [m]
    double  coupler; // C to D [m]
    double  branch;  // 1: C is on the left when one looks from P to D; -1: on the right
} fa_four_bar;

// The cylinder's length as a function of the joint's angle.
typedef struct fa_four_bar_length {
    double length; // |C - B| [m]
    double first;  // its derivative, the lever [m/rad]
    double second; // its second derivative [m/rad^2]
} fa_four_bar_length;

// FA_SINGULAR where the circles do not meet, where rocker and coupler are in one line, so that the
// linkage could go over to its other branch, or where the cylinder has no length.
fa_status fa_four_bar_at(const fa_four_bar *bar, double q, fa_four_bar_length *out);

// Force of the coupler on the link's pin D, per unit of the cylinder's force. Its torque about O is
// the lever. In axes that rotate with the link.
typedef struct fa_four_bar_push {
    fa_vec2 force;
    fa_vec2 first; // derivative by the angle [1/rad]
} fa_four_bar_push;

// NaN where the coupler points at the joint.
fa_four_bar_push fa_four_bar_push_at(const fa_four_bar *bar, double q);

// Returns true if the linkage can be assembled for every angle from `lower` to `upper`; otherwise
// *where is an angle where it cannot.
bool fa_four_bar_reaches(const fa_four_bar *bar, double lower, double upper, double *where);

#endif
