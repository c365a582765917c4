// Reference data in an FMU, after the layered standard FMI-LS-REF: the original robot file, its
// parameters as an SSP parameter set, and an experiment with its results. They are in
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
    const char *results; // results of the experiment, as CSV with a header; NULL: no experiment
    size_t      results_size;
    const char *model; // the original robot file; NULL: omitted
    size_t      model_size;
    const char *model_name; // such as "scara.urdf"; its suffix is the format
} fa_references;

// Adds the reference files to an FMU.
fa_status fa_references_add(fa_archive *archive, const fa_robot *robot, const fa_options *options,
                            const fa_references *references, fa_error *error);

#endif
