// A Modelica package around a robot: `forearm export --modelica`.
//
// <folder>/<Package>/ gets the model Robot, with a flange at each joint that a torque or force
// drives, the functions behind it (Internal), Examples, and under Resources the FMU's library for
// each platform, the robot and the C functions that open it (forearm_modelica.h).
#ifndef FA_MODELICA_H
#define FA_MODELICA_H

#include "export.h"

// Returns the package's name: the identifier with a capital letter.
void fa_modelica_name(const char *identifier, char name[FA_NAME_SIZE]);

// Writes the package below `folder`, which is created if needed. The libraries are those of FMI
// 2.0, whose platform names Modelica uses.
fa_status fa_modelica_write(const fa_robot *robot, const char *identifier,
                            const fa_library *library, int n_libraries, const char *folder,
                            fa_error *error);

#endif
