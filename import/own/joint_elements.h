// Reads the children of a <joint> of an <arm>, or of <actuators>: start, limits, friction, rotor,
// motor, spring, stop, closure of a valve, lock.
#ifndef FA_JOINT_ELEMENTS_H
#define FA_JOINT_ELEMENTS_H

#include "robot.h"
#include "xml.h"

// Reads the children of `element` into the joint, whose other data remain. `angle` is the file's
// unit of angle [rad]. Warns of data without effect.
fa_status fa_joint_elements_read(const fa_xml *xml, const fa_xml_element *element, double angle,
                                 const fa_log *log, fa_joint *joint, fa_error *error);

#endif
