// Vendor annotations in modelDescription.xml.
#ifndef FA_ANNOTATIONS_H
#define FA_ANNOTATIONS_H

#include "markup.h"
#include "robot_file.h"
#include "variables.h"

// Writes OpenModelica's annotations: its simulator in the browser plots the proposed Figures
// (version 1) and draws the named scene (Visualization, version 1). In FMI 2.0 every FMU has them,
// under <VendorAnnotations>; in FMI 3.0, under <Annotations>, only one with a scene: fmi-sim 0.7.0
// refuses annotations with elements in them.
void fa_annotations_write(fa_markup *out, const fa_robot *robot, const fa_options *options,
                          const fa_variables *table);

#endif
