// How a host sees a robot's table of variables: row by row, or rows of one quantity as one array.
//
// The table stays what it is, and so does the plant: a view says which cells each variable of the
// host is made of. A cell is a row of the table or, behind the rows, a place that belongs to no
// row: the structural parameter, and elements of arrays that stand for nothing, such as the last
// one of an array of a snake's joints, which are one fewer than its links.
//
// Which rows make an array is read from their keys (docs/arrays.md): joint.<name>.position of all
// joints make joint.position, link<number>.mass of all links link.mass, and coordinates of a vector
// or elements of a tensor are a last dimension.
#ifndef FA_VIEW_H
#define FA_VIEW_H

#include "plant.h"

typedef struct fa_extent {
    int  first;   // of the variable's elements, in fa_view.cell
    int  n;       // elements
    int  rows;    // size of the first dimension; 0: a scalar
    int  columns; // of the second, whose index runs faster; 0: there is none
    bool sized;   // rows is the structural parameter
} fa_extent;

typedef struct fa_view {
    int                n;        // variables; a value reference is an index here + 1
    const fa_variable *variable; // of each, what holds for all elements: the bounds are the widest,
                                 // the unit is none if there are several, start is the first one's.
                                 // `derivative` and `initial` are variables, too
    const fa_extent *extent;
    const int       *cell; // of each element
    int              n_elements;
    int              n_cells;   // rows, and those behind them
    int              structure; // cell of the structural parameter; FA_NO_ROW: there is none
} fa_view;

// The view of this table, which is the robot's. It is one block, to be released with free(*block),
// and points into it and into the table. As scalars it is the table; descriptions it has where the
// table has them.
fa_status fa_view_make(const fa_plant *plant, const fa_robot *robot, const fa_variables *table,
                       bool arrays, fa_view *view, void **block, fa_error *error);

// A robot of the same kind, so long that every array has its usual elements; what depends on what
// is the same in it as in robots of other sizes. Release with free().
fa_status fa_view_typical(const fa_plant *plant, const fa_robot *robot, fa_robot **typical,
                          fa_error *error);

// What an element starts with; what belongs to no row starts as its variable does.
static inline double fa_view_start(const fa_view *view, const fa_variables *table, int variable,
                                   int element)
{
    const int cell = view->cell[view->extent[variable].first + element];
    return cell < table->n ? table->row[cell].start : view->variable[variable].start;
}

// Variables that a version of FMI has: 2.0 knows neither indicators nor time.
int fa_view_count(const fa_view *view, int fmi);

// Whether the robot's FMU does not show a row (fa_robot.hidden), and whether it hides or changes
// any.
bool fa_view_hides_row(const fa_robot *robot, const fa_variable *row);
bool fa_view_is_partial(const fa_robot *robot);

// "joint.torque[3]", "link.inertia[2,1]": an element's name, in indices from 1.
typedef struct fa_element_text {
    char text[400];
} fa_element_text;
fa_element_text fa_element_name(const fa_view *view, int variable, int element);

static inline bool fa_variable_starts(const fa_variable *variable)
{
    return variable->role <= FA_INPUT;
}

#endif
