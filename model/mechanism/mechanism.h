// The plants "mechanism" and "inverse-mechanism": an arm some of whose joints have several
// freedoms. Hosts see each such joint as one, with positions, a quaternion and speeds in the axes
// of its frame on the parent; inside stands an ordinary arm, whose joints have one freedom each
// (joint_parts.h), with values of its own. What hosts see is mapped to what the arm takes, the arm
// computes, and its results are mapped back; so are tangents and adjoints.
//
// mechanism_layout.c finds memory and rows, mechanism.c runs the plant, ball.c maps a ball.
#ifndef FA_MECHANISM_H
#define FA_MECHANISM_H

#include "arm.h"
#include "ball.h"

extern const fa_plant fa_mechanism_plant;
extern const fa_plant fa_inverse_mechanism_plant;

// Rows that stand for the same in both tables, one behind the other, of one role and group.
typedef struct fa_mechanism_span {
    int      outer, inner, n;
    unsigned group;
    uint8_t  role;
} fa_mechanism_span;

// A ball, of a spherical or a floating joint: rows of the outer table, FA_NO_ROW where there is
// none, and the first of the arm's three bodies.
typedef struct fa_mechanism_ball {
    int           body;
    int           initial;  // quaternion
    int           position; // quaternion; the others are vectors
    int           velocity, acceleration, effort;
    int           rate;        // of the quaternion
    fa_mat3       origin;      // of the joint: its frame on the parent, from the parent's body
    fa_quaternion home;        // the same
    const char   *name;        // of the joint
    int           link;        // that the first of its turns holds, of the robot in parts
    fa_mat3       link_origin; // as `origin`, from that link's parent
    fa_ball       now;         // at the values that were taken last
    double        past[FA_BALL_INNER]; // adjoints that go past the arm inside
} fa_mechanism_ball;

// The viscous friction of a joint of several freedoms acts at each of its bodies.
typedef struct fa_mechanism_friction {
    int outer, body, n;
} fa_mechanism_friction;

// A column of the Jacobian and of the mass matrix: a coordinate of the arm, or an axis of a ball
// whose coordinates begin there.
typedef struct fa_mechanism_column {
    int coordinate, ball, axis;
} fa_mechanism_column;

typedef struct fa_mechanism {
    fa_arm                *arm;
    const fa_plant        *plant; // that the arm is
    fa_robot              *robot; // in parts
    bool                   inverse;
    int                    n_rows, n_outer; // of the arm's table and of the host's
    double                *value;           // of the arm
    double                *change;          // tangents or adjoints of them
    int                    n_spans, n_balls, n_frictions;
    fa_mechanism_span     *span;
    fa_mechanism_ball     *ball;
    fa_mechanism_friction *friction;

    // mechanism_matrices.c
    int                  n_columns, jacobian_row, mass_row; // rows of the outer table
    fa_mechanism_column *column;
    double              *P, *dP; // columns one behind the other
    double              *product;

    int     n_known;   // rows before the outputs
    double *direction; // of the outer table, for adjoints by tangents; NULL: not needed

    struct fa_mechanism_loops *loops; // mechanism_loops.h; NULL: there are none
} fa_mechanism;

// Computes the arm's arguments of a ball from the quaternion and angular velocity in ball->now.
void fa_mechanism_take_ball_rest(fa_mechanism *m, fa_mechanism_ball *ball, const double value[]);

size_t fa_mechanism_size(const fa_robot *robot);
void   fa_mechanism_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
void fa_inverse_mechanism_prepare(void *self, const fa_robot *robot, const fa_variables *variables);

// The arm's values at these of the host's, accelerations included.
const double *fa_mechanism_take(fa_mechanism *mechanism, const double value[]);

// Rows of efforts of the arm's coordinates, `width` numbers each, to those of the host's axes.
void fa_mechanism_turn_efforts(const fa_mechanism *mechanism, int width, double effort[]);

// Returns the outer row of a row of the arm; FA_NO_ROW: none.
int fa_mechanism_outer_row(const fa_mechanism *mechanism, int inner);

#endif
