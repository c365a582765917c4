// Writes ModelStructure: the unknowns of an FMU and their dependencies.
#ifndef FA_STRUCTURE_H
#define FA_STRUCTURE_H

#include "markup.h"
#include "view.h"

// Returns true if dependencies are listed for a table of this size.
bool fa_structure_is_exact(const fa_variables *variables);

// Writes the structure in the variables of a view. An array depends on another array if one of its
// elements depends on one of the other's.
fa_status fa_structure_write(fa_markup *markup, const fa_plant *plant, const fa_robot *robot,
                             const fa_variables *variables, const fa_view *view, int fmi,
                             fa_error *error);

#endif
