// What the readers of the single formats share with fa_import, and nobody else.
#ifndef FA_FORMATS_H
#define FA_FORMATS_H

#include "import.h"
#include "xml.h"

// Each makes a robot of its root element: names, tree and numbers as the file has them. Locks, tip,
// wrenches and the rules on robots are fa_import's business. *robot is NULL where this fails.
fa_status fa_urdf_read(const fa_xml *xml, bool lenient, const fa_log *log, fa_robot **robot,
                       fa_error *error);
fa_status fa_arm_read(const fa_xml *xml, const fa_log *log, fa_robot **robot, fa_error *error);
fa_status fa_snake_read(const fa_xml *xml, fa_robot **robot, fa_error *error);

// A hydraulic axis alone, from the root element <cylinder>.
fa_status fa_axis_read(const fa_xml *xml, const fa_log *log, fa_robot **robot, fa_error *error);

// Gives the robot a cylinder for each <cylinder> that is a child of `parent`. *robot may move; it
// stays the caller's when this fails.
fa_status fa_cylinders_read(const fa_xml *xml, const fa_xml_element *parent, const fa_log *log,
                            fa_robot **robot, fa_error *error);

// The same of <contact>, <obstacle>, <ground> and <line-spring>; `angle`: the file's unit [rad].
// After the robot's masses and gravity, which a stiffness may be said by.
fa_status fa_touches_read(const fa_xml *xml, const fa_xml_element *parent, double angle,
                          fa_robot **robot, fa_error *error);

// Gives the robot what the side file <actuators> says of its joints and cylinders; as above. What
// it says of all joints' stops goes to *stops.
fa_status fa_actuators_read(const char *path, const fa_log *log, fa_robot **robot, fa_stops *stops,
                            fa_error *error);

// Holds a tree against the schema of its root element.
fa_status fa_schema_check(const fa_xml *xml, fa_error *error);

#endif
