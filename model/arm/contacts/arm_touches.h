// Contacts, cones of ball joints and line springs of an arm: the functions that its other files
// call. Part of arm.h.
//
// The laws (elements/contact.h, line_spring.h) are about points in the world; here are the points
// of bodies, and the forces as wrenches on these bodies. All motion is relative to the ground.
// arm_touches.c computes, arm_cones.c what cones do, arm_touches_derived.c has tangents and
// adjoints, arm_touch_rows.c lists the variables and says what depends on what.
#ifndef FA_ARM_TOUCHES_H
#define FA_ARM_TOUCHES_H

#include "arena.h"
#include "kinematics.h"
#include "variables.h"

struct fa_arm;
struct fa_arm_contact;
struct fa_arm_spring;
struct fa_arm_cone;

// fa_variable.index of their rows: index of the contact or spring times this, plus that of the item
// in its list.
#define FA_TOUCH_STRIDE 128

// A force on a point of a body, and a moment, in world axes, with tangents and adjoints.
typedef struct fa_arm_touch {
    int     body, link; // FA_WORLD: bolted to the ground
    fa_vec3 force, point, force_tangent, point_tangent, force_adjoint, point_adjoint;
    fa_vec3 moment, moment_tangent, moment_adjoint;
} fa_arm_touch;

typedef struct fa_arm_touches {
    int                    n_contacts, n_cones, n_springs; // an inverse has springs alone
    int                    n;                              // of touches
    struct fa_arm_contact *contact;
    struct fa_arm_cone    *cone;
    struct fa_arm_spring  *spring;
    fa_arm_touch          *touch; // one of each contact, two of each cone and spring
    fa_motion             *motion;
    fa_motion_tangent     *tangent;
    fa_motion_adjoint     *adjoint;
    fa_wrench             *wrench; // scratch
    double                *speed;  // scratch, of the coordinates
    int                    ground_row;
} fa_arm_touches;

// A cone that is met or left: the energy that its stop has stored before and has then, and the rate
// of its angle.
typedef struct fa_arm_cone_change {
    bool   met;
    double before, then, rate;
} fa_arm_cone_change;

void      fa_arm_touches_lay_out(fa_arena *arena, fa_arm_touches *to, const fa_robot *robot,
                                 size_t bodies, size_t coordinates);
void      fa_arm_touches_prepare(struct fa_arm *arm, const fa_robot *robot,
                                 const fa_variables *variables, const int link_body[],
                                 const fa_transform link_frame[]);
fa_status fa_arm_touches_configure(const struct fa_arm *arm, const double value[], fa_error *error);

// Forces, depths and whatever else the laws say at these values; what follows is about them.
void fa_arm_touches_trace(const struct fa_arm *arm, const double value[]);
bool fa_arm_touches_finite(const struct fa_arm *arm);

// Adds them to the wrenches on the bodies of `motion`; `links`: these are links, each a body.
void fa_arm_touches_wrenches(const struct fa_arm *arm, bool links, const fa_motion motion[],
                             fa_wrench wrench[]);
// Adds what contacts and cones, and with `springs` all, do at the coordinates.
void fa_arm_touches_torques(const struct fa_arm *arm, bool springs, double tau[]);

// Cones: the law of one at these values and with the mode that comes next; and what a unit torque
// that opens its angle does at the coordinates.
bool fa_arm_cone_switches(const struct fa_arm *arm, double value[], int cone,
                          fa_arm_cone_change *change);
void fa_arm_cone_push(const struct fa_arm *arm, int cone, double tau[]);

// Powers of the accounts, work done on the arm, and energy.
void   fa_arm_touches_powers(const struct fa_arm *arm, double power[]);
double fa_arm_touches_work(const struct fa_arm *arm);
double fa_arm_touches_energy(const struct fa_arm *arm);

// Their rows of these groups.
void fa_arm_touches_put(const struct fa_arm *arm, double value[], unsigned groups);

// An event: whether each touches.
void fa_arm_touches_switch(const struct fa_arm *arm, double value[]);

// Tangents: of everything, then of the parts above.
void fa_arm_touches_tangent(const struct fa_arm *arm, const double value[],
                            const double direction[]);
void fa_arm_touches_wrench_tangents(const struct fa_arm *arm, bool links, const fa_motion motion[],
                                    const fa_motion_tangent tangent[], fa_wrench wrench_tangent[]);
void fa_arm_touches_power_tangents(const struct fa_arm *arm, double power_tangent[]);
double fa_arm_touches_work_tangent(const struct fa_arm *arm);
double fa_arm_touches_energy_tangent(const struct fa_arm *arm);
void   fa_arm_touches_put_tangent(const struct fa_arm *arm, double direction[], unsigned groups);

// Adjoints by the parts are collected, and at last handed on to rows.
void fa_arm_touches_begin_adjoints(const struct fa_arm *arm);
void fa_arm_touches_wrench_adjoints(const struct fa_arm *arm, bool links, const fa_motion motion[],
                                    const fa_twist wrench_adjoint[], fa_motion_adjoint adjoint[]);
void fa_arm_touches_power_adjoints(const struct fa_arm *arm, const double power_adjoint[]);
void fa_arm_touches_work_adjoint(const struct fa_arm *arm, double wanted);
void fa_arm_touches_energy_adjoint(const struct fa_arm *arm, double wanted);
void fa_arm_touches_put_adjoint(const struct fa_arm *arm, const double adjoint[], unsigned groups);
void fa_arm_touches_end_adjoints(const struct fa_arm *arm, const double value[], double adjoint[]);

// Rows, in this order, see arm_touch_rows.c.
void fa_arm_touch_parameters(const fa_robot *robot, fa_variables *variables, bool inverse,
                             fa_role role);
void fa_arm_touch_states(const fa_robot *robot, fa_variables *variables);
void fa_arm_touch_outputs(const fa_robot *robot, fa_variables *variables, bool inverse);
void fa_arm_touch_locals(const fa_robot *robot, fa_variables *variables);
void fa_arm_touch_indicators(const fa_robot *robot, fa_variables *variables);

// Return true if the row belongs to a contact or spring; and if a result of one depends on a known
// row: `on_way` tells whether the coordinate of that link's joint moves the other link.
bool fa_arm_is_touch_row(const fa_variable *row);
bool fa_arm_touch_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *on,
                          bool (*on_way)(const fa_robot *, int coordinate, int link));
// Some contact's or spring's force, by one of their own known rows, such that the joint of link
// `of` feels it; `together` as of cylinders.
bool fa_arm_touch_force_depends(const fa_robot *robot, const fa_variable *on, int of,
                                bool (*together)(const fa_robot *, int, int));
// Returns whether the stored or lost energy of contacts, springs or cones depends on this row.
bool fa_arm_touch_energy_depends(const fa_variable *on, bool loss_of_contacts, bool loss_of_springs,
                                 bool loss_of_cones);

#endif
