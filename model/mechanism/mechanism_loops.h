// Closed loops of a mechanism: computes positions and speeds of dependent joints from those of the
// independent ones, before the arm inside is evaluated.
#ifndef FA_MECHANISM_LOOPS_H
#define FA_MECHANISM_LOOPS_H

#include "arm_weight_loops.h"
#include "loop_derivatives.h"
#include "mechanism.h"

// A joint that moves. Rows are of the outer table; rows of a vector stand one behind the other.
typedef struct fa_mechanism_joint {
    const char *name;
    int         first;   // coordinate of the arm
    int         sliding; // coordinates that are positions of their own; a ball's three follow
    int         ball;    // in the mechanism's list, or FA_NOBODY
    bool        dependent;
    int         position, velocity, acceleration, accepted, initial;
} fa_mechanism_joint;

struct fa_mechanism_loops {
    fa_loops           *loops; // NULL: there was no memory to build them
    fa_loop_work        work;
    fa_loop_tangent     tangent;
    fa_weight_loops    *weight;      // of servos that make up for the weight; NULL: none
    void               *by_clusters; // of the method
    int                 n_joints;
    fa_mechanism_joint *joint;
    double             *goal, *change, *part; // of coordinates
    double             *tangent_from;         // accepted rows that `tangent_G` is of, by joints
    double             *tangent_G;            // cache: G there
    bool                has_tangent_G;
    fa_mat3            *frame; // of balls: where they are to be
    double              regularity;
    bool  is_told, is_new; // the warning of a dead point was given; it has not been read yet
    char  sentence[1200];
    bool *open;            // of loops: fa_loop.open
    fa_transform *from;    // of constraints: as the robot's file has it
    double       *advance; // of bodies: adjoints of screws' advances
    double       *zero;    // of coordinates
    double       *turned;  // likewise: of an inverse's tangent, what balls' friction changes by
    double       *start;   // of coordinates: the initial positions of the file
    int           error, regularity_row, placed; // rows, the first of each
    bool          has_forces;
    int           first_force, n_forces; // all their rows
    int          *force_of;              // of loops: the row of the force's x, or FA_NO_ROW
};

// Takes parameters over: a loop whose frame on the predecessor no file says has it where the
// initial positions put it, once a host has set those of its dependent joints.
void fa_mechanism_configure_loops(fa_mechanism *m, const double value[]);

// The joints' dependent coordinates at the independent ones that the arm's values have; then the
// rows of dependent balls. FA_SINGULAR with a sentence at a dead point.
fa_status fa_mechanism_close(fa_mechanism *m, const double value[], fa_error *error);

// Rows of what closing has found, and of forces in loops.
fa_status fa_mechanism_give_loops(fa_mechanism *m, double value[], unsigned groups,
                                  fa_error *error);

// Notes, once in a run, that a dead point is near where closing has come to; `initial`: a run
// begins. FA_SINGULAR where a motion has come so near to a dead point of the choice that speeds of
// dependent joints are lost in the solver's errors.
fa_status fa_mechanism_watch(fa_mechanism *m, const double value[], bool initial, fa_error *error);

// Keeps the positions that closing has found as those that the next ones are found from.
void fa_mechanism_keep(const fa_mechanism *m, double value[]);

// Completes tangents that stand in m->change, and gives those of dependent joints; the transposes.
fa_status fa_mechanism_step_loops(fa_mechanism *m, fa_error *error);
void fa_mechanism_give_loop_tangents(const fa_mechanism *m, double direction[], unsigned groups);
void fa_mechanism_take_loop_adjoints(fa_mechanism *m, const double adjoint[], unsigned groups);
fa_status fa_mechanism_slope_loops(fa_mechanism *m, const double adjoint[], unsigned groups,
                                   fa_error *error);

#endif
