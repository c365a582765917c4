// What modelDescription.xml tells single tools.
#ifndef FA_ANNOTATIONS_H
#define FA_ANNOTATIONS_H

#include "markup.h"
#include "robot_file.h"
#include "variables.h"

// For OpenModelica, whose simulator in the browser plots what an FMU proposes (Figures, version 1)
// and draws the scene that it names (Visualization, version 1). In FMI 2.0 every FMU has it, under
// <VendorAnnotations>; in FMI 3.0, under <Annotations>, only one with a scene: fmi-sim 0.7.0
// refuses a file whose annotations have elements in them.
void fa_annotations_write(fa_markup *out, const fa_robot *robot, const fa_options *options,
                          const fa_variables *table);

#endif
