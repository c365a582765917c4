// A mechanism for a workspace: its rigid bodies alone, without friction, springs, drives and
// contacts, as the plants "mechanism" and "inverse-mechanism" have them.
#ifndef FA_BARE_MECHANISM_H
#define FA_BARE_MECHANISM_H

#include "arena.h"
#include "arm_dynamics.h"
#include "mechanism.h"
#include "motion_rows.h"
#include "workspace.h"

// One of the two plants, with values of its own.
typedef struct fa_bare_side {
    const fa_plant     *plant;
    fa_mechanism       *self;
    unsigned            groups; // of accelerations, or of an inverse's efforts
    int                 n_rows, tip;
    double             *value, *direction;
    fa_motion_position *position;
    fa_motion_speed    *speed;
    int                *row_of; // a parameter of the robot: its row here, or FA_NO_ROW
} fa_bare_side;

typedef struct fa_bare_mechanism {
    fa_bare_side     forward, inverse; // inverse.self NULL: there is none
    fa_arm_regressor regressor;
    fa_state         state;                    // what the regressor reads its values from
    double          *inner;                    // Jacobian of a frame, of the arm inside
    double          *first, *second, *efforts; // n numbers each
} fa_bare_mechanism;

// The robot and states from which a workspace is filled.
typedef struct fa_bare_parts {
    fa_robot *robot;
    fa_state  forward, inverse;
    bool      has_inverse;                // false: too few drives move its loops …
    fa_error  lack;                       // … which is said here
    size_t    forward_size, inverse_size; // of the plants, whose loops are built to measure them
} fa_bare_parts;

// Release with fa_bare_parts_free, also after a failure.
fa_status fa_bare_parts_new(const fa_robot *robot, fa_bare_parts *parts, fa_error *error);
void      fa_bare_parts_free(fa_bare_parts *parts);

// Takes memory for it: of a workspace w that stands at arena->base, or of one that is measured.
void fa_bare_mechanism_lay_out(fa_workspace *w, fa_arena *arena, const fa_bare_parts *parts,
                               const fa_state *state);

// Fills it, and what the workspace has of an arm: its bodies and links.
fa_status fa_bare_mechanism_fill(fa_workspace *w, const fa_bare_parts *parts, const fa_state *state,
                                 fa_error *error);

// Hands the workspace's parameters on to both plants.
fa_status fa_bare_mechanism_configure(fa_workspace *w, fa_error *error);

// The functions of forearm.h for one state.
fa_row_fn fa_bare_forward, fa_bare_inverse, fa_bare_bias, fa_bare_gravity, fa_bare_tip_torque,
    fa_bare_mass_matrix, fa_bare_coriolis_matrix, fa_bare_regressor, fa_bare_pose, fa_bare_jacobian,
    fa_bare_drift, fa_bare_forward_derivatives, fa_bare_inverse_derivatives,
    fa_bare_parameter_derivatives, fa_bare_forward_by_parameters, fa_bare_closed;

#endif
