// A plant that is made ready for a test, with values that are drawn by chance; random robots of
// every kind of plant.
#ifndef PLANT_RIG_H
#define PLANT_RIG_H

#include "plant.h"
#include "random.h"

typedef struct rig {
    fa_robot       *robot;
    const fa_plant *plant;
    fa_variables    variables;
    void           *block, *self;
    double         *value, *direction; // one for each row
} rig;

// An instance of the rig's plant in memory whose bytes were `before`.
void *rig_prepared(const rig *r, unsigned char before);

// The plant that the robot says it is; the rig owns the robot. Values are where they start.
rig  rig_build(fa_robot *robot);
void rig_take_down(rig *r);

// Configures and evaluates everything; fails the test if that fails.
void rig_evaluate(rig *r, double value[]);

// Return true if other rows may depend on the row; and if it is computed and smooth.
bool rig_knows(const fa_variable *v);
bool rig_calculates(const fa_variable *v);

// Returns the size of a row's variation: an input's or a state's usual size, a share of a
// parameter.
double rig_size_of(const fa_variable *v);

// Draws parameters near where they start, inputs, states and modes by chance.
void rig_shake(rig *r, uint64_t *seed);

// Further kinds of random arms: some joints stick and some can be locked; the ground moves; all
// kinds of elements at a joint, each by chance.
enum { RIG_SWITCHING = 256, RIG_BASE = 512, RIG_DRESSED = 1024 };
extern const unsigned RIG_KINDS[4]; // of random_robot

fa_robot *rig_arm(uint64_t *seed, int joints, unsigned kind, const char *plant);

// Gives every other joint that turns a motor, with and without a coil that is felt.
void rig_give_motors(fa_robot *robot);

// The same with some joints of several freedoms, the first of which may hold a floating base.
fa_robot *rig_mechanism(uint64_t *seed, int trial, const char *plant);

// A random arm with a loop of some type, in which some joints stick and some can be locked.
fa_robot *rig_closed(uint64_t *seed, int trial);

// Joints of several freedoms with a loop: some of them follow from others, or others from them.
fa_robot *rig_closed_balls(uint64_t *seed, int trial, const char *plant);

// A random arm with three cylinders between random links: one of each cut, or two with their valves
// on one pump.
fa_robot *rig_cylinders(uint64_t *seed, int joints, unsigned kind);

// The same as rig_closed, with a cylinder between random links.
fa_robot *rig_closed_cylinder(uint64_t *seed, int trial);

// A hydraulic circuit alone; and around an arm, one or two of whose cylinders it moves, and a joint
// by a motor, which may be one that loops determine.
fa_robot *rig_circuit(int trial);
fa_robot *rig_circuit_around(fa_robot *robot, int trial);

// One joint that carries a rod and is turned through a four-bar linkage.
fa_robot *rig_linkage(fa_cut cut);

// A cylinder alone, with chambers or pressures given, with a pump or without.
fa_robot *rig_axis(bool force, bool spool, bool pump);

fa_robot *rig_snake(uint64_t *seed, int links, fa_snake_input input);

// One that slides among patches and obstacles; `spread` as in the robot.
fa_robot *rig_sliding(uint64_t *seed, int links, fa_snake_input input, fa_ground_law law,
                      int spread);

#endif
