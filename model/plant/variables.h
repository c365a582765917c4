// Table of a plant's variables. Value references, both XML versions, get and set, CSV headers and
// `forearm inspect` use this table, so they cannot disagree.
#ifndef FA_VARIABLES_H
#define FA_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

#include "key.h"
#include "number.h"
#include "status.h"
#include "units.h"

#define FA_NO_ROW (-1)

// Smallest positive normal number. It is the minimum of positive parameters: every minimum is a
// valid value.
#define FA_POSITIVE 0x1p-1022

// Roles of variables; causality, variability and initial follow from them (docs/architecture.md).
// Rows of one role are contiguous, in this order. The first one, the structural parameter, has no
// row: its value is the number of rows (view.h).
#define FA_ROLE_LIST(X)                                                                            \
    X(FA_STRUCTURE, "structural parameter")                                                        \
    X(FA_PARAMETER, "parameter")                                                                   \
    X(FA_TUNABLE, "tunable parameter")                                                             \
    X(FA_INPUT, "input")                                                                           \
    X(FA_STATE, "state")                                                                           \
    X(FA_OUTPUT, "output")                                                                         \
    X(FA_LOCAL, "local")                                                                           \
    X(FA_INDICATOR, "event indicator")                                                             \
    X(FA_TIME, "time")

typedef enum fa_role {
#define X(code, name) code,
    FA_ROLE_LIST(X)
#undef X
        FA_ROLE_COUNT
} fa_role;

typedef enum fa_type { FA_REAL, FA_INT32, FA_BOOLEAN, FA_UINT64 } fa_type;

// Value reference is row + 1, in FMI 2 and FMI 3 alike, unless rows are shown as arrays (view.h).
// Indicators and time, the last two roles, are rows in FMI 3 only.
typedef struct fa_variable { // members are ordered without padding: there are hundreds
    const char *name;        // joint.elbow.position
    const char *description; // one line; NULL in a table made without descriptions
    double      start;       // start value; for results the value before initialisation
    double      minimum;     // -INFINITY: none
    double      maximum;     // INFINITY: none
    double      nominal;     // for states, > 0; 0: not given
    int         derivative;  // for a state: the row of its derivative
    int         initial;     // for a state: the parameter that it starts from, or FA_NO_ROW: zero
    int initial_rate; // row of a rate whose product with time is added to the start; FA_NO_ROW:
                      // none
    unsigned group; // for results: bit set of groups that must be evaluated, prerequisites included
    int index; // link, joint or axis, and quantity, as numbers of the plant that declared the row;
               // other code uses the key
    fa_row_key key; // owner and quantity
    int16_t    quantity;
    uint8_t    role;     // fa_role
    uint8_t    type;     // fa_type
    uint8_t    unit;     // fa_unit
    bool       discrete; // for inputs, outputs and locals: changes at events only
    bool       jumps;    // for a state: events may set it
    bool       records;  // for a state: an integral without influence on the motion
} fa_variable;

typedef struct fa_variables {
    int          n;                        // number of rows
    fa_variable *row;                      // NULL while the table is being measured
    int          first[FA_ROLE_COUNT + 1]; // rows of role r: first[r] … first[r + 1] - 1
    char        *text;                     // storage of names and descriptions
    size_t       text_size;                // bytes in use
    bool         described;                // stores descriptions
} fa_variables;

// Properties of states, for Jacobians and start values.
typedef struct fa_state_row {
    int      quantity, index, initial, initial_rate; // as in fa_variable
    int      derivative;                             // row of the derivative, …
    int      derivative_index;                       // … its index, …
    unsigned derivative_group;                       // … and its group
} fa_state_row;

typedef struct fa_state_rows {
    int                 rows; // number of rows of the table
    int                 first, n;
    int                 first_input, n_inputs;
    int                 time;
    const fa_state_row *of; // n states
} fa_state_rows;

// Writes a description like snprintf; does nothing if the table stores none.
void fa_variable_describe(const fa_variables *variables, char text[], size_t size,
                          const char *format, ...) FA_PRINTF(4, 5);

// Declarations run twice: first with row and text NULL, to count; then into allocated memory.
//
// Adds a copy of `variable`, named by the key, with a copy of its description. Returns the row.
// Roles must come in the order of the list.
int fa_variable_add(fa_variables *variables, fa_variable variable, fa_key key,
                    const char *description);

#ifdef FA_WITHOUT_DESCRIPTIONS // base/description.h: their texts are compiled, and left out
#define fa_variable_describe(variables, text, size, ...)                                           \
    ((text)[0] = '\0', 0 ? fa_variable_describe(variables, text, size, __VA_ARGS__) : (void)0)
#define fa_variable_add(variables, variable, key, description)                                     \
    fa_variable_add(variables, variable, key, 0 ? (description) : "")
#endif

// Returns a row with defaults: type real, no bounds, no nominal, no derivative.
fa_variable fa_variable_of(fa_role role, fa_unit unit, double start);

// Returns true if intermediate updates may access it: continuous inputs, states and outputs.
bool fa_variable_is_intermediate(const fa_variable *variable);

// Bounds as text behind "must be": greater than 0, at least 3, between 0 and 1, ….
typedef struct fa_bounds_words {
    char text[96];
} fa_bounds_words;
fa_bounds_words fa_bounds_text(double minimum, double maximum);

int fa_variables_count(const fa_variables *variables, fa_role role);

// Collects the states; `of` has room for all.
fa_state_rows fa_variables_states(const fa_variables *variables, fa_state_row of[]);

// Returns the row of that name, FA_NO_ROW if there is none.
int fa_variables_find(const fa_variables *variables, const char *name);

// Returns the row of a quantity of one part, FA_NO_ROW if there is none. The search begins at row
// `from` and wraps around.
int fa_variables_row(const fa_variables *variables, fa_owner owner, int part, const char *quantity,
                     int from);

// Returns true if the row is this quantity of an owner of this kind.
bool fa_variable_is(const fa_variable *variable, fa_owner owner, const char *quantity);

// Fails if two names are equal to hosts that replace '.' by '_' (hosts, rule 5).
fa_status fa_variables_check(const fa_variables *variables, fa_error *error);

#endif
