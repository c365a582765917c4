// Common parts of the SDFormat reader.
//
// A scope is a model, nested or included, in which names are looked up; scope 0 is the world around
// the robot's model, which is scope 1. A node has a name and belongs to a scope: a link, joint,
// frame or nested model. Poses are those at joint positions 0.
#ifndef FA_SDF_H
#define FA_SDF_H

#include "form.h"
#include "formats.h"
#include "names.h"
#include "values.h"

#define FA_SDF_SCOPES 10000   // models within each other, files taken again included
#define FA_SDF_NODES  1000000 // links, joints and frames
#define FA_SDF_DEPTH  32      // files that include each other
#define FA_SDF_STEPS  1000    // frames that refer to each other, one after the other

#define FA_SDF_WORLD_SCOPE 0
#define FA_SDF_OWN         (-1) // in place of a node: the frame of the scope's own model

typedef enum fa_sdf_kind { FA_SDF_LINK, FA_SDF_JOINT, FA_SDF_FRAME, FA_SDF_MODEL } fa_sdf_kind;

typedef struct fa_sdf_scope {
    const fa_xml         *xml;     // of the file that the model stands in
    const fa_xml_element *model;   // <model>; of scope 0 <world> or <sdf>
    int                   minor;   // 1.minor is the version of that file
    const fa_xml         *by;      // of the file that includes it; NULL: it stands in its parent
    const fa_xml_element *include; // whose name and pose count first
    int                   by_minor;
    int                   parent; // scope
    int                   node;   // its own, in the parent
    int                   depth;  // of files
    bool                  merged; // its nodes are its parent's, too
    const char           *prefix; // of its nodes' names in the robot: "arm::hand::"
} fa_sdf_scope;

typedef enum fa_sdf_state { FA_SDF_NEW, FA_SDF_BEGUN, FA_SDF_DONE } fa_sdf_state;

typedef struct fa_sdf_node {
    fa_sdf_kind           kind;
    const fa_xml_element *e;
    const char           *name; // in its scope
    int                   scope;
    int                   own;   // of a model: its scope
    int                   index; // of a link: in the form; of a joint: in the reader's joints
    fa_sdf_state          state; // of the pose
    fa_transform          pose;  // scope's model frame to this one
} fa_sdf_node;

// The target of a name: a node of a scope, or FA_SDF_OWN.
typedef struct fa_sdf_frame {
    int scope, node;
} fa_sdf_frame;

// A joint before it is known whether it carries its child or closes a loop.
typedef struct fa_sdf_joint {
    int                   scope;
    const fa_xml_element *e;
    const char           *type;
    char                  name[FA_NAME_SIZE];
    fa_form_at            at;
    int                   parent, child; // links of the form; parent FA_FORM_NOBODY: the world
    fa_transform          X_world;       // world to the joint's frame
    fa_transform          X_parent;      // parent's frame to the joint's
    fa_transform          X_child;       // joint's frame to the child's
    int                   n_axes;
    fa_vec3               axis[2];  // in the joint's frame
    int                   joint[2]; // in the form, by axis; FA_FORM_NOBODY: none
    bool                  reversed; // the form's joint goes from the child to the parent
} fa_sdf_joint;

typedef struct fa_sdf_file fa_sdf_file;

typedef struct fa_sdf {
    const fa_xml            *xml; // of the robot file
    const fa_import_options *options;
    const fa_log            *log;
    fa_error                *error;
    fa_form                 *form;
    fa_sdf_scope            *scope;
    fa_sdf_node             *node;
    fa_sdf_joint            *joint;
    fa_sdf_file             *files;
    fa_names                 names; // "scope name" to nodes
    int                      n_scopes, n_nodes, n_joints, n_keys, n_files;
    int                      steps; // of names that are being followed
    int                      world; // link of the form that is the ground; FA_FORM_NOBODY: none yet
} fa_sdf;

#define FA_SDF_FAIL(xml, place, ...)                                                               \
    fa_fail(s->error, FA_BAD_INPUT, (xml)->path, place, __VA_ARGS__)
#define FA_SDF_WARN(xml, place, ...) fa_warn(s->log, (xml)->path, place, __VA_ARGS__)

fa_status fa_sdf_no_memory(const fa_sdf *s);

// sdf_values.c: text of children. A value stays as it is where the child is not there.
const char *fa_sdf_text(const fa_xml_element *e); // "" where it has none
const char *fa_sdf_child_text(const fa_xml_element *e, const char *name);
fa_status   fa_sdf_number(const fa_sdf *s, const fa_xml *xml, const fa_xml_element *e,
                          const char *name, double *value);
fa_status fa_sdf_vec3(const fa_sdf *s, const fa_xml *xml, const fa_xml_element *e, const char *name,
                      fa_vec3 *value);
bool      fa_sdf_is_true(const fa_xml_element *e, const char *name); // false where it is not said
bool      fa_sdf_is_static(const fa_xml_element *model, const fa_xml_element *include);
// The numbers of a <pose>; NULL: the identity.
fa_status fa_sdf_pose(const fa_sdf *s, const fa_xml *xml, const fa_xml_element *pose,
                      fa_transform *X);

// sdf_include.c: the version of a file, its <sdf>, and what it includes.
fa_status fa_sdf_version(const fa_sdf *s, const fa_xml *xml, int *minor);
// The <model> that an <include> names, in the file that it stands in.
fa_status fa_sdf_open(fa_sdf *s, const fa_xml *by, const fa_xml_element *include,
                      const fa_xml **xml, const fa_xml_element **model, int *minor);
void      fa_sdf_close(fa_sdf *s);

// sdf_model.c: the one of a file's models that is the robot, its place in the world's scope, and
// the world that it is in (NULL: in none).
fa_status fa_sdf_choose(fa_sdf *s, fa_sdf_scope *scope, const char **name,
                        const fa_xml_element **world);

// sdf_scope.c: models within models. Adds a scope with all its nodes and what is nested in it.
fa_status fa_sdf_add_scope(fa_sdf *s, fa_sdf_scope scope, const char *name);
fa_status fa_sdf_name_nodes(fa_sdf *s); // when all are there: names can be looked up
fa_status fa_sdf_full_name(const fa_sdf *s, int node, char name[FA_NAME_SIZE]);

// sdf_frames.c: what names stand for, and where that is. `e` and `xml` say where it is asked for.
fa_status fa_sdf_resolve(fa_sdf *s, int scope, const char *name, const fa_xml *xml,
                         const fa_xml_element *e, fa_sdf_frame *frame);
// Computes the transform from the model frame of `scope` to the frame.
fa_status fa_sdf_where(fa_sdf *s, int scope, fa_sdf_frame frame, fa_transform *X);
// Computes the transform from the model frame of `scope` to a <pose>; a pose without relative_to is
// relative to `usual`.
fa_status fa_sdf_place(fa_sdf *s, int scope, const fa_xml *xml, int minor,
                       const fa_xml_element *pose, fa_sdf_frame usual, fa_transform *X);
// The node of the link that a frame is attached to; FA_SDF_OWN: the world.
fa_status fa_sdf_link_of(fa_sdf *s, fa_sdf_frame frame, const fa_xml *xml, const fa_xml_element *e,
                         int *node);

// sdf_link.c: masses and shapes of a link, into the form's.
fa_status fa_sdf_link(fa_sdf *s, int node);

// sdf_joint.c: what a joint says of its ends, before the tree is known.
fa_status fa_sdf_joint_read(fa_sdf *s, int node);
bool      fa_sdf_is_gearbox(const fa_sdf_joint *joint);

// sdf_motion.c: joints into the form, as carriers of links or as loops; then what couples them.
fa_status fa_sdf_carry(fa_sdf *s, fa_sdf_joint *joint);
fa_status fa_sdf_close_loop(fa_sdf *s, const fa_sdf_joint *joint);
fa_status fa_sdf_couple(fa_sdf *s, const fa_sdf_joint *joint);

// sdf_tree.c: which joints carry, which close loops, and what stands on the ground.
fa_status fa_sdf_tree(fa_sdf *s);

#endif
