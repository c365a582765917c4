#include "drive.h"

// In the order in which a joint's torques are added up.
const fa_drive fa_joint_drives[] = {
    {"torque", "the torque or force of the input", FA_ARM_BY_ACTUATORS, fa_ideal_torque_acts,
     fa_ideal_torque, NULL, NULL},
    {"motor", "a DC motor with amplifier and gear", FA_ARM_BY_ACTUATORS, fa_motor_acts,
     fa_motor_torque, NULL, NULL},
    {"closure", "oil that a closed valve holds", FA_ARM_BY_ACTUATORS, fa_closure_acts,
     fa_closure_torque, NULL, NULL},
    {"friction", "the bearing", FA_ARM_FRICTION, fa_bearing_acts, fa_bearing_torque, NULL, NULL},
    {"damper", "beside the spring", FA_ARM_FRICTION, fa_spring_acts, fa_damper_torque, NULL, NULL},
    {"spring", "around its position of rest", FA_ARM_NO_WORK, fa_spring_acts, fa_spring_torque,
     NULL, fa_spring_energy},
    {"stop", "at a limit, while it is touched", FA_ARM_STOPS, fa_stop_acts, fa_stop_torque,
     fa_stop_loss, fa_stop_energy},
};
const int fa_joint_drive_count = sizeof fa_joint_drives / sizeof *fa_joint_drives;
