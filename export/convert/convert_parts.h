// Common functions of the writers of robot files.
#ifndef FA_CONVERT_PARTS_H
#define FA_CONVERT_PARTS_H

#include "conversion.h"
#include "joint_lists.h"
#include "markup.h"

typedef struct fa_convert_writer {
    const fa_robot *robot;
    const fa_log   *log;
    fa_error       *error;
    fa_markup       xml;
} fa_convert_writer;

// Writes an attribute of several numbers.
void fa_convert_numbers(fa_convert_writer *w, const char *name, const double value[], int n);
void fa_convert_vec3(fa_convert_writer *w, const char *name, fa_vec3 v);

// Returns roll, pitch and yaw of a frame; they reproduce it to rounding, also at gimbal lock.
fa_vec3 fa_convert_rpy(fa_mat3 E);

// Warns that the file lacks a property of a joint, a link or the robot.
void fa_convert_lose(const fa_convert_writer *w, fa_place place, const char *of, const char *name,
                     const char *what);

// Warns of the elements at a joint that the format cannot express: `has` is a bit set of 1 <<
// fa_joint_element. URDF and MJCF have smooth friction on the joint's side only.
void fa_convert_lose_elements(const fa_convert_writer *w, const fa_joint *joint, unsigned has);

// Warns of properties of the robot beside its tree, and of gravity and links with reduced gravity,
// if the format lacks them.
void fa_convert_lose_rest(const fa_convert_writer *w, bool gravity, bool relief);

// Returns the sum of the damping of bearings and springs.
double fa_convert_damping(const fa_joint *joint);

// Writers of the formats.
fa_status fa_convert_urdf(fa_convert_writer *w);
fa_status fa_convert_mjcf(fa_convert_writer *w);
fa_status fa_convert_arm(fa_convert_writer *w);

#endif
