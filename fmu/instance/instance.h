// An instance of the FMU, in words that both standards share; fmi2.c and fmi3.c translate.
//
// One block of memory holds everything that a run needs: the instance, the robot, packed, the plant
// and scratch memory. What changes during a run is one fa_moment in it, numbers and a mode without
// a pointer, so that saving it is one copy. A host that changes the robot's size (configuration.c)
// adds a second block, laid out in the same way for the robot of the new size; names and
// dependencies are made when somebody asks for some (recall.c).
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

// What a call gives back; the numbers are those of fmi2Status and fmi3Status.
typedef enum fa_outcome { FA_DONE, FA_WARNED, FA_DISCARDED, FA_FAILED } fa_outcome;

typedef struct fa_instance fa_instance;

// Hands a message to the host, in the way of its standard.
typedef void fa_log_fn(const fa_instance *self, fa_outcome outcome, const char *category,
                       const char *message);

// Tells the host about a point within a communication step; `finished`: one that the solver keeps.
// *until, where the host wants to be returned to [s], stays as it is if it does not say.
typedef void fa_update_fn(const fa_instance *self, double t, bool finished, bool may_return,
                          double *until);

// How the host can be reached. `logger` and `environment` may be NULL.
typedef struct fa_host {
    fa_log_fn *log;
    void (*logger)(void); // of the type that the standard prescribes
    void         *environment;
    fa_update_fn *update;  // NULL: the host wants no intermediate updates
    void (*updater)(void); // likewise of the type that the standard prescribes
} fa_host;

typedef struct fa_setup {
    int             fmi; // 2 or 3
    fa_kind         kind;
    const char     *name;
    const char     *token;
    const char     *resources; // folder or URI; NULL: beside the library
    const fa_plant *plant;     // NULL: the one that the robot names
    bool            logging;   // at first: all categories but the steps of the solver
    fa_host         host;
    // Of FMI 3.0's Co-Simulation:
    bool            event_mode;   // the host handles events
    bool            early_return; // the host can be returned to before the end of a step
    const uint32_t *intermediate; // variables of intermediate updates
    size_t          n_intermediate;
} fa_setup;

// A call of a standard, with its verdicts in the modes of both kinds of instance.
typedef struct fa_call {
    const char *name;
    const char *verdict[2]; // indexed by fa_kind
    int         index;      // in its list
} fa_call;

// What happened between communication steps (fa_moment.touched).
enum {
    FA_UNTOUCHED,
    FA_SET_SINCE, // something was set
    FA_EVENT_DUE  // a step ended at an event that the host has not handled yet
};

// Everything that changes while an instance runs. Between its fields there is no padding, since
// its bytes are compared and summed up. The values of all cells (view.h) come first in `value`,
// then a rate for each input [unit/s], then what ports of jacks keep.
typedef struct fa_moment {
    int32_t  kind;       // fa_kind
    int32_t  mode;       // fa_mode
    uint32_t fresh;      // groups whose rows belong to the other values
    int32_t  experiment; // 1: the start time has been given
    int32_t  touched;    // FA_UNTOUCHED …
    int32_t  last_step;  // fa_outcome of the last communication step
    int32_t  seen;       // 1: fa_plant.notable has said so since flags were renewed last
    int32_t  none;       // so that there is no padding
    double   start;      // [s]
    double   stop;       // infinite if none was declared [s]
    double   tolerance;  // that the host asked for, 0 if it did not
    double   last_time;  // to which the last communication step came [s]
    double   next_event; // that the plant announced, infinite if none [s]
    fa_pace  pace;       // of the solver
    double   value[];
} fa_moment;

// What get and set need to know of a row, or of another cell, close together.
typedef struct fa_row {
    uint32_t group;
    uint8_t  type;    // fa_type
    uint8_t  setting; // fa_setting
    uint8_t  role;    // fa_role
    uint8_t  flags;   // a union of FA_ROW_…
} fa_row;

enum {
    FA_ROW_INITIAL = 1,      // a parameter that a state starts from
    FA_ROW_MOVES = 8,        // what a state starts from in proportion to the time, or the time
    FA_ROW_NOT_NEGATIVE = 2, // a parameter that is bounded by zero alone
    FA_ROW_BOUNDED = 4,      // a parameter that is bounded otherwise: see fa_instance.bounds
    FA_ROW_ABOVE_ZERO = 16,  // a parameter whose minimum is FA_POSITIVE, without another bound
    FA_ROW_INTERMEDIATE = 8  // may be announced for intermediate updates
};

typedef struct fa_bounds {
    int    cell;
    double minimum, maximum;
} fa_bounds;

// What is read for messages and dependencies only (recall.c).
typedef struct fa_details {
    fa_robot    *robot; // NULL: nobody has asked for any of this
    fa_variables table; // without descriptions
    fa_view      view;
    void        *of_table, *of_view; // their memory
    fa_probe     probe;              // what dependencies the robot's geometry leaves
    bool         probed;
    char         unnamed[40]; // in place of a name that there was no memory for
} fa_details;

struct fa_instance {
    fa_moment *moment;
    double    *value; // moment->value
    double    *rate;  // of the inputs, behind the values
    size_t     moment_size;

    const fa_plant *plant;
    void           *self;          // the plant's memory
    bool            switches;      // something can switch while time goes on
    bool            configured;    // the plant has the parameters as they are
    bool            restart;       // the states are yet to follow their initial parameters
    bool            starts_moving; // some state starts from a rate times the time as well

    uint32_t      n_visible; // variables that this standard knows, the first ones
    int           n_states, n_inputs, n_indicators;
    int           first_state, first_input, first_indicator, time_row;
    unsigned      derivative_groups, indicator_groups;
    const fa_row *row;
    fa_state_rows states;
    fa_stretch   *stretch; // the rows of their derivatives, n_stretches of them
    int           n_stretches;
    const double *nominal; // of each state, > 0

    // The variables as the host sees them (view.h): of each the first of its elements, and where
    // those of the last one end; of each element its cell. Row by row, both are 0, 1, 2 …
    const int      *element;
    const int      *cell;
    int             n_cells;
    int             structure; // cell of the structural parameter; FA_NO_ROW: there is none
    const uint16_t *alike;     // of each element: how many from it on are in a row, too, and of one
                               // type and setting
    const double    *start;    // of each cell
    const fa_bounds *bounds;   // n_bounds of them, by cell
    int              n_bounds;
    const int       *state_order; // number of the state that the host has first, second, …
    bool             in_order;    // that is as the table has them
    const int       *indicator;   // cell of each indicator that the host has
    int              n_shown_indicators;

    double *direction; // one for each cell: scratch of sensitivity.c

    // Ports of jacks, n_ports of them (ports.h); what they keep is behind the rates of the inputs.
    int             n_ports;
    fa_port        *port;
    fa_port_rules   port_rules;
    fa_port_memory *port_memory;
    double         *port_inputs; // of each input: where it is at the begin of a step, its law's
    double         *port_states; // one for each state, and of each port two: scratch
    double         *port_next;
    fa_moment      *port_kept; // as it was before a forecast

    double  patience; // evaluations that a communication step may take (trajectory.h)
    double *work;     // of the integrators
    bool   *above;    // of each indicator, at the last event: whether it was positive

    fa_moment *undo; // as it was before a communication step, without the parameters (step.c)

    bool    event_mode, may_return_early; // as the host said
    bool    takes_inputs;                 // in intermediate updates
    bool    may_set, may_get;             // in the one that is going on
    bool   *intermediate;                 // of each row: whether the host announced it for them
    double *asked_rate;                   // of each input: scratch of communication.c

    const unsigned char *packed; // the robot
    size_t               robot_size;
    bool                 arrays; // variables are shown as arrays
    fa_details          *details;
    fa_instance         *first; // as it was laid out first; NULL: its size cannot change
    int                  size;  // how many of what can be counted the robot has, if it can change
    void                *block; // where it is laid out now, NULL: where it was first
    int                  fmi;
    fa_kind              kind;
    char                 token[FA_TOKEN_SIZE];
    const char          *name;

    const fa_call *call;    // the one being carried out, for messages
    fa_arithmetic  of_host; // the arithmetic that the host uses, while a call is carried out
    fa_host        host;
    bool           log[FA_CATEGORY_COUNT];
    bool           told[FA_TOLD_COUNT]; // what was tolerated and has been logged

    // Joints that may leave their limits, and which of them have been told of in this run.
    fa_limited_joint *limited; // n_limited of them
    bool             *left;
    int               n_limited;
};

// --- instance.c: coming and going

// NULL after telling the host why, whether or not it asked for messages.
fa_instance *fa_instance_new(const fa_setup *setup);
void         fa_instance_free(fa_instance *self);

// As after fa_instance_new, but for the choice of messages.
void fa_instance_reset(fa_instance *self);

// All variables as they are before anybody sets them, in the size that the instance has.
void fa_instance_start(fa_instance *self);

// The same for a host that repeats initialisation, as one does whose solver tries homotopy: what it
// set (parameters, inputs, the experiment) stays.
void fa_instance_start_again(fa_instance *self);

// A block that begins with an instance of this robot, laid out behind itself, and has nothing of
// the host yet. `like` is NULL or says for whom.
fa_status fa_instance_lay_out(const fa_plant *plant, const fa_robot *robot, bool arrays,
                              const fa_setup *setup, fa_instance **instance, fa_error *error);

// --- recall.c: what is made anew when somebody asks

// The robot as bytes; gives how many. `packed` may be NULL, to measure.
size_t    fa_robot_pack(const fa_robot *robot, unsigned char packed[]);
fa_robot *fa_robot_unpack(const fa_instance *self); // NULL: no memory. Release with free().

// The robot and the table of its variables, kept from the first question on. NULL: no memory.
const fa_details *fa_recall(const fa_instance *self);
void              fa_details_free(fa_details *details);

// For messages: a variable by its index, an element of it, a row by itself. Without memory it is a
// value reference, and while nobody hears messages nothing, but for the first.
const char     *fa_true_name(const fa_instance *self, int variable);
const char     *fa_name(const fa_instance *self, int variable);
const char     *fa_row_name(const fa_instance *self, int row);
fa_element_text fa_name_of_element(const fa_instance *self, int variable, int element);

// --- configuration.c: instances whose size the host may change

// How many of what can be counted (links) the robot has now; 0: nothing can.
int fa_size(const fa_instance *self);

fa_outcome fa_enter_configuration(fa_instance *self);
fa_outcome fa_exit_configuration(fa_instance *self);

// Gives the instance another size, its values at their starts; only the host and its choice of
// messages stay. Without memory, or where there is no such robot, nothing changes. `moment_size`,
// if not zero, is what the moment must take.
fa_status fa_resize(fa_instance *self, int size, size_t moment_size, fa_error *error);

// --- messages.c: what the host is told

// The outcome of the call, after a sentence: done, though odd; not possible with these values, and
// nothing changed; an error, which ends the simulation.
fa_outcome fa_warn_host(fa_instance *self, const char *format, ...) FA_PRINTF(2, 3);
fa_outcome fa_discard(fa_instance *self, const char *format, ...) FA_PRINTF(2, 3);
fa_outcome fa_refuse(fa_instance *self, const char *format, ...) FA_PRINTF(2, 3);

// What a failure of the model amounts to: no solution here, or an error.
fa_outcome fa_model_failed(fa_instance *self, fa_status status, const fa_error *error);
// The same of a sentence that says when.
fa_outcome fa_step_failed(fa_instance *self, fa_status status, const fa_error *error);

// What happened in the course of things, in one of the categories for that.
void fa_note(fa_instance *self, fa_category category, const char *format, ...) FA_PRINTF(3, 4);

// A sentence that is worth saying only once; `what` is an index of told.
void fa_tell_once(fa_instance *self, int what, const char *format, ...) FA_PRINTF(3, 4);

// Chooses the categories to be logged; none given means all.
fa_outcome fa_choose_messages(fa_instance *self, bool on, size_t n, const char *const category[]);

// Text with each character that `special` names doubled, as loggers want it that give a meaning
// to it. Cut to size.
void fa_double(const char *text, const char *special, char out[], size_t size);

// --- modes.c: what may be called, and where calls lead

// One of FA_LEGAL, FA_TOLERATED, FA_REFUSED for a sign of modes.h.
char fa_verdict(const fa_instance *self, char sign);

// True if the call may go on; otherwise the refusal has been logged, and the call is over. One that
// goes on ends with fa_leave: between them the arithmetic is ours.
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

// The instance as the loop over events sees it, once its parameters are configured. It lives as
// long as the call.
fa_trajectory fa_trajectory_of(fa_instance *self);

// That a discrete update has been made.
void fa_tell_update(fa_instance *self, const fa_event *event);

// One discrete update of the plant.
fa_outcome fa_update_discrete(fa_instance *self, fa_event *event);

// The first ones, when initialisation ends.
fa_status fa_first_updates(fa_instance *self, fa_error *error);

// Where the integrator of a host of Model Exchange has completed a step: whether an event has to
// tell of something there that may be over before it (fa_plant.notable).
fa_outcome fa_completed_step(fa_instance *self, bool *event);

// --- moves.c: the usual cases of values.c, without arithmetic

// Each is what the call of the standard does, if all is as usual; false: nothing has been done, and
// fa_enter comes first. fa_legal says whether one may try.
bool fa_move_inputs(fa_instance *self, const uint32_t reference[], size_t n, const double values[],
                    size_t n_values);
bool fa_move_states(fa_instance *self, const double x[], size_t n);
bool fa_move_time(fa_instance *self, double time);

static inline bool fa_legal(const fa_instance *self, const fa_call *call)
{
    return self && call->verdict[self->kind][self->moment->mode] == FA_LEGAL;
}

// Where the first one is of elements that are one behind the other and of this type and one
// setting: those of variables one behind the other, n_values in all. FA_NO_ROW: they are not.
int fa_block_of(const fa_instance *self, fa_type type, const uint32_t reference[], size_t n,
                size_t n_values);

bool fa_may_set_inputs(const fa_instance *self); // in this mode; of continuous ones
void fa_input_is_new(fa_instance *self);         // what was calculated no longer holds

// Of the states, in the order of the table, from rows that are up to date.
void fa_copy_derivatives(const fa_instance *self, double dx[]);

// --- values.c: variables by reference, states and derivatives as vectors

// How the host stores numbers of a type.
typedef enum fa_form { FA_AS_DOUBLE, FA_AS_INT32, FA_AS_BOOL, FA_AS_UINT64 } fa_form;

// The cells of a variable, one for each element.
typedef struct fa_cells {
    int        variable; // FA_NO_ROW if this standard knows no such reference
    int        n;
    const int *cell;
} fa_cells;

static inline fa_cells fa_cells_of(const fa_instance *self, uint32_t reference)
{
    if (reference - 1 >= self->n_visible) return (fa_cells){.variable = FA_NO_ROW};
    const int *element = &self->element[reference - 1];
    return (fa_cells){(int)(reference - 1), element[1] - element[0], self->cell + element[0]};
}

// Gets or sets n_values elements of n variables. Of a set: all of them or, if one cannot be set,
// none.
fa_outcome fa_get(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, void *values, size_t n_values);
fa_outcome fa_set(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, const void *values, size_t n_values);

// A get or set of a type that no variable has.
fa_outcome fa_no_such_type(fa_instance *self, const char *type, const uint32_t reference[],
                           size_t n);

// True if these variables have n_values elements in all; otherwise the refusal has been logged. A
// reference that is not known is left to whoever looks at it next.
bool fa_counts_fit(fa_instance *self, const uint32_t reference[], size_t n, size_t n_values);

// A result, or its derivative by something (`of` says so), that overflowed on the way.
fa_outcome fa_not_finite(fa_instance *self, const char *name, const char *of);

fa_outcome fa_unknown_reference(fa_instance *self, uint32_t reference);
fa_outcome fa_not_now(fa_instance *self); // no values in this intermediate update

// What a parameter may be.
fa_bounds fa_bounds_of(const fa_instance *self, int cell);

// Whether a parameter may have this value: finite, but for limits that nobody gave, and within its
// bounds.
bool fa_value_is_possible(const fa_instance *self, int cell, double value);

// Brings the rows of these groups up to date. FA_OK, or the plant's failure in *error.
fa_status fa_refresh(fa_instance *self, unsigned groups, fa_error *error);

// The derivatives of the states, in the order of the table, after that; all finite.
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

// First derivatives of outputs in time, the inputs keeping their values.
fa_outcome fa_get_output_rates(fa_instance *self, const uint32_t reference[], size_t n,
                               const int32_t order[], double rate[]);

// That an element of a variable depends on an element of a known one, and how.
typedef struct fa_dependency {
    int           element;         // of the variable asked for
    int           known, of_known; // variable and element
    fa_dependence how;
} fa_dependency;

// Comes before the first of them: finds out what they follow from.
fa_outcome fa_begin_dependencies(fa_instance *self);

// The dependency of a variable that comes after this one, in the order of the elements; begins with
// FA_NO_DEPENDENCY. False: there are no more. Until initialisation ends, states are no knowns and
// what they start from is one.
#define FA_NO_DEPENDENCY ((fa_dependency){0, 0, -1, FA_INDEPENDENT})
bool fa_next_dependency(fa_instance *self, int unknown, fa_dependency *dependency);

// --- limits.c

// Tells once in a run of each joint that is beyond one of its limits, at a point that the solver
// keeps. No number and no status follows from it.
void fa_tell_limits(fa_instance *self);

static inline void fa_look_at_limits(fa_instance *self)
{
    if (self->log[FA_CATEGORY_WARNING]) fa_tell_limits(self);
}

// --- step.c: Co-Simulation

// Where a step ended.
typedef struct fa_step_end {
    double time;  // [s]
    bool   event; // that the host has to handle
    bool   early; // before the end that was asked for
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
