// Makes a robot of what a file says: the one way from a form to the model, for every format.
#ifndef FA_FORM_BUILD_H
#define FA_FORM_BUILD_H

#include "form.h"

// Links in an order in which parents come first, depth first, children as their joints stand in the
// form. Where several links hang on nothing, a massless link holds them. What the model does not
// have is refused with a sentence, or left out with a warning where that does not change how the
// robot moves. *robot is released with free(), NULL where this fails; it has not been checked yet.
fa_status fa_form_build(const fa_form *form, const fa_log *log, fa_robot **robot, fa_error *error);

#endif
