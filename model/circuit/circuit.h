// The plant "circuit": hydraulic parts that meet at nodes, alone or around an arm whose cylinders
// and motors they drive. The arm inside is an ordinary plant with values of its own; its cylinders
// are cut at the chambers, and take their pressures from nodes. Each part is a law of
// model/elements/circuit; what a law reads are rows of the table, or places between the laws.
//
// circuit_rows.c lists the variables, circuit_layout.c finds rows, places and the order of the
// laws, circuit.c runs them, circuit_depends.c says what depends on what.
#ifndef FA_CIRCUIT_H
#define FA_CIRCUIT_H

#include "elements.h"
#include "plant.h"
#include "points.h"

extern const fa_plant fa_circuit_plant;

// Quantities of rows beyond those of the arm inside. Index: the part, node, edge or cylinder times
// FA_CIRCUIT_STRIDE, and which real or result of its element it is.
enum {
    FA_CIRCUIT_REAL = 2000, // number, input or state of a part
    FA_CIRCUIT_INITIAL,     // what a state starts from
    FA_CIRCUIT_RESULT,
    FA_CIRCUIT_OIL,
    FA_CIRCUIT_PRESSURE, // of a node: input or state
    FA_CIRCUIT_PRESSURE_INITIAL,
    FA_CIRCUIT_PRESSURE_RATE,
    FA_CIRCUIT_CHAMBER, // of a cylinder, A and B: the same as of its nodes
    FA_CIRCUIT_EDGE,    // number of an edge
    FA_CIRCUIT_EDGE_SPOOL,
    FA_CIRCUIT_EDGE_HEIGHT,
    FA_CIRCUIT_ENERGY, // accounts
    FA_CIRCUIT_POWER
};
enum { FA_CIRCUIT_STRIDE = 64 };

// Flows, torques and other outputs of parts; the arm's groups are all below.
#define FA_CIRCUIT_GROUP 0x100000u

enum { FA_CIRCUIT_ACCOUNTS = 4 }; // supplied, work, loss, stored

enum { FA_UNIT_REALS = 32, FA_UNIT_RESULTS = 16, FA_UNIT_BETWEEN = 8 };

// An evaluated law. An address is a row of the table, or behind all rows an intermediate result.
typedef struct fa_circuit_unit {
    int      element;
    char     about[160]; // "check 'c'"
    int      real[FA_UNIT_REALS];
    bool     flag[16];
    int      result[FA_UNIT_RESULTS];  // place that other laws read
    int      row[FA_UNIT_RESULTS];     // of the table
    unsigned group[FA_UNIT_RESULTS];   // of that row
    int8_t   account[FA_UNIT_RESULTS]; // of energy that it adds to; -1: none
    int      n_between;
    struct {
        int result, to; // added to this place, …
        int sign;       // … or taken from it
    } between[FA_UNIT_BETWEEN];
    int spool;    // of a section or an edge: row of the spool's place
    int side;     // of an edge: 1, -1 or 0, the sign of the spool that opens it
    int table;    // of an edge: which of the points, -1 of others
    int backward; // of a section: index of the flag, -1 of others
} fa_circuit_unit;

// The points of an edge: parameters.
typedef struct fa_circuit_table {
    int       spool, height; // first rows
    fa_points points;
} fa_circuit_table;

// A row that shows another one.
typedef struct fa_circuit_copy {
    int row, from;
} fa_circuit_copy;

// A motor at a joint: rows of the arm inside, rows of the motor's numbers, and a place.
typedef struct fa_circuit_joint {
    int  torque, rotor, rotor_gear; // of the arm inside
    int  outer_gear;                // the latter in the table
    int  gear, inertia;             // of the motor
    int  torque_at;
    bool follows;               // loops determine the joint: …
    int  velocity, velocity_at; // … its speed is a result of the arm inside, and a place
} fa_circuit_joint;

// A cylinder: pressures, length and rate of the arm inside, and where laws find them.
typedef struct fa_circuit_cylinder {
    int pressure[2], length, rate;
    int node[2], length_at, rate_at;
} fa_circuit_cylinder;

typedef struct fa_circuit {
    const fa_plant      *plant; // of the arm inside, or NULL
    void                *arm;
    int                  n_rows, n_inner, n_places; // rows of the table, and of the arm's
    double              *inner, *inner_change;      // values of the arm inside
    int                 *outer_of;                  // its rows in the table, or FA_NO_ROW
    unsigned            *group_of;                  // of them; 0: known
    uint8_t             *role_of;
    double              *place, *place_change; // between laws
    double              *out;                  // results of all laws
    int                  n_units, n_before;    // laws; those that stand before the arm
    bool                 follows;              // some motor is at a joint that loops determine
    int                  n_tables, n_copies, n_motors, n_cylinders, n_oil;
    fa_circuit_unit     *unit;
    fa_circuit_table    *table;
    fa_circuit_copy     *copy;
    fa_circuit_joint    *motor;
    fa_circuit_cylinder *cylinder;
    fa_circuit_copy     *oil;                        // row of the arm inside, and of the circuit
    int                  power[FA_CIRCUIT_ACCOUNTS]; // rows, or FA_NO_ROW
    int                  power_at;                   // place of the first account
} fa_circuit;

fa_status     fa_circuit_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_dependence fa_circuit_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                                 int known);
size_t        fa_circuit_size(const fa_robot *robot);
void          fa_circuit_prepare(void *self, const fa_robot *robot, const fa_variables *variables);

// The plant of the arm inside; NULL: the circuit is alone. And its own table, with time behind it.
const fa_plant *fa_circuit_inner(const fa_robot *robot);
int             fa_circuit_inner_rows(const fa_robot *robot);
// Fills `row`, one for each; names have no text.
void fa_circuit_inner_table(const fa_robot *robot, fa_variables *table);

// Returns true if a row of the arm inside is hidden because the circuit computes it.
bool fa_circuit_hides(const fa_robot *robot, const fa_variable *inner);

#endif
