// Common helpers of the tests of the FMU: a folder with a robot file, instances in every mode, a
// host that records its callbacks, and a plant with closed solutions.
#ifndef FMU_HELP_H
#define FMU_HELP_H

#include <stdbool.h>
#include <stddef.h>

#include "instance.h"

// A resource folder with the robot file of a small arm (a prismatic and two revolute joints), made
// anew for each test program and removed when it ends.
typedef struct fmu_files {
    char folder[512];
    char token[FA_TOKEN_SIZE];
} fmu_files;

const fmu_files *fmu_files_for(int fmi);

// Recorded callbacks; one for each instance.
typedef struct fmu_host {
    int  count;
    int  status;        // of the last message
    char category[64];  // likewise
    char message[4096]; // likewise
} fmu_host;

// Instances with all messages on, by the functions of the standards. NULL is reported, not hidden.
void *fmu_new(int fmi, fa_kind kind, fmu_host *host);
void *fmu_new_at(int fmi, fa_kind kind, fmu_host *host, const char *resources, const char *token);
void  fmu_free(int fmi, void *instance);

// An instance of an arm of n revolute joints, whose robot file is gone by the time this returns.
void *fmu_long_arm_new(int fmi, fa_kind kind, fmu_host *host, int n);

// An instance of any robot, shown as arrays or not; its robot file is gone by then, too.
void *fmu_robot_new(const fa_robot *robot, int fmi, bool arrays, fa_kind kind, fmu_host *host);

// A snake of n links that differ, driven by torques: with arrays, one whose links can be counted
// anew.
fa_robot *fmu_snake(int n);

// Calls its way to the mode; start time 0, no stop time. To configuration mode only snakes with
// arrays can go.
void fmu_go_to(int fmi, fa_kind kind, void *instance, fa_mode mode);

// Value reference of a variable; fails the test if there is none.
unsigned fmu_reference(const void *instance, const char *name);

// m x'' = force + ramp t - stiffness x - damping x' - brake x'; singular beyond the wall.
//
// Parameters mass, stiffness, ramp, wall, initial_position, initial_velocity; tunable damping;
// inputs force and, discrete, brake; states position and velocity; outputs acceleration, energy and
// thrust; local power; indicator gap.
extern const fa_plant fmu_oscillator;

enum {
    OSC_MASS = FA_COMMON_ROWS,
    OSC_STIFFNESS,
    OSC_RAMP,
    OSC_WALL,
    OSC_INITIAL_POSITION,
    OSC_INITIAL_VELOCITY,
    OSC_DAMPING,
    OSC_FORCE,
    OSC_BRAKE,
    OSC_POSITION,
    OSC_VELOCITY,
    OSC_ACCELERATION,
    OSC_ENERGY,
    OSC_THRUST,
    OSC_POWER,
    OSC_GAP,
    OSC_TIME
};

// A ball over the ground, thrown up again by every bounce, and at times kicked.
//
// Parameters gravity, restitution, period (of the kicks, 0: none), kick, initial_height and
// initial_velocity; input lift; states height and velocity; outputs acceleration and, discrete,
// bounces and kicks; indicator clearance.
extern const fa_plant fmu_ball;

enum {
    BALL_GRAVITY = FA_COMMON_ROWS,
    BALL_RESTITUTION,
    BALL_PERIOD,
    BALL_KICK,
    BALL_INITIAL_HEIGHT,
    BALL_INITIAL_VELOCITY,
    BALL_LIFT,
    BALL_HEIGHT,
    BALL_VELOCITY,
    BALL_ACCELERATION,
    BALL_BOUNCES,
    BALL_KICKS,
    BALL_CLEARANCE,
    BALL_TIME
};

// Instances of a plant by fa_instance_new.
// Likewise with what the host wishes of Co-Simulation; try: NULL where that is refused.
fa_instance *fmu_plant_new_with(const fa_plant *plant, int fmi, fa_kind kind, fmu_host *host,
                                const fa_setup *wishes);
fa_instance *fmu_plant_try(const fa_plant *plant, int fmi, fa_kind kind, fmu_host *host,
                           const fa_setup *wishes);

fa_instance *fmu_plant_new(const fa_plant *plant, int fmi, fa_kind kind, fmu_host *host);
fa_instance *fmu_oscillator_new(int fmi, fa_kind kind, fmu_host *host);

#endif
