// What the writers of robot files share.
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

// Attributes of several numbers.
void fa_convert_numbers(fa_convert_writer *w, const char *name, const double value[], int n);
void fa_convert_vec3(fa_convert_writer *w, const char *name, fa_vec3 v);

// Roll, pitch and yaw of a frame: with them it comes back to rounding, also where they are not
// unique.
fa_vec3 fa_convert_rpy(fa_mat3 E);

// Tells that something of a joint, a link or the robot is not in the file.
void fa_convert_lose(const fa_convert_writer *w, fa_place place, const char *of, const char *name,
                     const char *what);

// Tells which elements at a joint are not among those that the format has: `has` is a set of bits
// 1 << fa_joint_element. Of friction what URDF and MJCF have is a smooth one on the joint's side.
void fa_convert_lose_elements(const fa_convert_writer *w, const fa_joint *joint, unsigned has);

// The same for what the robot has beside its tree, and for gravity and links that do not feel all
// of it, where the format has no words for these.
void fa_convert_lose_rest(const fa_convert_writer *w, bool gravity, bool relief);

// Damping that bearings and springs have together.
double fa_convert_damping(const fa_joint *joint);

// The formats.
fa_status fa_convert_urdf(fa_convert_writer *w);
fa_status fa_convert_mjcf(fa_convert_writer *w);
fa_status fa_convert_arm(fa_convert_writer *w);

#endif
