// ModelStructure: which variables an FMU calculates and what each of them depends on.
#ifndef FA_STRUCTURE_H
#define FA_STRUCTURE_H

#include "markup.h"
#include "view.h"

// True if the lists of dependencies are written for a table of this size.
bool fa_structure_is_exact(const fa_variables *variables);

// In the variables of a view. An array depends on another where one of its elements does on one of
// the other's.
fa_status fa_structure_write(fa_markup *markup, const fa_plant *plant, const fa_robot *robot,
                             const fa_variables *variables, const fa_view *view, int fmi,
                             fa_error *error);

#endif
