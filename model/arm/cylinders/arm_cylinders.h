// The cylinders of an arm: what its other files ask for. Part of arm.h.
//
// A cylinder's force goes to the joints as force times lever, which is what a pair of opposite
// forces on its two bodies does, whatever method finds the accelerations. arm_cylinders.c computes,
// arm_cylinder_jacobian.c has all columns at once, arm_cylinder_rows.c lists the variables and says
// what depends on what.
#ifndef FA_ARM_CYLINDERS_H
#define FA_ARM_CYLINDERS_H

#include "arena.h"
#include "axis_rows.h"
#include "reach.h"

struct fa_arm;

typedef struct fa_arm_cylinder {
    fa_reach       reach;
    fa_reach       between; // the ends on the links themselves, for forces in joints
    unsigned       parts;   // that are inside; none: the force is an input
    fa_axis_places at;
    int            result[FA_AXIS_RESULTS]; // rows of what is calculated
    int            leader;                  // of an inverse: the first of those that share joints
    double         needed;                  // of an inverse: the force that is needed [N]
    double         others_flow;             // that the other valves take from its pump
    int            force_row, length_row, rate_row;
    int           *lever_row; // per coordinate, FA_NO_ROW where the joint is not between the ends

    // Cache: results at the values that were traced last.
    double  length, rate;
    double  law[FA_AXIS_RESULTS]; // of a force that comes in, FA_AXIS_FORCE alone
    double *lever;                // derivatives of the length, per coordinate
    double *turn;                 // scratch, per coordinate
} fa_arm_cylinder;

typedef struct fa_arm_cylinders {
    int              n;
    fa_arm_cylinder *of;
    fa_axis         *axis; // the laws of one after the other
    fa_reach_work    work;
    double          *product; // per coordinate
    double          *unit;    // scratch, per coordinate
    int             *member;  // scratch of arm_cylinder_needs.c
    double          *number;
} fa_arm_cylinders;

// Memory and rows. To an inverse cylinders do nothing, whatever drives its joints being one torque
// each; it says which forces of theirs would give these torques.
void      fa_arm_cylinders_lay_out(fa_arena *arena, fa_arm_cylinders *to, int n, size_t bodies,
                                   size_t coordinates, bool screws);
void      fa_arm_cylinders_prepare(struct fa_arm *arm, const fa_robot *robot,
                                   const fa_variables *variables, const int link_body[],
                                   const fa_transform link_frame[]);
fa_status fa_arm_cylinders_configure(const struct fa_arm *arm, const double value[],
                                     fa_error *error);

// Lengths, forces and flows at these values; whatever follows is about them.
fa_status fa_arm_cylinders_trace(struct fa_arm *arm, const double value[], fa_error *error);

// For one of them, after that: evaluate its laws into arm->cylinders.axis; and compute (d^2L/dq^2)
// direction, in scratch memory.
void          fa_arm_cylinder_record(const struct fa_arm *arm, const fa_arm_cylinder *cylinder,
                                     const double value[]);
const double *fa_arm_cylinder_curvature(const struct fa_arm *arm, const fa_arm_cylinder *cylinder,
                                        const double value[], const double direction[]);

// Returns the tangents of its levers, in scratch memory; and adds to the adjoints of pitches
// `weight` times the derivative of what was found last: of the length, or of a curvature's rate.
const double *fa_arm_cylinder_lever_tangents(const struct fa_arm   *arm,
                                             const fa_arm_cylinder *cylinder, const double value[],
                                             const double direction[]);
void fa_arm_cylinder_pitch_adjoints(const struct fa_arm *arm, const fa_arm_cylinder *cylinder,
                                    double weight, double adjoint[]);

// The tangent of its force, and adjoints from that of it.
double fa_arm_cylinder_force_tangent(const struct fa_arm *arm, const fa_arm_cylinder *cylinder,
                                     const double value[], const double direction[]);
void   fa_arm_cylinder_force_adjoint(const struct fa_arm *arm, const fa_arm_cylinder *cylinder,
                                     const double value[], double wanted, double adjoint[]);

// Part of arm_reactions.c (arm_cylinder_reactions.c): adds what cylinders do to links, with its
// tangent; adjoints go on from arm->outputs->parts.wrench_adjoint. There, motion, motion_tangent
// and motion_adjoint are those of the links.
void fa_arm_cylinder_wrenches(const struct fa_arm *arm, const double value[], fa_wrench wrench[]);
void fa_arm_cylinder_wrench_tangents(const struct fa_arm *arm, const double value[],
                                     const double direction[], fa_wrench wrench_tangent[]);
void fa_arm_cylinder_wrench_adjoints(const struct fa_arm *arm, const double value[],
                                     double adjoint[]);

// For an inverse, after its torques are in arm->result (arm_cylinder_needs.c): groups of cylinders
// that share joints, their forces and rows; with the tangent of the torques, and their adjoints,
// which are added to.
size_t    fa_arm_cylinders_need_numbers(size_t cylinders, size_t coordinates); // scratch
void      fa_arm_cylinders_join(struct fa_arm *arm);
fa_status fa_arm_cylinders_need(struct fa_arm *arm, fa_error *error);
void      fa_arm_cylinders_put_needs(const struct fa_arm *arm, double value[]);
void      fa_arm_cylinders_need_tangent(struct fa_arm *arm, const double value[],
                                        const double torque_tangent[], double direction[]);
void      fa_arm_cylinders_need_adjoint(struct fa_arm *arm, const double value[],
                                        double torque_adjoint[], double adjoint[]);

// Part of fa_arm_by_state (arm_cylinder_jacobian.c): adds to accelerations what the torques of
// cylinders change, and fills the rows of their own states. arm->by_tau is known.
void fa_arm_cylinders_by_state(const struct fa_arm *arm, const fa_state_rows *states,
                               const double value[], double by_state[]);

// Part of fa_arm_event: spools meet ends of their strokes. Tells whether a state has jumped.
bool fa_arm_cylinders_switch(const struct fa_arm *arm, double value[]);

// Part of fa_arm_drives and its derivatives: adds to torques and powers.
void fa_arm_cylinders_push(const struct fa_arm *arm, double tau[], double power[]);
void fa_arm_cylinders_push_tangent(const struct fa_arm *arm, const double value[],
                                   const double direction[], double tau_tangent[],
                                   double power_tangent[]);
void fa_arm_cylinders_push_adjoint(const struct fa_arm *arm, const double value[],
                                   const double tau_adjoint[], const double power_adjoint[],
                                   double adjoint[]);

// Rows of the groups asked for: values, tangents, and what adjoints of them are for what is known.
bool fa_arm_cylinders_finite(const struct fa_arm *arm);
void fa_arm_cylinders_put(const struct fa_arm *arm, double value[], unsigned groups);
void fa_arm_cylinders_put_tangent(const struct fa_arm *arm, const double value[],
                                  double direction[], unsigned groups);
void fa_arm_cylinders_put_adjoint(const struct fa_arm *arm, const double value[], double adjoint[],
                                  unsigned groups);

// In this order; see axis_rows.h.
void fa_arm_cylinder_parameters(const fa_robot *robot, fa_variables *variables);
void fa_arm_cylinder_inputs(const fa_robot *robot, fa_variables *variables);
void fa_arm_cylinder_states(const fa_robot *robot, fa_variables *variables);
void fa_arm_cylinder_outputs(const fa_robot *robot, fa_variables *variables);
void fa_arm_cylinder_needs(const fa_robot *robot, fa_variables *variables); // of an inverse
void fa_arm_cylinder_locals(const fa_robot *robot, fa_variables *variables);
void fa_arm_cylinder_indicators(const fa_robot *robot, fa_variables *variables);

// Return true for the rows of cylinders, computed or known.
bool fa_arm_is_cylinder_row(const fa_variable *row);
// Dependence of a cylinder's result on a known row.
bool fa_arm_cylinder_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *on);
// Some cylinder's force, by what is known of cylinders, such that the joint of link `of` feels it;
// `together` says whether two links' joints feel each other.
bool fa_arm_cylinder_force_depends(const fa_robot *robot, const fa_variable *on, int of,
                                   bool (*together)(const fa_robot *, int, int));
// The force that an inverse needs of some cylinder, by anything known: it hangs on the torques at
// the joints that cylinders drive.
bool fa_arm_cylinder_need_depends(const fa_robot *robot, const fa_variable *on,
                                  bool (*needed)(const fa_robot *, int, const fa_variable *));
// Some cylinder's force changes with the position of this free joint (or its velocity, too).
bool fa_arm_cylinder_spans(const fa_robot *robot, int link);

#endif
