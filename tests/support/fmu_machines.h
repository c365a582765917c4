// One of every kind of robot that an FMU can be of, as instances: what has to hold for all of them
// is tested on this list.
#ifndef FMU_MACHINES_H
#define FMU_MACHINES_H

#include "fmu_help.h"

typedef struct fmu_machine {
    const char *name;
    const char *file;     // in resources/robots; NULL: one of fmu_help.h
    bool        snake;    // which one of those
    bool        arrays;   // in FMI 3.0; FMI 2.0 has none
    bool        inverse;  // motion in, torque out
    bool        switches; // each joint sticks, has stops, a motor, a valve that closes, a lock
    const char *inputs, *outputs, *cut; // as `forearm export` takes them; NULL: the usual ones
} fmu_machine;

enum { FMU_MACHINES = 14 };
extern const fmu_machine fmu_machines[FMU_MACHINES];

// A robot's file, and what it is read with: a plant other than its own, inputs, outputs, a cut and
// a link with a wrench, as `forearm export` takes them; NULL: the usual ones.
typedef struct fmu_variant {
    const char *file; // without ".xml", from the folder tests/
    const char *plant, *inputs, *outputs, *cut, *wrench;
} fmu_variant;

// The robot of a variant. Never NULL: it fails the test.
fa_robot *fmu_variant_robot(const fmu_variant *variant);

// An inductive motor of 24 V behind a gear with losses.
extern const fa_motor_data fmu_motor;

// An instance, initially in the mode FA_MODE_INSTANTIATED. Never NULL: it fails the test.
fa_instance *fmu_machine_new(const fmu_machine *machine, int fmi, fa_kind kind, fmu_host *host);

// The same in two parts, of which the second one suits any thread. The small arm has no robot:
// NULL.
fa_robot    *fmu_machine_robot(const fmu_machine *machine);
fa_instance *fmu_machine_new_of(const fmu_machine *machine, const fa_robot *robot, int fmi,
                                fa_kind kind, fmu_host *host);

// Returns true if the size can be configured.
bool fmu_machine_is_sized(const fmu_machine *machine, int fmi);

#endif
