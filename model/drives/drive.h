// What can act at a joint: one file each, one table. To add one, write model/drives/<name>.c and
// its row in drives.c.
#ifndef FA_DRIVE_H
#define FA_DRIVE_H

#include "joint.h"

// Each function fills a law that has been begun.
typedef struct fa_drive {
    const char *name, *about;
    fa_arm_work work; // the account that its power is counted in
    bool (*acts)(const fa_joint_now *now);
    void (*torque)(const fa_joint_now *now, fa_law *law); // along the joint [N m] or [N]
    void (*loss)(const fa_joint_now *now, fa_law *law);   // power to its account, where that is not
                                                          // the torque's [W]; NULL: it is
    void (*energy)(const fa_joint_now *now, fa_law *law); // that it stores [J]; NULL: none
} fa_drive;

extern const fa_drive fa_joint_drives[];
extern const int      fa_joint_drive_count;

// The files of the table.
bool fa_ideal_torque_acts(const fa_joint_now *now); // torque.c
void fa_ideal_torque(const fa_joint_now *now, fa_law *law);
bool fa_motor_acts(const fa_joint_now *now); // motor.c
void fa_motor_torque(const fa_joint_now *now, fa_law *law);
bool fa_closure_acts(const fa_joint_now *now); // closure.c
void fa_closure_torque(const fa_joint_now *now, fa_law *law);
bool fa_bearing_acts(const fa_joint_now *now); // friction.c
void fa_bearing_torque(const fa_joint_now *now, fa_law *law);
bool fa_spring_acts(const fa_joint_now *now); // spring.c
void fa_spring_torque(const fa_joint_now *now, fa_law *law);
void fa_damper_torque(const fa_joint_now *now, fa_law *law);
void fa_spring_energy(const fa_joint_now *now, fa_law *law);
bool fa_stop_acts(const fa_joint_now *now); // stop.c
void fa_stop_torque(const fa_joint_now *now, fa_law *law);
void fa_stop_loss(const fa_joint_now *now, fa_law *law);
void fa_stop_energy(const fa_joint_now *now, fa_law *law);

#endif
