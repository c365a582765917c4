// Reads masses and densities of links from a side file.
#ifndef FA_LINK_WEIGHTS_H
#define FA_LINK_WEIGHTS_H

#include "form_weigh.h"

// Reads the <link> elements of a side file for the links of the form; weight has n_links elements.
// Ignores everything else in the file.
fa_status fa_link_weights_read(const char *path, const fa_form *form, fa_link_weight weight[],
                               fa_error *error);

#endif
