// Interface between fa_import and the readers of the formats.
#ifndef FA_FORMATS_H
#define FA_FORMATS_H

#include "form.h"
#include "import.h"
#include "xml.h"

// Reads a format into an empty form (form/form.h). The caller releases it, also after a failure.
// Readers use the options about reading; fa_import itself applies locks, tip and wrenches.
fa_status fa_urdf_read(const fa_xml *xml, const fa_import_options *options, const fa_log *log,
                       fa_form *form, fa_error *error);

fa_status fa_mjcf_read(const fa_xml *xml, const fa_import_options *options, const fa_log *log,
                       fa_form *form, fa_error *error);

fa_status fa_sdf_read(const fa_xml *xml, const fa_import_options *options, const fa_log *log,
                      fa_form *form, fa_error *error);

// The form of a robot file, without warnings. Empty where the file is our own XML. Release with
// fa_form_free, also after a failure.
fa_status fa_import_form(const char *path, const fa_import_options *options, fa_form *form,
                         fa_error *error);

// Our own XML makes a robot: names, tree and numbers as the file has them. The rules on robots are
// fa_import's business. *robot is NULL where this fails.
fa_status fa_arm_read(const fa_xml *xml, const fa_log *log, fa_robot **robot, fa_error *error);
fa_status fa_snake_read(const fa_xml *xml, fa_robot **robot, fa_error *error);

// A hydraulic axis alone, from the root element <cylinder>.
fa_status fa_axis_read(const fa_xml *xml, const fa_log *log, fa_robot **robot, fa_error *error);

// Gives the robot a cylinder for each <cylinder> that is a child of `parent`. *robot may move; it
// stays the caller's when this fails.
fa_status fa_cylinders_read(const fa_xml *xml, const fa_xml_element *parent, const fa_log *log,
                            fa_robot **robot, fa_error *error);

// Gives the robot the circuit of `parent`'s <circuit>, after its cylinders; as above. And a circuit
// alone, from the root element.
fa_status fa_circuit_read(const fa_xml *xml, const fa_xml_element *parent, fa_robot **robot,
                          fa_error *error);
fa_status fa_circuit_alone_read(const fa_xml *xml, fa_robot **robot, fa_error *error);

// Gives the robot a loop for each <loop> that is a child of `parent`, and the wishes of
// <independent>; as above.
fa_status fa_own_loops_read(const fa_xml *xml, const fa_xml_element *parent, fa_robot **robot,
                            fa_error *error);

// The same of <contact>, <obstacle>, <ground> and <line-spring>; `angle`: the file's unit [rad].
// After the robot's masses and gravity, which a stiffness may be said by.
fa_status fa_touches_read(const fa_xml *xml, const fa_xml_element *parent, double angle,
                          fa_robot **robot, fa_error *error);

// Warns of contacts that start deep in what they touch; those behind the first `own` are of the
// file `side`. The robot has been checked.
void fa_touches_remark(const fa_robot *robot, int own, const char *side, const fa_log *log);

// Gives the robot what the side file <actuators> says of its joints and cylinders; as above. What
// it says of all joints' stops goes to *stops.
fa_status fa_actuators_read(const char *path, const fa_log *log, fa_robot **robot, fa_stops *stops,
                            fa_error *error);

// Holds a tree against the schema of its root element.
fa_status fa_schema_check(const fa_xml *xml, fa_error *error);

#endif
