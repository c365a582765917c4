// What an FMU carries for those who wonder whether they use it rightly, after the layered standard
// FMI-LS-REF: the robot file that it was made from, its parameters as a parameter set of SSP, and
// an experiment with the results that it should have. All of it is in
// extra/org.fmi-standard.fmi-ls-ref/.
#ifndef FA_REFERENCES_H
#define FA_REFERENCES_H

#include <stddef.h>

#include "archive.h"
#include "robot_file.h"

// The experiment: from the start values on, with communication steps of this size.
#define FA_REFERENCE_STOP 5.0 // [s]
#define FA_REFERENCE_STEP 0.1 // [s]

typedef struct fa_references {
    const char *results; // the experiment's, as a table (CSV) with a head; NULL: no experiment
    size_t      results_size;
    const char *model; // the robot file as somebody wrote it; NULL: it is not told
    size_t      model_size;
    const char *model_name; // such as "scara.urdf"; its ending says what it is
} fa_references;

// Adds the files to an FMU.
fa_status fa_references_add(fa_archive *archive, const fa_robot *robot, const fa_options *options,
                            const fa_references *references, fa_error *error);

#endif
