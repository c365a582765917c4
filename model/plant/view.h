// The FMU's variables: rows of a table one by one, or rows of one quantity as an array.
//
// Table and plant are the same in both cases: a view maps each variable of the FMU to cells. A cell
// is a row of the table or, behind the rows, a number without a row: the structural parameter, and
// unused elements of arrays, such as the last one of an array of a snake's joints, which are one
// fewer than its links.
//
// Keys decide which rows make an array (docs/arrays.md): joint.<name>.position of all joints make
// joint.position, link<number>.mass of all links link.mass, and coordinates of a vector or elements
// of a tensor are the last dimension.
#ifndef FA_VIEW_H
#define FA_VIEW_H

#include "plant.h"

typedef struct fa_extent {
    int  first;   // index in fa_view.cell of the first element
    int  n;       // number of elements
    int  rows;    // size of the first dimension; 0: a scalar
    int  columns; // size of the second dimension, whose index runs faster; 0: none
    bool sized;   // `rows` is the structural parameter
} fa_extent;

typedef struct fa_view {
    int                n;        // number of variables; a value reference is an index here + 1
    const fa_variable *variable; // for each variable, attributes common to all elements: the widest
                                 // bounds, no unit if there are several, the start of the first.
                                 // `derivative` and `initial` are variables, too
    const fa_extent *extent;
    const int       *cell; // cell of each element
    int              n_elements;
    int              n_cells;   // number of rows and of cells behind them
    int              structure; // cell of the structural parameter; FA_NO_ROW: none
} fa_view;

// Builds the view of a robot's table as one block, to be released with free(*block). It points into
// the block and into the table. Without arrays it is the table; it has descriptions if the table
// has.
fa_status fa_view_make(const fa_plant *plant, const fa_robot *robot, const fa_variables *table,
                       bool arrays, fa_view *view, void **block, fa_error *error);

// Returns a robot of the same family, long enough for every array to have typical elements; its
// dependencies represent all sizes. Release with free().
fa_status fa_view_typical(const fa_plant *plant, const fa_robot *robot, fa_robot **typical,
                          fa_error *error);

// Returns the start value of an element; elements without a row start as their variable.
static inline double fa_view_start(const fa_view *view, const fa_variables *table, int variable,
                                   int element)
{
    const int cell = view->cell[view->extent[variable].first + element];
    return cell < table->n ? table->row[cell].start : view->variable[variable].start;
}

// Returns the number of variables in this version of FMI: 2.0 has neither indicators nor time.
int fa_view_count(const fa_view *view, int fmi);

// Return true if the robot's FMU hides the row (fa_robot.hidden), and if it hides or changes any.
bool fa_view_hides_row(const fa_robot *robot, const fa_variable *row);
bool fa_view_is_partial(const fa_robot *robot);

// Name of an element, with indices from 1: "joint.torque[3]", "link.inertia[2,1]".
typedef struct fa_element_text {
    char text[400];
} fa_element_text;
fa_element_text fa_element_name(const fa_view *view, int variable, int element);

static inline bool fa_variable_starts(const fa_variable *variable)
{
    return variable->role <= FA_INPUT;
}

#endif
