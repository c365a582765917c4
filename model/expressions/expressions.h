// Expressions that share their parts: constants, inputs, flags, and operations on them. A node is
// built once, however often it is asked for, and what follows from constants, from 0 and from 1 is
// never built. From such a graph follow derivatives, what depends on what, and specialised code.
//
// An FMU carries no graph: what writes code uses it (lawc, export/specialise).
#ifndef FA_EXPRESSIONS_H
#define FA_EXPRESSIONS_H

#include <stdbool.h>

// X(code, operands, C with # for each operand)
#define FA_OPERATION_LIST(X)                                                                       \
    X(CONSTANT, 0, "")                                                                             \
    X(INPUT, 0, "")                                                                                \
    X(FLAG, 0, "")                                                                                 \
    X(ADD, 2, "# + #")                                                                             \
    X(SUBTRACT, 2, "# - #")                                                                        \
    X(MULTIPLY, 2, "# * #")                                                                        \
    X(DIVIDE, 2, "# / #")                                                                          \
    X(NEGATE, 1, "-#")                                                                             \
    X(ABS, 1, "real_abs(#)")                                                                       \
    X(MIN, 2, "real_min(#, #)")                                                                    \
    X(MAX, 2, "real_max(#, #)")                                                                    \
    X(SIGN, 2, "with_sign(#, #)")                                                                  \
    X(SQRT, 1, "real_sqrt(#)")                                                                     \
    X(TANH, 1, "real_tanh(#)")                                                                     \
    X(EXP, 1, "real_exp(#)")                                                                       \
    X(LOG, 1, "real_log(#)")                                                                       \
    X(SIN, 1, "real_sin(#)")                                                                       \
    X(COS, 1, "real_cos(#)")                                                                       \
    X(TABLE, 1, "table(@, #)") /* @: the table, which value counts */                              \
    X(TABLE_SLOPE, 1, "table_adjoint(@, #)")                                                       \
    X(TABLE_BEND, 1, "table_bend(@, #)")                                                           \
    X(LESS, 2, "# < #")                                                                            \
    X(EQUAL, 2, "# == #")                                                                          \
    X(AND, 2, "# & #")                                                                             \
    X(OR, 2, "# | #")                                                                              \
    X(WHERE, 3, "where(#, #, #)") /* both sides are computed */                                    \
    X(PICK, 3, "# ? # : #")       /* by a flag */

typedef enum fa_operation_code {
#define X(code, operands, text) FA_OP_##code,
    FA_OPERATION_LIST(X)
#undef X
        FA_OPERATIONS
} fa_operation_code;

typedef struct fa_operation_row {
    int         operands;
    const char *text;
} fa_operation_row;

extern const fa_operation_row fa_operations[FA_OPERATIONS];

typedef struct fa_expression {
    fa_operation_code operation;
    int               of[3]; // operands, which come before it; of INPUT its family and index, of
                             // FLAG its index
    double      value;       // of CONSTANT; of TABLE… the index of the table
    const char *name;        // what its text calls it, or NULL …
    int         length;      // … in so many bytes
    bool        moves;       // an input of a family other than 0 is in it
} fa_expression;

typedef struct fa_expressions {
    fa_expression *node; // node 0 is the constant 0
    int            n, room;
    int           *slot; // a hash table of nodes, n_slots of them: a power of two; -1 is empty
    int            n_slots;
    bool           failed; // memory has run out; nodes since then are node 0
} fa_expressions;

fa_expressions fa_expressions_new(void);
void           fa_expressions_free(fa_expressions *graph);

int fa_expression_constant(fa_expressions *graph, double value);
int fa_expression_input(fa_expressions *graph, int family, int index);
int fa_expression_flag(fa_expressions *graph, int index);
int fa_expression_table(fa_expressions *graph, fa_operation_code operation, int table, int x);
// Operands beyond those of the operation are 0.
int fa_expression_make(fa_expressions *graph, fa_operation_code operation, int a, int b, int c);

bool fa_expression_is_operation(const fa_expression *node);
// Returns true for a node whose value is a mask, such as a comparison.
bool fa_expression_is_mask(const fa_expression *node);

// Marks in needed[graph->n] what the roots need, themselves included.
void fa_expressions_needed(const fa_expressions *graph, const int root[], int n, bool needed[]);

// The same graph with some inputs and flags known, to `folded`; to[graph->n] says which node became
// which. known(context, node, &value): whether an INPUT or a FLAG has a value.
typedef bool fa_expression_known(void *context, const fa_expression *node, double *value);
void fa_expressions_fold(const fa_expressions *graph, fa_expression_known *known, void *context,
                         fa_expressions *folded, int to[]);

// First-order change of nodes below n: dot[i], from those of the inputs, which the caller has set
// (0: none). Of the nodes in `among` only; NULL: of all.
void fa_expressions_tangent(fa_expressions *graph, int n, const bool among[], int dot[]);
// The transpose: bar[i] of nodes below n, from those of the results, which the caller has set.
void fa_expressions_adjoint(fa_expressions *graph, int n, const bool among[], int bar[]);

// Inputs of an evaluation: numbers by family and index, flags, tables.
struct fa_points;
typedef struct fa_expression_inputs {
    const double *const           *family;
    const bool                    *flag;
    const struct fa_points *const *table;
} fa_expression_inputs;

// The values of all nodes, node by node; masks are 0 or 1. Inputs of a family that is NULL are 0.
void fa_expressions_run(const fa_expressions *graph, const fa_expression_inputs *inputs,
                        double value[]);

#endif
