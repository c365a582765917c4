// A robot as plain data: what importers produce and everything else consumes.
//
// A fa_robot is one block of memory without a pointer in it, so it can be copied with memcpy and
// released with free. Links stand in an order in which parents come first; each link but the
// root carries the joint that holds it.
#ifndef FA_ROBOT_H
#define FA_ROBOT_H

#include <stddef.h>

#include "spatial.h"
#include "status.h"

#define FA_WORLD     (-1) // parent of a root link
#define FA_NOBODY    (-1) // "no link", where a link may be named
#define FA_NAME_SIZE 128  // bytes of a name, with its closing zero
#define FA_LINK_MAX  100000

// Speed over which smooth Coulomb friction turns round where the file does not say: slow enough
// that a joint looks as if it stuck, fast enough that an explicit integrator keeps its step.
#define FA_FRICTION_WIDTH 0.01 // [rad/s] or [m/s]

#define FA_JOINT_LIST(X)                                                                           \
    X(FA_FIXED, "fixed") X(FA_REVOLUTE, "revolute") X(FA_PRISMATIC, "prismatic")

typedef enum fa_joint_type {
#define X(code, name) code,
    FA_JOINT_LIST(X)
#undef X
} fa_joint_type;

// Symmetric about the axis or not: positive motion meets `coulomb`, negative motion the other.
// Torque at the joint, against the motion: viscous qd + (c+ + c-)/2 t + (c+ - c-)/2 t^2 with
// t = tanh(qd / width).
typedef struct fa_friction {
    double viscous;          // [N m s/rad] or [N s/m]
    double coulomb;          // c+ [N m] or [N]
    double coulomb_negative; // c- [N m] or [N]
    double width;            // speed over which the Coulomb part turns round, > 0 [rad/s] or [m/s]
} fa_friction;

// Torque -stiffness (q - rest) - damping qd.
typedef struct fa_spring {
    bool   present;
    double stiffness; // [N m/rad] or [N/m]
    double damping;   // [N m s/rad] or [N s/m]
    double rest;      // [rad] or [m]
} fa_spring;

// What the maker allows. Infinite where nothing is said.
typedef struct fa_limit {
    double lower, upper; // of the coordinate [rad] or [m]
    double effort;       // [N m] or [N]
    double velocity;     // [rad/s] or [m/s]
} fa_limit;

// A joint that follows another one: q = ratio q_leader + offset.
typedef struct fa_mimic {
    int    leader; // link whose joint is followed, FA_NOBODY: this joint is free
    double ratio;
    double offset; // [rad] or [m]
} fa_mimic;

typedef struct fa_joint {
    char          name[FA_NAME_SIZE];
    fa_place      place; // in the source; not stored in the robot file
    fa_joint_type type;
    fa_transform  origin; // parent link's frame to the joint's frame at q = 0
    fa_vec3       axis;   // unit vector, in the joint's frame
    fa_limit      limit;
    fa_friction   friction;
    fa_spring     spring;
    fa_mimic      mimic;
    double        rotor_inertia;    // of the motor's rotor about its own axis [kg m^2] or [kg]
    double        gear_ratio;       // rotor turns per joint turn, signed
    double        initial_position; // [rad] or [m]
    double        initial_velocity; // [rad/s] or [m/s]
} fa_joint;

typedef struct fa_link {
    char         name[FA_NAME_SIZE];
    fa_place     place;
    int          parent; // smaller than this link's own index, or FA_WORLD
    fa_joint     joint;  // that holds this link; of type FA_FIXED with FA_WORLD as parent: the base
    fa_transform frame;  // the joint's frame, moved by the joint, to this link's own frame
    double       mass;   // [kg]
    fa_vec3      com;    // centre of mass, link's frame [m]
    fa_sym3      inertia; // about the centre of mass, link's axes, elements of the tensor [kg m^2]
    bool         wrench;  // true: the host may push on this link; the FMU has inputs for it
} fa_link;

typedef struct fa_robot {
    char         name[FA_NAME_SIZE];
    char         plant[32];   // "arm"
    char         source[512]; // the file it came from; not stored in the robot file
    fa_vec3      gravity;     // acceleration of free fall, world axes [m/s^2]
    int          tip_link;
    fa_transform tip; // the tip link's frame to the tip's frame
    int          n_links;
    fa_link      link[]; // n_links of them
} fa_robot;

// A robot of n links with every field at its default: gravity 0 0 -9.81, frames together, masses
// zero, limits infinite, no friction. NULL when there is no memory. Release with free().
fa_robot *fa_robot_new(int n_links);
size_t    fa_robot_size(int n_links);

// Every rule on robots, applied in linear time: names unique and not empty, parents first, masses
// and inertias possible, numbers finite, limits in order, mimics resolved, every moving part with
// an inertia along its axis. What is odd but usable goes to `log`.
fa_status fa_robot_check(const fa_robot *robot, const fa_log *log, fa_error *error);

// Fixes the named joint at a coordinate [rad] or [m].
fa_status fa_robot_lock(fa_robot *robot, const char *joint, double position, fa_error *error);

// Makes the named link the tip, its own frame the tip's.
fa_status fa_robot_set_tip(fa_robot *robot, const char *link, fa_error *error);

// The link that most people would call the hand: a leaf with the most moving joints on its path;
// among equals the one with the most links, then the first. *equals counts the leaves that differ
// from it in nothing but their place in the file and the branch that they are on. FA_NOBODY when
// there is no memory.
int fa_robot_guess_tip(const fa_robot *robot, int *equals);

// Index of a link by its own name or by the name of its joint; FA_NOBODY if there is none.
int fa_robot_find_link(const fa_robot *robot, const char *name);
int fa_robot_find_joint(const fa_robot *robot, const char *name);

// Links whose joint moves and follows no other: the degrees of freedom, in link order.
bool fa_joint_is_free(const fa_joint *joint);
int  fa_robot_freedom(const fa_robot *robot);

#endif
