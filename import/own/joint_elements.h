// What stands in a <joint> of an <arm>, or of <actuators>: where it starts, limits, friction,
// rotor, motor, spring, stop, closure of a valve, lock.
#ifndef FA_JOINT_ELEMENTS_H
#define FA_JOINT_ELEMENTS_H

#include "robot.h"
#include "xml.h"

// Reads the children of `element` over what the joint has by now. `angle` is one unit of angle in
// the file [rad]. What has no effect is told to `log`.
fa_status fa_joint_elements_read(const fa_xml *xml, const fa_xml_element *element, double angle,
                                 const fa_log *log, fa_joint *joint, fa_error *error);

#endif
