// The one table of a plant's variables. Value references, both XML versions, get and set, CSV
// headers and `forearm inspect` are readings of it, so they cannot disagree.
#ifndef FA_VARIABLES_H
#define FA_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

#include "key.h"
#include "number.h"
#include "status.h"
#include "units.h"

#define FA_NO_ROW (-1)

// The least number that counts as above zero: the smallest with all its digits. Where zero itself
// is refused, this is the minimum, so that every minimum is a value that may be set.
#define FA_POSITIVE 0x1p-1022

// What a variable is for; causality, variability and initial follow from it (docs/architecture.md).
// Rows of one role are contiguous, in this order. No row has the first one: what it stands for is
// how many rows there are (view.h).
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
typedef struct fa_variable { // in an order that leaves no gaps: every instance has hundreds
    const char *name;        // joint.elbow.position
    const char *description; // one line; NULL in a table made without descriptions
    double      start;       // of parameters and inputs; elsewhere the value before initialisation
    double      minimum;     // -INFINITY: none
    double      maximum;     // INFINITY: none
    double      nominal;     // of states, > 0; 0: not said
    int         derivative;  // of a state: the row that holds its derivative
    int         initial;     // of a state: the parameter that it starts from, or FA_NO_ROW: zero
    int initial_rate; // and the row whose product with the time it starts at is added; FA_NO_ROW
    unsigned group;   // of what is calculated: the bits that fa_plant.evaluate is asked with,
                      // more than one where a group builds on another
    int index;        // of which joint, link or axis it is, and what: numbers that mean
                      // something to the plant that declared it; to everybody else: the key
    fa_row_key key;   // what it is of, and which quantity
    int16_t    quantity;
    uint8_t    role;     // fa_role
    uint8_t    type;     // fa_type
    uint8_t    unit;     // fa_unit
    bool       discrete; // inputs, outputs and locals that change at events only
    bool       jumps;    // of a state: events may set it anew
    bool       records;  // of a state: it sums something up, and nothing moves by it
} fa_variable;

typedef struct fa_variables {
    int          n;                        // rows
    fa_variable *row;                      // NULL while a table is only being measured
    int          first[FA_ROLE_COUNT + 1]; // rows of role r: first[r] … first[r + 1] - 1
    char        *text;                     // where names and descriptions go
    size_t       text_size;                // bytes of it in use
    bool         described;                // keep descriptions
} fa_variables;

// The states of a table without the table: what Jacobians, and starts, need to know of them.
typedef struct fa_state_row {
    int      quantity, index, initial, initial_rate; // as in fa_variable
    int      derivative;                             // likewise: a row, of which …
    int      derivative_index;                       // … this is the index
    unsigned derivative_group;                       // and this the group
} fa_state_row;

typedef struct fa_state_rows {
    int                 rows; // of the whole table
    int                 first, n;
    int                 first_input, n_inputs;
    int                 time;
    const fa_state_row *of; // n of them
} fa_state_rows;

// Writes a description as snprintf does; nothing where the table keeps none.
void fa_variable_describe(const fa_variables *variables, char text[], size_t size,
                          const char *format, ...) FA_PRINTF(4, 5);

// A table is made by running the same declarations twice: first with row and text NULL, which only
// counts, then with room for what was counted.
//
// Adds a row like `variable`, named by the key; the description is copied. Gives the row's index.
// Roles must come in the order of the list.
int fa_variable_add(fa_variables *variables, fa_variable variable, fa_key key,
                    const char *description);

// A row of a role with the usual rest: type real, no bounds, no nominal, no derivative.
fa_variable fa_variable_of(fa_role role, fa_unit unit, double start);

// Whether a host may ask for it within a communication step: continuous inputs, states and outputs.
bool fa_variable_is_intermediate(const fa_variable *variable);

// Bounds for people, to go behind "must be": greater than 0, at least 3, between 0 and 1, ….
typedef struct fa_bounds_words {
    char text[96];
} fa_bounds_words;
fa_bounds_words fa_bounds_text(double minimum, double maximum);

int fa_variables_count(const fa_variables *variables, fa_role role);

// Fills `of`, one for each state.
fa_state_rows fa_variables_states(const fa_variables *variables, fa_state_row of[]);

// The row of that name, FA_NO_ROW if there is none.
int fa_variables_find(const fa_variables *variables, const char *name);

// The row of a quantity of one part, FA_NO_ROW if there is none. The search begins at row `from`
// and comes round.
int fa_variables_row(const fa_variables *variables, fa_owner owner, int part, const char *quantity,
                     int from);

// Whether a row is this quantity of an owner of this kind.
bool fa_variable_is(const fa_variable *variable, fa_owner owner, const char *quantity);

// An error naming two variables that are one to hosts that turn '.' into '_' (hosts, rule 5).
fa_status fa_variables_check(const fa_variables *variables, fa_error *error);

#endif
