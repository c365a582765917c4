// The internals of a workspace.
#ifndef FA_WORKSPACE_H
#define FA_WORKSPACE_H

#include "arm.h"
#include "forearm.h"
#include "jacobians.h"
#include "lanes.h"
#include "state.h"

struct fa_workspace {
    const fa_robot *robot;
    fa_arm         *arm;         // its memory, with the parameters' values as bodies
    fa_chain        chain;       // these bodies, on fixed ground, without locks
    int             n;           // coordinates
    int             n_positions; // of q: one more for each ball
    int             n_parameters;
    double         *value;         // of the arm's rows
    double         *lower, *upper; // bounds of the parameters
    double         *before;        // their values, while new ones are tried
    void           *batch;         // of fa_forward_batch

    int          *link_body; // of all links of the robot …
    fa_transform *link_frame;
    int          *mass_body; // … and of those with mass parameters
    fa_transform *mass_frame;
    int           n_mass;

    // Steps of one length in lanes; in_lanes is false where there is no right-hand side there.
    bool          in_lanes, single; // single: steps are taken in single precision
    bool          has_lanes;        // there is memory for lanes
    int           filled; // lanes that have the parameters; -1: they have not been placed since
    fa_lanes     *lanes;
    fa_lane_plan  plan;
    fa_state_rows states;
    fa_state_row *state_row;
    double       *nominal, *kept[2]; // q and qd of all lanes, before a call

    double            *zero, *tau, *qdd, *push; // n numbers each
    double            *matrix[3];               // n x n each
    double            *direction;               // of the arm's rows
    double            *stage[6];                // of Runge and Kutta
    fa_transform      *pose;                    // of bodies
    fa_motion         *motion;
    fa_motion_tangent *motion_tangent;
    fa_wrench         *wrench;
    fa_mat3           *turn;
    void              *work; // of one method after the other

    struct fa_bare_mechanism *bare; // of a mechanism; NULL: `arm` is the robot itself
    fa_error                  lack; // what its inverse dynamics lacks, FA_OK: nothing
};

// Fails with a sentence unless the robot is of links and joints that move, without a circuit.
fa_status fa_workspace_fits(const fa_robot *robot, fa_error *error);

// The plan of a state's motions in lanes, with `states`, `row` and `nominal` for it to point to.
fa_lane_plan fa_plan_of(const fa_state *state, fa_state_rows *states, fa_state_row row[],
                        double nominal[]);

// A fixed step of one state by the readable methods; torques or targets `held`.
fa_status fa_steps_of_one(fa_workspace *workspace, const fa_lane_steps *call, const double held[],
                          double q[], double qd[]);

// Parameters in which states differ: state k has row (from + k) % rows of n values.
typedef struct fa_lane_table {
    int           n;
    const int    *parameter;
    const double *value;
    size_t        from, rows;
} fa_lane_table;

// Lanes that keep the parameters of as many states as they are: all zero at first; free the block.
typedef struct fa_lane_group {
    void     *block;
    fa_lanes *lanes;
} fa_lane_group;

// Returns what inverse dynamics of this robot lacks, such as drives of its loops; FA_OK: nothing.
const fa_error *fa_workspace_lack(const fa_workspace *workspace);

int fa_lanes_of(const fa_workspace *workspace);

// Lanes of this precision, of which n have the workspace's parameters.
fa_lanes *fa_lanes_ready(fa_workspace *workspace, bool single, int n);

// fa_fixed_steps of states with parameters of their own, as many at once as there are lanes; the
// workspace has those of some state then. `groups`: one for each fa_lanes_of rows of the table,
// filled when they are first used, where `from` is a multiple of it and no row comes twice; NULL:
// nothing is kept.
fa_status fa_fixed_steps_of_own(fa_workspace *workspace, size_t states, const fa_lane_table *table,
                                fa_step_method method, int steps, double step,
                                const fa_servos *servos, fa_lane_group *groups, const double *held,
                                double *q, double *qd);

// Checks a call, and returns the arguments for lanes.
fa_lane_steps fa_lane_call(fa_step_method method, int steps, double step, const fa_servos *servos,
                           fa_lane_servos *of_lanes);

// The largest number of states that the batch kernel is handed at once.
#define FA_ROWS_AT_ONCE ((size_t)1 << 20)

// A function of one state; number k of the arguments has size[k] numbers of each.
#define FA_ROW_ARGUMENTS 4
typedef struct fa_row_call {
    size_t        size[FA_ROW_ARGUMENTS]; // 0: there is no such argument
    const double *in[FA_ROW_ARGUMENTS];
    size_t        out_size[3]; // 0: there is no such result
    double       *out[3];
    int           frame, n_parameters;
    const int    *parameter;
} fa_row_call;

// `in` and `out` of `call` stand at one state there.
typedef fa_status fa_row_fn(fa_workspace *workspace, const fa_row_call *call);

// Every state in turn: results of those that fail are NaN.
fa_status fa_rows(const fa_robot *robot, fa_workspace *workspace, size_t states,
                  const fa_row_call *call, fa_row_fn *row);

// Frames of the bodies in w->chain, at the coordinates q of these: as a matrix, its Jacobian, and
// its acceleration at these speeds and accelerations; qdd NULL: zero.
void fa_frame_matrix(fa_workspace *w, const double q[], int frame, double T[]);
void fa_frame_jacobian(fa_workspace *w, const double q[], int frame, double J[]);
void fa_frame_drift(fa_workspace *w, const double q[], const double qd[], const double qdd[],
                    int frame, double acceleration[]);

// As fa_parameter_derivatives, with a wrench at the tip that stays as it is, six numbers in world
// axes; NULL: none.
fa_status fa_parameter_derivatives_pushed(const fa_robot *robot, fa_workspace *workspace,
                                          size_t states, const double *q, const double *qd,
                                          const double *qdd, const double *wrench, int m,
                                          const int parameter[], double *by);

// As fa_forward with a wrench at the tip, which needs no inverse dynamics as fa_tip_torque does;
// and the derivatives of these accelerations by parameters, under efforts that are held. Both are
// of mechanisms: other robots get FA_UNFIT and NaN.
fa_status fa_forward_pushed(const fa_robot *robot, fa_workspace *workspace, size_t states,
                            const double *q, const double *qd, const double *tau,
                            const double *wrench, double *qdd);
fa_status fa_forward_by_parameters(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                   const double *q, const double *qd, const double *tau,
                                   const double *wrench, int m, const int parameter[], double *by);

// Adds the torques of a force and a torque, six numbers in world axes, at a point of a body in
// world coordinates: their power at the speeds that one coordinate after the other has. Reads
// w->pose.
void fa_add_push(const fa_workspace *w, int body, fa_vec3 point, const double push[], double tau[]);

// Converts a wrench at the tip, six numbers in world axes, to wrenches on the bodies at q.
fa_load fa_tip_load(fa_workspace *workspace, const double q[], const double wrench[],
                    fa_load_turn *turn);

#endif
