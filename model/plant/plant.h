// Interface of a plant: the variables of an FMU, and the functions that compute them. Adding a
// plant touches its own file and one row of the table in plant.c.
#ifndef FA_PLANT_H
#define FA_PLANT_H

#include <stddef.h>
#include <stdint.h>

#include "robot.h"
#include "variables.h"

typedef enum fa_dependence {
    FA_INDEPENDENT, // the derivative is always zero
    FA_DEPENDENT,
    FA_PROPORTIONAL // the derivative is a constant
} fa_dependence;

// A discrete update: why it is made, and its results besides discrete rows.
typedef struct fa_event {
    bool   initial; // in: first update of a run, at the end of initialisation
    bool   seen;    // in: `notable` has returned true since the last update or renewal of flags
    bool   states_changed; // out: a state is discontinuous
    bool   again;          // out: another update is due at the same time
    bool   timed;          // out: a time event is due at next_time
    double next_time;      // [s]
} fa_event;

// The structural parameter of a family of robots: a snake's number of links. With variables as
// arrays, the host sets it in configuration mode.
typedef struct fa_structure {
    const char *name; // links
    const char *about;
    int         most;
    int (*now)(const fa_robot *robot);
    int (*least)(const fa_robot *robot); // least value that this robot's other options allow
    // Returns the same robot with n parts, released with free(); it has passed fa_robot_check.
    fa_status (*resize)(const fa_robot *robot, int n, fa_robot **resized, fa_error *error);
} fa_structure;

// The rows of a group are computed from rows of other groups.
typedef struct fa_group_needs {
    unsigned group;
    unsigned others; // bit set
} fa_group_needs;

// Solver of the linear equations (sigma - J) x = b of an implicit integrator, where J is the matrix
// of fa_plant.jacobian, in time and memory proportional to the number of states. The plant's memory
// keeps the linearisation between calls. All three vectors have one entry for each state.
typedef struct fa_implicit {
    // Linearises: stores J at `value`, like fa_plant.jacobian; `direction` is scratch.
    fa_status (*linearise)(void *self, const double value[], double direction[], fa_error *error);
    // out = J x
    void (*multiply)(const void *self, const double x[], double out[]);
    // Prepares `solve` for this sigma > 0. False: the equations are too ill-conditioned; a larger
    // sigma helps.
    bool (*factor)(void *self, double sigma);
    // Solves in place: on entry b, on return x.
    void (*solve)(void *self, double b[]);
} fa_implicit;

// `value` has one entry per row of the table, integers and Booleans as doubles.
typedef struct fa_plant {
    const char         *name; // as in fa_robot.plant
    const char         *about;
    bool                exact;     // `depends` is exact: geometry removes no effect
    const fa_structure *structure; // NULL: the size is fixed

    // Prerequisites of groups, ended by a row with `group` 0; NULL: none. This table is the only
    // place that declares them: fa_plant_variables and fa_plant_evaluate add them to the groups of
    // rows.
    const fa_group_needs *needs;

    // Declares the variables, each with the group that computes it. Runs twice (variables.h).
    fa_status (*declare)(const fa_robot *robot, fa_variables *variables, fa_error *error);

    // Returns the dependence of the computed row `unknown` on row `known`, the other knowns being
    // constant. A parameter that a state starts from represents this state: it is known until
    // initialisation ends, the state afterwards.
    fa_dependence (*depends)(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known);

    // Returns the size of the plant and its scratch in bytes; the caller aligns to 16 bytes.
    size_t (*size)(const fa_robot *robot);

    // Initialises the plant in `self`, all bytes of it. It keeps no pointer to the robot nor to the
    // table.
    void (*prepare)(void *self, const fa_robot *robot, const fa_variables *variables);

    // Reads the parameters. Called after prepare and whenever a parameter has changed.
    fa_status (*configure)(void *self, const double value[], fa_error *error);

    // Called before a tunable parameter changes during a run: adapts the discrete rows that keep
    // the motion continuous. NULL: there are none.
    void (*tune)(void *self, double value[], int row, double next);

    // Evaluates the rows of these groups (a bit set of fa_variable.group) from parameters, inputs,
    // states, time and the rows of prerequisite groups, which are valid in `value`. Changes no
    // other row, and none at all on failure. Only fa_plant_evaluate calls it.
    fa_status (*evaluate)(void *self, double value[], unsigned groups, fa_error *error);

    // Tangent (directional derivative): `direction` contains a direction of parameters, inputs and
    // states, and receives the tangents of all computed rows of these groups. These groups, and
    // that of the derivatives, have been evaluated at `value`.
    fa_status (*tangent)(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error);

    // Adjoint, the transpose, in one sweep. On entry `adjoint` contains the adjoints of the
    // computed rows of these groups; the adjoints of parameters, inputs and states are added to
    // their rows. As for tangent, the groups have been evaluated.
    fa_status (*adjoint)(void *self, const double value[], double adjoint[], unsigned groups,
                         fa_error *error);

    // Jacobian of the states' derivatives by the states, like tangents of all columns: n x n for n
    // states, row i belongs to the derivative of state i. The derivatives have been evaluated at
    // `value`; `direction` is scratch, one number for each row of the table. FA_UNFIT, with the
    // error unchanged: not available in this state, use tangents. NULL: never available.
    fa_status (*jacobian)(void *self, const fa_state_rows *states, const double value[],
                          double direction[], double by_state[], fa_error *error);
    const fa_implicit *implicit; // solver for implicit integrators; NULL: they factor the matrix

    // Discrete update: recomputes discrete rows, such as modes of friction and stops, from the
    // continuous values, and may set states. Called at the end of initialisation, in event mode,
    // and when an indicator has changed its sign. Between two events modes are constant: evaluate
    // uses the discrete rows and not the indicators' signs. Indicators have hysteresis: none is
    // zero right after an update. NULL: no events.
    fa_status (*event)(void *self, double value[], fa_event *event, fa_error *error);

    // Renews flags: discrete rows that no other row depends on, such as that of a wheel that would
    // slip. They have no indicators and do not interrupt steps. Called where a host may see
    // discrete rows change: `event` includes it, and Co-Simulation calls it at communication
    // points. NULL: no flags.
    fa_status (*note)(void *self, double value[], bool seen, fa_error *error);

    // Sets *seen if a flag must report the present state even if it has passed by the next renewal.
    // Called after each accepted integrator step; `note` or `event` receive the result as `seen`.
    // NULL with `note`.
    fa_status (*notable)(void *self, const double value[], bool *seen, fa_error *error);

    // Called after each accepted integrator step: stores the starting point of iterations in
    // discrete rows; `event` includes it. *moved is false on entry; true: the starting point has
    // changed, so that an evaluation here may have other last bits. NULL: no iterations.
    fa_status (*accept)(void *self, double value[], bool *moved, fa_error *error);

    // Returns a sentence about the motion since initialisation that a user should read once, valid
    // until the next call; NULL: no new one. The function is NULL if there are no warnings.
    const char *(*warning)(void *self);
} fa_plant;

// The groups of all plants; further bits belong to the plant.
#define FA_GROUP_DERIVATIVES 1u
#define FA_GROUP_ALL         (~0u)

extern const fa_plant *const fa_plants[];
extern const int             fa_plant_count;

// Returns NULL if there is no such plant.
const fa_plant *fa_plant_find(const char *name);

// Returns these groups and their prerequisites.
unsigned fa_plant_groups(const fa_plant *plant, unsigned groups);

// Evaluates the rows of these groups and their prerequisites. `fresh`, unless NULL, is the bit set
// of groups that are valid for the current values, which are skipped; it is updated.
fa_status fa_plant_evaluate(const fa_plant *plant, void *self, double value[], unsigned groups,
                            uint32_t *fresh, fa_error *error);

// Builds the table of a robot: the solver's parameters, then the plant's own, then time. A row's
// group includes its prerequisites. The table is one block: release `*block` with free(). Its names
// point into it.
//
// A table can only be built from a robot that has passed fa_robot_check, and preparing a plant
// requires a table; so no reader of robots can bypass the checks.
fa_status fa_plant_variables(const fa_plant *plant, const fa_robot *robot, bool described,
                             fa_variables *variables, void **block, fa_error *error);

// Returns true if the plant has events in time: an indicator, or a discrete input.
bool fa_plant_switches(const fa_plant *plant, const fa_variables *variables);

// Rows of the solver's parameters, the first of each table.
enum { FA_ROW_SOLVER, FA_ROW_SOLVER_STEP, FA_ROW_SOLVER_TOLERANCE, FA_COMMON_ROWS };

// Name of the parameter that makes the last bits independent of the processor.
#define FA_DETERMINISTIC "deterministic"

// Default experiment of FMUs and of `forearm simulate`, [s]: an arm falls and swings, and the steps
// draw a smooth curve.
#define FA_DEFAULT_STOP 5.0  // [s]
#define FA_DEFAULT_STEP 0.01 // [s]

// Values of the parameter `solver`, as in docs/robot-file.md.
enum {
    FA_SOLVER_AUTOMATIC,
    FA_SOLVER_DORMAND_PRINCE,
    FA_SOLVER_KUTTA3,
    FA_SOLVER_RUNGE_KUTTA4,
    FA_SOLVER_ROSENBROCK
};

#endif
