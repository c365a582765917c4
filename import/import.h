// Robot files as people write them, URDF and our own XML, become a fa_robot.
//
// Every fault names file, line and column, says what is wrong and what to do. What is odd but
// usable is a warning. Nothing but the named file is opened, and what a xacro file includes from
// the robot's folder and packages; no network is used, and no locale changes a number.
#ifndef FA_IMPORT_H
#define FA_IMPORT_H

#include <stddef.h>

#include "robot.h"
#include "robot_stops.h"
#include "xacro.h"

// A joint to be fixed, and where.
typedef struct fa_import_lock {
    const char *joint;
    double      position; // [rad] or [m]
} fa_import_lock;

// Base of a robot whose file leaves it open.
typedef enum fa_import_base { FA_BASE_UNSAID, FA_BASE_FIXED, FA_BASE_FREE } fa_import_base;

// All zero is the default.
typedef struct fa_import_options {
    bool        lenient;        // a revolute joint without <limit> is unlimited, with a warning
    bool        strict;         // every warning is an error
    const char *independent;    // joints, by commas, whose coordinates are states; NULL: the
                                // file's choice
    const char           *tip;  // link that is the tip; NULL: what the file says, or a guess
    const fa_import_lock *lock; // n_locks of them
    int                   n_locks;
    const char           *actuators; // side file with what acts at the joints; NULL: none
    const char           *inputs;    // as fa_robot_set_inputs takes them; NULL: the usual ones
    const char           *outputs;   // as fa_robot_set_outputs takes them; NULL: the usual ones
    const char *const    *wrench;    // links that get an input for an external wrench, n_wrenches
    int                   n_wrenches;
    const char *const    *cut; // "lift=valve", or "valve" for all cylinders; n_cuts
    int                   n_cuts;
    fa_xacro_options      xacro;      // arguments and packages of a file that is expanded first
    const char           *model;      // of a file with several (SDFormat); NULL: it has one
    int                   base;       // fa_import_base
    double                density;    // of shapes of links without mass [kg/m^3]; 0: none
    double                total_mass; // of the robot, with one such density [kg]; 0: none
    const char           *keyframe;   // of an MJCF file, that the robot starts in; NULL: none
    bool                  torques;    // drives of the file are left out
    fa_stops              stops;      // before what the side file says; a joint's own counts first
} fa_import_options;

// Reads a robot file of any kind that we know; the root element says which. *robot is released by
// the caller with free(); it has passed fa_robot_check. NULL options are the default ones. *robot
// is NULL when this fails.
fa_status fa_import(const char *path, const fa_import_options *options, const fa_log *log,
                    fa_robot **robot, fa_error *error);

// The same from memory. `path` is only for messages.
fa_status fa_import_text(const char *text, size_t size, const char *path,
                         const fa_import_options *options, const fa_log *log, fa_robot **robot,
                         fa_error *error);

// Holds a file against the schema of its root element, if that is one of ours; URDF has none and
// passes. fa_import does this first. Needs no file but the named one: the schemas are built in.
fa_status fa_check_schema(const char *path, fa_error *error);

#endif
