// An instance of the FMU, independent of the standard; fmi2.c and fmi3.c translate.
//
// One block of memory holds everything that a run needs: the instance, the packed robot, the plant
// and scratch memory. The mutable part is one fa_moment without pointers, so that saving it is one
// copy. If the host changes the robot's size (configuration.c), a second block has the same layout
// for the new size. Names and dependencies are built lazily (recall.c).
#ifndef FA_INSTANCE_H
#define FA_INSTANCE_H

#include <stddef.h>
#include <stdint.h>

#include "arithmetic.h"
#include "categories.h"
#include "limited_joints.h"
#include "modes.h"
#include "plant.h"
#include "port.h"
#include "probe.h"
#include "robot_file.h"
#include "trajectory.h"
#include "view.h"

// Status of a call; the values are those of fmi2Status and fmi3Status.
typedef enum fa_outcome { FA_DONE, FA_WARNED, FA_DISCARDED, FA_FAILED } fa_outcome;

typedef struct fa_instance fa_instance;

// Callback: sends a message to the host, in the form of its standard.
typedef void fa_log_fn(const fa_instance *self, fa_outcome outcome, const char *category,
                       const char *message);

// Callback for a point within a communication step; `finished`: a completed integrator step. The
// host may set *until, the time at which it wants the step to return [s].
typedef void fa_update_fn(const fa_instance *self, double t, bool finished, bool may_return,
                          double *until);

// The host's callbacks. `logger` and `environment` may be NULL.
typedef struct fa_host {
    fa_log_fn *log;
    void (*logger)(void); // function pointer of the standard's type
    void         *environment;
    fa_update_fn *update;  // NULL: no intermediate updates
    void (*updater)(void); // function pointer of the standard's type
} fa_host;

typedef struct fa_setup {
    int             fmi; // 2 or 3
    fa_kind         kind;
    const char     *name;
    const char     *token;
    const char     *resources; // folder or URI; NULL: beside the library
    const fa_plant *plant;     // NULL: the robot's default plant
    bool            logging;   // initial value; enables all categories but the solver's steps
    fa_host         host;
    // Options of FMI 3.0's Co-Simulation:
    bool            event_mode;   // the host handles events
    bool            early_return; // the host accepts an early return
    const uint32_t *intermediate; // variables that the host accesses in intermediate updates
    size_t          n_intermediate;
} fa_setup;

// A call of the standard, and its verdict in each mode of both kinds of instance.
typedef struct fa_call {
    const char *name;
    const char *verdict[2]; // indexed by fa_kind
    int         index;      // index in its list
} fa_call;

// Activity between communication steps (fa_moment.touched).
enum {
    FA_UNTOUCHED,
    FA_SET_SINCE, // a variable was set
    FA_EVENT_DUE  // the last step ended at an event that the host has not handled yet
};

// The mutable state of an instance. It has no padding, because its bytes are compared and summed.
// `value` begins with the values of all cells (view.h), then a rate for each input [unit/s], then
// the memory of the ports.
typedef struct fa_moment {
    int32_t  kind;       // fa_kind
    int32_t  mode;       // fa_mode
    uint32_t fresh;      // bit set of groups that are valid for the current values
    int32_t  experiment; // 1: the start time has been given
    int32_t  touched;    // FA_UNTOUCHED …
    int32_t  last_step;  // fa_outcome of the last communication step
    int32_t  seen;       // 1: fa_plant.notable has returned true since the last renewal of flags
    int32_t  none;       // explicit padding
    double   start;      // [s]
    double   stop;       // infinite if none was declared [s]
    double   tolerance;  // the host's tolerance, 0: not given
    double   last_time;  // end of the last communication step [s]
    double   next_event; // next time event of the plant, infinite if none [s]
    fa_pace  pace;       // step-size control of the solver
    double   value[];
} fa_moment;

// Properties of a row, or of another cell, for get and set; compact for the cache.
typedef struct fa_row {
    uint32_t group;
    uint8_t  type;    // fa_type
    uint8_t  setting; // fa_setting
    uint8_t  role;    // fa_role
    uint8_t  flags;   // bit set of FA_ROW_…
} fa_row;

enum {
    FA_ROW_INITIAL = 1,      // a parameter that is a state's start value
    FA_ROW_MOVES = 8,        // a start value that changes with time, or time itself
    FA_ROW_NOT_NEGATIVE = 2, // a parameter with zero as its only bound
    FA_ROW_BOUNDED = 4,      // a parameter with other bounds: see fa_instance.bounds
    FA_ROW_ABOVE_ZERO = 16,  // a parameter whose minimum is FA_POSITIVE, without a maximum
    FA_ROW_INTERMEDIATE = 8  // accessible in intermediate updates
};

typedef struct fa_bounds {
    int    cell;
    double minimum, maximum;
} fa_bounds;

// Lazily built data for messages and dependencies (recall.c).
typedef struct fa_details {
    fa_robot    *robot; // NULL: not built yet
    fa_variables table; // without descriptions
    fa_view      view;
    void        *of_table, *of_view; // memory of both
    fa_probe     probe;              // dependencies that the robot's geometry rules out
    bool         probed;
    char         unnamed[40]; // fallback for a name when memory is out
} fa_details;

struct fa_instance {
    fa_moment *moment;
    double    *value; // moment->value
    double    *rate;  // rates of the inputs, behind the values
    size_t     moment_size;

    const fa_plant *plant;
    void           *self;          // memory of the plant
    bool            switches;      // the plant has events in time
    bool            configured;    // the plant has the current parameters
    bool            restart;       // states must be recomputed from their initial parameters
    bool            starts_moving; // a start value depends on a rate times the time

    uint32_t      n_visible; // number of variables of this standard; they come first
    int           n_states, n_inputs, n_indicators;
    int           first_state, first_input, first_indicator, time_row;
    unsigned      derivative_groups, indicator_groups;
    const fa_row *row;
    fa_state_rows states;
    fa_stretch   *stretch; // blocks of their derivatives' rows
    int           n_stretches;
    const double *nominal; // nominal value of each state, > 0

    // Variables of the FMU (view.h): for each variable the index of its first element, and the end
    // of the last one; for each element its cell. Without arrays, both are 0, 1, 2 …
    const int      *element;
    const int      *cell;
    int             n_cells;
    int             structure; // cell of the structural parameter; FA_NO_ROW: none
    const uint16_t *alike;   // for each element: length of the run from here on of consecutive rows
                             // with one type and setting
    const double    *start;  // start value of each cell
    const fa_bounds *bounds; // n_bounds entries, sorted by cell
    int              n_bounds;
    const int       *state_order; // permutation of the states from the FMU's order to the table's
    bool             in_order;    // the permutation is the identity
    const int       *indicator;   // cell of each event indicator of the FMU
    int              n_shown_indicators;

    double *direction; // scratch of sensitivity.c, one number for each cell

    // Ports of cylinders, n_ports of them (ports.h); their memory is behind the rates of the
    // inputs.
    int             n_ports;
    fa_port        *port;
    fa_port_rules   port_rules;
    fa_port_memory *port_memory;
    double         *port_inputs; // inputs at the begin of a step, with the ports' forces
    double         *port_states; // scratch, one number for each state, and two for each port
    double         *port_next;
    fa_moment      *port_kept; // backup during a forecast

    double  patience; // limit of evaluations in a communication step (trajectory.h)
    double *work;     // scratch of the integrators
    bool   *above;    // for each indicator: it was positive at the last event

    // Backup of the moment before a communication step, without parameters (step.c).
    fa_moment *undo;

    bool    event_mode, may_return_early; // options of the host
    bool    takes_inputs;                 // the host sets inputs in intermediate updates
    bool    may_set, may_get;             // in the current intermediate update
    bool   *intermediate;                 // for each row: declared for intermediate updates
    double *asked_rate;                   // scratch of communication.c, one number for each input

    const unsigned char *packed; // the packed robot
    size_t               robot_size;
    bool                 arrays; // the FMU declares variables as arrays
    fa_details          *details;
    fa_instance         *first; // the first layout; NULL: the size is fixed
    int                  size;  // current number of repeated parts (links), if it can change
    void                *block; // block of the current layout, NULL: the first one
    int                  fmi;
    fa_kind              kind;
    char                 token[FA_TOKEN_SIZE];
    const char          *name;

    const fa_call *call;    // the current call, for messages
    fa_arithmetic  of_host; // the host's floating-point mode, during a call
    fa_host        host;
    bool           log[FA_CATEGORY_COUNT];
    bool           told[FA_TOLD_COUNT]; // tolerated deviations that have been logged

    // Joints with limits, and whether this run has logged each.
    fa_limited_joint *limited; // n_limited of them
    bool             *left;
    int               n_limited;
};

// --- instance.c: creation and reset

// Returns NULL and logs the reason, even if logging is off.
fa_instance *fa_instance_new(const fa_setup *setup);
void         fa_instance_free(fa_instance *self);

// Resets to the state after fa_instance_new, but keeps the choice of log categories.
void fa_instance_reset(fa_instance *self);

// Sets all variables to their start values, in the current size.
void fa_instance_start(fa_instance *self);

// Restarts initialisation, for hosts that repeat it (homotopy): keeps parameters, inputs and the
// experiment.
void fa_instance_start_again(fa_instance *self);

// Allocates a block that begins with an instance of this robot, laid out behind it, without host
// data. `like`: an instance with the same host and options, or NULL.
fa_status fa_instance_lay_out(const fa_plant *plant, const fa_robot *robot, bool arrays,
                              const fa_setup *setup, fa_instance **instance, fa_error *error);

// --- recall.c: lazily built names and dependencies

// Packs the robot, and returns the number of bytes. With `packed` NULL it only measures.
size_t    fa_robot_pack(const fa_robot *robot, unsigned char packed[]);
fa_robot *fa_robot_unpack(const fa_instance *self); // NULL: no memory. Release with free().

// Returns the robot and its table of variables, built at the first call and cached. NULL: no
// memory.
const fa_details *fa_recall(const fa_instance *self);
void              fa_details_free(fa_details *details);

// Names for messages: of a variable by its index, of an element, of a row. Without memory the name
// is the value reference. All but the first return "" if there is no logger.
const char     *fa_true_name(const fa_instance *self, int variable);
const char     *fa_name(const fa_instance *self, int variable);
const char     *fa_row_name(const fa_instance *self, int row);
fa_element_text fa_name_of_element(const fa_instance *self, int variable, int element);

// --- configuration.c: instances with a structural parameter

// Returns the current number of links; 0: the size is fixed.
int fa_size(const fa_instance *self);

fa_outcome fa_enter_configuration(fa_instance *self);
fa_outcome fa_exit_configuration(fa_instance *self);

// Changes the size of the instance, and sets its values to their starts; keeps the host's data and
// log categories. On failure (no memory, no such robot) nothing changes. `moment_size`, if not
// zero, is the required size of the moment.
fa_status fa_resize(fa_instance *self, int size, size_t moment_size, fa_error *error);

// --- messages.c: logging

// Log a sentence and return the status: warning; discarded (not possible with these values, nothing
// changed); error, which ends the simulation.
fa_outcome fa_warn_host(fa_instance *self, const char *format, ...) FA_PRINTF(2, 3);
fa_outcome fa_discard(fa_instance *self, const char *format, ...) FA_PRINTF(2, 3);
fa_outcome fa_refuse(fa_instance *self, const char *format, ...) FA_PRINTF(2, 3);

// Logs a failure of the model: discarded if there is no solution here, otherwise an error.
fa_outcome fa_model_failed(fa_instance *self, fa_status status, const fa_error *error);
// Logs the same with a sentence that contains the time.
fa_outcome fa_step_failed(fa_instance *self, fa_status status, const fa_error *error);

// Logs progress, in a category for that.
void fa_note(fa_instance *self, fa_category category, const char *format, ...) FA_PRINTF(3, 4);

// Logs a sentence once per run; `what` is an index of told.
void fa_tell_once(fa_instance *self, int what, const char *format, ...) FA_PRINTF(3, 4);

// Chooses the categories to be logged; none given means all.
fa_outcome fa_choose_messages(fa_instance *self, bool on, size_t n, const char *const category[]);

// Copies text and doubles each character of `special`, which loggers interpret. Truncates at
// `size`.
void fa_double(const char *text, const char *special, char out[], size_t size);

// --- modes.c: legality of calls and changes of mode

// Returns FA_LEGAL, FA_TOLERATED or FA_REFUSED for a sign of modes.h.
char fa_verdict(const fa_instance *self, char sign);

// Returns true if the call is legal; otherwise logs the refusal. A legal call ends with fa_leave;
// in between, the floating-point mode is the library's.
bool fa_enter_unusual(fa_instance *self);

static inline bool fa_enter(fa_instance *self, const fa_call *call)
{
    if (!self) return false;
    self->call = call;
    self->of_host = fa_arithmetic_take();
    return call->verdict[self->kind][self->moment->mode] == FA_LEGAL || fa_enter_unusual(self);
}

static inline fa_outcome fa_leave(const fa_instance *self, fa_outcome outcome)
{
    fa_arithmetic_give_back(self->of_host);
    return outcome;
}

fa_outcome fa_set_experiment(fa_instance *self, bool tolerance_defined, double tolerance,
                             double start, bool stop_defined, double stop);
fa_outcome fa_enter_initialization(fa_instance *self);
fa_outcome fa_exit_initialization(fa_instance *self);
fa_outcome fa_enter_mode(fa_instance *self, fa_mode mode);

// --- events.c

// Creates the trajectory (event loop) of this instance; its parameters must be configured. It lives
// as long as the call.
fa_trajectory fa_trajectory_of(fa_instance *self);

// Logs a discrete update.
void fa_tell_update(fa_instance *self, const fa_event *event);

// Makes one discrete update of the plant.
fa_outcome fa_update_discrete(fa_instance *self, fa_event *event);

// Makes the initial discrete updates, at the end of initialisation.
fa_status fa_first_updates(fa_instance *self, fa_error *error);

// Handles completedIntegratorStep of Model Exchange. *event: the step contains an event that may
// have passed (fa_plant.notable).
fa_outcome fa_completed_step(fa_instance *self, bool *event);

// --- moves.c: fast paths of values.c, which do not change the floating-point mode

// Fast paths of the standards' functions; false: nothing was done, and the caller takes the general
// path from fa_enter on. fa_legal tells whether a fast path may be tried.
bool fa_move_inputs(fa_instance *self, const uint32_t reference[], size_t n, const double values[],
                    size_t n_values);
bool fa_move_states(fa_instance *self, const double x[], size_t n);
bool fa_move_time(fa_instance *self, double time);

static inline bool fa_legal(const fa_instance *self, const fa_call *call)
{
    return self && call->verdict[self->kind][self->moment->mode] == FA_LEGAL;
}

// Returns the first cell if the variables are consecutive, of this type and one setting, and have
// n_values elements in all; otherwise FA_NO_ROW.
int fa_block_of(const fa_instance *self, fa_type type, const uint32_t reference[], size_t n,
                size_t n_values);

// Returns true if continuous inputs may be set in this mode.
bool fa_may_set_inputs(const fa_instance *self);
void fa_input_is_new(fa_instance *self); // invalidates computed rows

// Copies the derivatives in the order of the table; their rows must be valid.
void fa_copy_derivatives(const fa_instance *self, double dx[]);

// --- values.c: variables by reference, states and derivatives as vectors

// Storage type of the host's numbers.
typedef enum fa_form { FA_AS_DOUBLE, FA_AS_INT32, FA_AS_BOOL, FA_AS_UINT64 } fa_form;

// The cells of a variable, one for each element.
typedef struct fa_cells {
    int        variable; // FA_NO_ROW if the reference is unknown to this standard
    int        n;
    const int *cell;
} fa_cells;

static inline fa_cells fa_cells_of(const fa_instance *self, uint32_t reference)
{
    if (reference - 1 >= self->n_visible) return (fa_cells){.variable = FA_NO_ROW};
    const int *element = &self->element[reference - 1];
    return (fa_cells){(int)(reference - 1), element[1] - element[0], self->cell + element[0]};
}

// Get or set n_values elements of n variables. fa_set sets all of them or, if one cannot be set,
// none.
fa_outcome fa_get(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, void *values, size_t n_values);
fa_outcome fa_set(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, const void *values, size_t n_values);

// Refuses a get or set of a type that no variable has.
fa_outcome fa_no_such_type(fa_instance *self, const char *type, const uint32_t reference[],
                           size_t n);

// Returns true if these variables have n_values elements in all; otherwise logs a refusal. Ignores
// unknown references, which the next check reports.
bool fa_counts_fit(fa_instance *self, const uint32_t reference[], size_t n, size_t n_values);

// Reports a result that is not finite; `of`: it is the derivative by that variable.
fa_outcome fa_not_finite(fa_instance *self, const char *name, const char *of);

fa_outcome fa_unknown_reference(fa_instance *self, uint32_t reference);
fa_outcome fa_not_now(fa_instance *self); // refuses access to values in this intermediate update

// Returns the bounds of a parameter.
fa_bounds fa_bounds_of(const fa_instance *self, int cell);

// Returns true if the value is within the parameter's bounds, and finite; only joint limits may be
// infinite.
bool fa_value_is_possible(const fa_instance *self, int cell, double value);

// Evaluates the rows of these groups where they are not valid. On failure, *error is the plant's.
fa_status fa_refresh(fa_instance *self, unsigned groups, fa_error *error);

// Computes the derivatives of the states, in the order of the table; all finite.
fa_status fa_find_derivatives(fa_instance *self, double dx[], fa_error *error);

fa_outcome fa_set_time(fa_instance *self, double time);
fa_outcome fa_set_states(fa_instance *self, const double x[], size_t n);
fa_outcome fa_get_states(fa_instance *self, double x[], size_t n);
fa_outcome fa_get_nominals(fa_instance *self, double nominal[], size_t n);
fa_outcome fa_get_derivatives(fa_instance *self, double dx[], size_t n);
fa_outcome fa_get_indicators(fa_instance *self, double indicator[], size_t n);

// --- sensitivity.c: derivatives of variables with respect to each other

fa_outcome fa_get_directional(fa_instance *self, const uint32_t unknown[], size_t n_unknowns,
                              const uint32_t known[], size_t n_knowns, const double seed[],
                              double sensitivity[]);
fa_outcome fa_get_adjoint(fa_instance *self, const uint32_t unknown[], size_t n_unknowns,
                          const uint32_t known[], size_t n_knowns, const double seed[],
                          double sensitivity[]);

// Computes first time derivatives of outputs, with constant inputs.
fa_outcome fa_get_output_rates(fa_instance *self, const uint32_t reference[], size_t n,
                               const int32_t order[], double rate[]);

// A dependency of an element of an unknown on an element of a known variable.
typedef struct fa_dependency {
    int           element;         // element of the unknown
    int           known, of_known; // known variable, and its element
    fa_dependence how;
} fa_dependency;

// Prepares the iteration over dependencies.
fa_outcome fa_begin_dependencies(fa_instance *self);

// Advances to the next dependency of a variable, in the order of the elements; begins with
// FA_NO_DEPENDENCY. False: no further one. Until initialisation ends, start values are knowns
// instead of states.
#define FA_NO_DEPENDENCY ((fa_dependency){0, 0, -1, FA_INDEPENDENT})
bool fa_next_dependency(fa_instance *self, int unknown, fa_dependency *dependency);

// --- limits.c

// Logs, once per run, each joint that is beyond one of its limits at a point that the solver keeps.
// Affects neither values nor status.
void fa_tell_limits(fa_instance *self);

static inline void fa_look_at_limits(fa_instance *self)
{
    if (self->log[FA_CATEGORY_WARNING]) fa_tell_limits(self);
}

// --- step.c: Co-Simulation

// End of a communication step.
typedef struct fa_step_end {
    double time;  // [s]
    bool   event; // an event that the host must handle
    bool   early; // before the requested end
} fa_step_end;

fa_outcome fa_instance_step(fa_instance *self, double from, double size, fa_step_end *end);
fa_outcome fa_set_input_rates(fa_instance *self, const uint32_t reference[], size_t n,
                              const int32_t order[], const double rate[]);

// --- saved_state.c

typedef struct fa_saved_state fa_saved_state;

fa_outcome fa_save(fa_instance *self, fa_saved_state **saved);
fa_outcome fa_restore(fa_instance *self, const fa_saved_state *saved);
fa_outcome fa_forget(fa_instance *self, fa_saved_state **saved);
fa_outcome fa_serialized_size(fa_instance *self, const fa_saved_state *saved, size_t *size);
fa_outcome fa_serialize(fa_instance *self, const fa_saved_state *saved, void *bytes, size_t size);
fa_outcome fa_deserialize(fa_instance *self, const void *bytes, size_t size,
                          fa_saved_state **saved);

#endif
