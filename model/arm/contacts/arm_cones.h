// Cones as the stops of an arm's ball joints: what arm_touches.c asks for. Part of arm.h.
//
// The law (elements/cone.h) is about the angle between an axis on the parent and one on the child;
// here are these axes, and the torque as moments on the two bodies, about the axes' common normal.
#ifndef FA_ARM_CONES_H
#define FA_ARM_CONES_H

#include "arm_touches_inside.h"

void fa_arm_cone_prepare(const fa_arm *arm, fa_arm_cone *cone, const fa_robot *robot, int link,
                         const int link_body[], fa_arm_touch touch[2]);

// The law at these values, with the motion of bodies in arm->touches.
void fa_arm_cone_trace(const fa_arm *arm, fa_arm_cone *cone, const double value[],
                       fa_arm_touch touch[2]);
void fa_arm_cone_tangent(const fa_arm *arm, fa_arm_cone *cone, const double direction[],
                         fa_arm_touch touch[2]);
void fa_arm_cone_adjoints(const fa_arm *arm, fa_arm_cone *cone, const fa_arm_touch touch[2],
                          double adjoint[]);

#endif
