// Common parts of the URDF reader.
#ifndef FA_URDF_H
#define FA_URDF_H

#include "form.h"
#include "tree.h"
#include "xml.h"

typedef struct fa_urdf {
    const fa_xml *xml;
    const fa_log *log;
    fa_error     *error;
    bool          lenient;
    bool          free_base; // the root link has a floating joint to the world
    int           minor;     // 1.minor is the version of the format
    fa_tree       tree;
    fa_form      *form;
} fa_urdf;

#define FA_URDF_FAIL(u, place, ...)                                                                \
    fa_fail((u)->error, FA_BAD_INPUT, (u)->xml->path, place, __VA_ARGS__)
#define FA_URDF_WARN(u, place, ...) fa_warn((u)->log, (u)->xml->path, place, __VA_ARGS__)

// Tolerance of unit vectors and quaternions, which files have with six digits or more. A larger
// deviation is probably a mistake and gets a warning.
#define FA_URDF_UNIT_TOLERANCE 1e-6

// The <origin> of an element; identity where there is none.
fa_status fa_urdf_origin(const fa_urdf *u, const fa_xml_element *owner, fa_transform *X);

// All of a <joint> but its two ends.
fa_status fa_urdf_joint(const fa_urdf *u, const fa_xml_element *e, fa_form_joint *joint);

// Makes the joint that is at `index` of the form follow the one that its <mimic> names, if it has
// one.
fa_status fa_urdf_mimic(const fa_urdf *u, const fa_xml_element *e, int index);

// Reads the <visual> and <collision> shapes of a <link>. Unsupported shapes are marked as
// unreadable, without an error: they do not affect the motion.
fa_status fa_urdf_shapes(const fa_urdf *u, const fa_xml_element *e, int link);

// A place in the file.
#define FA_URDF_AT(u, p) ((fa_form_at){(u)->xml->path, (p)})

// Fails where an element ties links together, or couples joints, beside the tree of joints, in
// words that fa_urdf_loops does not read.
fa_status fa_urdf_refuse_loop(const fa_urdf *u, const fa_xml_element *e);

// Springs, rotors and hints of <gazebo>, <transmission> and names, for joints that are in the form;
// and the spring that a joint's <dynamics> says.
fa_status fa_urdf_extensions(const fa_urdf *u);
fa_status fa_urdf_spring(const fa_urdf *u, const fa_xml_element *dynamics, fa_form_joint *joint);

// The loops and couplings of a file whose links are in the form.
fa_status fa_urdf_loops(const fa_urdf *u);

// A vector of unit length, scaled where it is not, with a warning then; 0 0 0 is refused.
// `whose` is as in "the axis of joint 'j1'".
fa_status fa_urdf_direction(const fa_urdf *u, const fa_xml_element *axis, const char *whose,
                            fa_vec3 *direction);

#endif
