// A plant is what an FMU runs: variables, and the functions that compute them from each other.
// Adding one touches its own file and one row of the table in plant.c.
#ifndef FA_PLANT_H
#define FA_PLANT_H

#include <stddef.h>
#include <stdint.h>

#include "robot.h"
#include "variables.h"

typedef enum fa_dependence {
    FA_INDEPENDENT, // the derivative is zero, whatever the values
    FA_DEPENDENT,
    FA_PROPORTIONAL // the derivative is the same number, whatever the values
} fa_dependence;

// What a discrete update is for, and what it did beyond bringing discrete rows into line.
typedef struct fa_event {
    bool   initial;        // in: initialisation ends, and this is the first update of a run
    bool   seen;           // in: `notable` has said so since flags were renewed last
    bool   states_changed; // some state has jumped
    bool   again;          // another update is due at the same time
    bool   timed;          // an event is due at next_time, whatever the indicators say
    double next_time;      // [s]
} fa_event;

// The number that a robot's size follows from, where one robot stands for any of its kind: a
// snake's links. Where variables are shown as arrays, the host sets it in configuration mode.
typedef struct fa_structure {
    const char *name; // links
    const char *about;
    int         most;
    int (*now)(const fa_robot *robot);
    int (*least)(const fa_robot *robot); // that this robot's other options leave possible
    // The same robot with n of them, released with free(); it has passed fa_robot_check.
    fa_status (*resize)(const fa_robot *robot, int n, fa_robot **resized, fa_error *error);
} fa_structure;

// That rows of one group are computed from rows of others.
typedef struct fa_group_needs {
    unsigned group;
    unsigned others; // a union
} fa_group_needs;

// The linear equations (sigma - J) x = b of an implicit integrator, J being the Jacobian that
// fa_plant.jacobian gives as a matrix, for plants that solve them in time and memory that grow like
// the number of states. What is kept from one call to the next is in the plant's memory. All three
// vectors have one entry for each state.
typedef struct fa_implicit {
    // Keeps J as it is at `value`, as fa_plant.jacobian finds it; `direction` is scratch.
    fa_status (*linearise)(void *self, const double value[], double direction[], fa_error *error);
    // out = J x
    void (*multiply)(const void *self, const double x[], double out[]);
    // Prepares `solve` for this sigma > 0. False: these equations have no solution that numbers
    // can tell; a larger sigma has.
    bool (*factor)(void *self, double sigma);
    // On entry b, on return x.
    void (*solve)(void *self, double b[]);
} fa_implicit;

// `value` has one entry per row of the table, integers and Booleans as doubles.
typedef struct fa_plant {
    const char         *name; // as in fa_robot.plant
    const char         *about;
    bool                exact;     // `depends` is the whole truth: no geometry leaves an effect out
    const fa_structure *structure; // NULL: the robot is what it is

    // Which groups are computed from rows of others, a row with `group` 0 last; NULL: none are.
    // This is the one place that says so: the groups of a table's rows (fa_plant_variables) and
    // those that fa_plant_evaluate asks for include what they need.
    const fa_group_needs *needs;

    // Lists the variables, each with the group that computes it. Runs twice (variables.h).
    fa_status (*declare)(const fa_robot *robot, fa_variables *variables, fa_error *error);

    // Whether row `unknown`, which is calculated, changes with row `known` when everything else
    // that is known stays. A parameter that a state starts from stands for this state: it is known
    // until initialisation ends, the state afterwards.
    fa_dependence (*depends)(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known);

    // Bytes for itself and its scratch memory, 16-byte aligned by the caller.
    size_t (*size)(const fa_robot *robot);

    // Lays itself out in `self` and sets all of its memory, whatever that held before. It keeps no
    // pointer to the robot nor to the table.
    void (*prepare)(void *self, const fa_robot *robot, const fa_variables *variables);

    // Takes over the parameters. Called after prepare and whenever a parameter has changed.
    fa_status (*configure)(void *self, const double value[], fa_error *error);

    // Before a tunable parameter takes another value while a run goes on: changes the discrete rows
    // that keep the motion continuous. NULL: there are none.
    void (*tune)(void *self, double value[], int row, double next);

    // Calculates the rows of the groups asked for (a union of fa_variable.group bits) from
    // parameters, inputs, states, time and the rows of the groups that these need: what is not
    // asked for of those stands in `value` already. Changes no other row, and none at all if it
    // fails. Only fa_plant_evaluate calls it.
    fa_status (*evaluate)(void *self, double value[], unsigned groups, fa_error *error);

    // Directional derivative: `direction` holds a tangent in parameters, inputs and states, and
    // receives the resulting one of every calculated row of the groups asked for. These groups, and
    // that of the derivatives, have been evaluated at `value`.
    fa_status (*tangent)(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error);

    // Its transpose, in one sweep. On entry `adjoint` holds, in the calculated rows of the groups
    // asked for, the adjoint of some quantity with respect to each; what follows for parameters,
    // inputs and states is added to their rows. As for tangent, the groups have been evaluated.
    fa_status (*adjoint)(void *self, const double value[], double adjoint[], unsigned groups,
                         fa_error *error);

    // Change of the derivative of every state with every state, as tangent column by column gives
    // it: n x n for n states, row i that of the derivative of state i. The derivatives have been
    // evaluated at `value`; `direction` is scratch, one for each row of the table. FA_UNFIT, with
    // the error left alone: this plant cannot here, take tangents. NULL: it never can.
    fa_status (*jacobian)(void *self, const fa_state_rows *states, const double value[],
                          double direction[], double by_state[], fa_error *error);
    const fa_implicit *implicit; // what implicit integrators take in its place; NULL: the matrix

    // Discrete update: brings discrete rows, such as modes of friction and stops, into line with
    // the continuous values, and lets states jump. Runs when initialisation ends, in event mode,
    // and where an indicator has changed its sign; between two events no relation is decided anew,
    // so evaluate follows the discrete rows and not the signs. Indicators have hysteresis: right
    // after an update none is zero. NULL: nothing switches.
    fa_status (*event)(void *self, double value[], fa_event *event, fa_error *error);

    // Brings discrete rows into line that only tell of the motion, such as a wheel that would slip:
    // nothing else follows from them, so they have no indicator and stop nobody's tangent. Runs
    // where a host may see discrete rows change: `event` does the same, and Co-Simulation does it
    // at communication points. NULL: there are none.
    fa_status (*note)(void *self, double value[], bool seen, fa_error *error);

    // Whether something happens here that these rows must tell of even when it is over: asked where
    // a step of an integrator has been accepted, and handed to `note` or `event` as `seen`. NULL
    // with `note`.
    fa_status (*notable)(void *self, const double value[], bool *seen, fa_error *error);

    // Hears that a step of an integrator has been accepted here, and keeps in discrete rows what
    // later evaluations begin their search from; `event` does the same. *moved is false; true: it
    // has kept something, so that an evaluation here may have other last bits than the one before.
    // NULL: none searches.
    fa_status (*accept)(void *self, double value[], bool *moved, fa_error *error);

    // What `accept` or `event` has found since initialisation that a user should hear once: a
    // sentence that stays until the next call. NULL: nothing new. NULL: there is never such a
    // thing.
    const char *(*warning)(void *self);
} fa_plant;

// The groups that every plant has; further bits are a plant's own.
#define FA_GROUP_DERIVATIVES 1u
#define FA_GROUP_ALL         (~0u)

extern const fa_plant *const fa_plants[];
extern const int             fa_plant_count;

// NULL if there is no such plant.
const fa_plant *fa_plant_find(const char *name);

// These groups, and all that they need.
unsigned fa_plant_groups(const fa_plant *plant, unsigned groups);

// Brings the rows of these groups, and of all that they need, up to date. `fresh` is NULL or holds
// the groups that have been evaluated at these very values; those that are now are added.
fa_status fa_plant_evaluate(const fa_plant *plant, void *self, double value[], unsigned groups,
                            uint32_t *fresh, fa_error *error);

// The whole table of a robot: the solver's parameters, then the plant's own, then time; a row's
// groups are all that have to be evaluated for it. The table is one block: release `*block` with
// free(). Its names point into it.
//
// Every plant is prepared with a table, and a table is made of a robot that fa_robot_check has
// passed, of no other: so no reader can leave the rules out.
fa_status fa_plant_variables(const fa_plant *plant, const fa_robot *robot, bool described,
                             fa_variables *variables, void **block, fa_error *error);

// Whether something can switch while time goes on: there is an indicator, or a discrete input.
bool fa_plant_switches(const fa_plant *plant, const fa_variables *variables);

// Rows of the parameters that every Co-Simulation FMU has, the first of each table.
enum { FA_ROW_SOLVER, FA_ROW_SOLVER_STEP, FA_ROW_SOLVER_TOLERANCE, FA_COMMON_ROWS };

// The parameter of plants whose last bits depend on the processor unless it is true.
#define FA_DETERMINISTIC "deterministic"

// How long and how finely an FMU proposes to be simulated, and `forearm simulate` does it: enough
// to see an arm fall and swing, in steps that draw a smooth curve.
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
